/**
 * Graph text to a query, by recursive descent: `token => node edge node`, a closing `;` allowed. The rest of the
 * language (statements, sets, modifiers, nested queries, single nodes, chains, RETURN) is refused by name.
 */
import { createSourceText } from '../query/source-text.ts'
import type { GraphQuery } from './ast.ts'
import { Cursor } from './cursor.ts'
import { parseEdge } from './edge.ts'
import { parseNode } from './node.ts'

const token = /[A-Za-z_][A-Za-z0-9_]*/y
const statement = /(CREATE|MERGE|DELETE|create\s+geoindex)\b(?!\s*(=>|\{))/y
const returning = /RETURN\b/y

/** Throws a `Refusal` of one problem: line and column, what is there, what would be right, a caret under the place. */
export function parseGraph(text: string): GraphQuery {
  const cursor = new Cursor(createSourceText(text))
  const name = parseToken(cursor)
  cursor.expect('=>')
  if (cursor.sees('[')) throw cursor.notYet('a nested query ([...])')
  const from = parseNode(cursor)
  if (cursor.isAtEnd || cursor.sees(';')) throw cursor.notYet('a query for a single node, without an edge,')
  const edge = parseEdge(cursor)
  const to = parseNode(cursor)
  expectEnd(cursor)
  return { kind: 'query', token: name, pattern: { from, edge, to } }
}

function parseToken(cursor: Cursor): string {
  if (cursor.sees('<')) throw cursor.notYet('a set of two queries (<ADD USING col> q1 ++ q2)')
  const word = cursor.source.match(statement, cursor.offset)
  if (word) throw cursor.notYet(word.replace(/\s+/, ' '))
  const name = cursor.take(token)
  if (name === '') throw cursor.unexpected(['a query such as s=>(Label:name)-[REL]->(Label:*)'])
  if (cursor.sees('{')) throw cursor.notYet('a modifier ({DISTINCT})')
  return name
}

function expectEnd(cursor: Cursor): void {
  if (cursor.sees('-') || cursor.sees('<-')) throw cursor.notYet('a chain of several edges')
  const isClosed = cursor.accept(';')
  if (cursor.source.match(returning, cursor.offset)) throw cursor.notYet('RETURN')
  if (!cursor.isAtEnd) throw cursor.unexpected(isClosed ? ['nothing'] : ["';'", 'the end'])
}
