import { withCaret } from '../../query/placed-refusal.ts'
import { createSourceText } from '../../query/source-text.ts'
import { algorithmColumns } from '../algorithm.ts'
import type {
  AlgorithmKind,
  AlgorithmModifier,
  GraphChange,
  GraphQuery,
  GraphSet,
  GraphStatement,
  Modifier,
  ModifierKind,
  SetKind,
} from '../ast.ts'
import { checkQuery, checkSet } from '../check.ts'
import { parseCreate, parseDelete, parseGeoIndex, parseMerge } from './changes.ts'
import { parseColumn } from './column.ts'
import { Cursor } from './cursor.ts'
import { refuseLowerCase } from './keywords.ts'
import { parsePattern, token } from './pattern/pattern.ts'
import { parseOrder, parseReturning } from './returning.ts'

/** Graph text to a statement, by recursive descent. A comment marks each sign that clients write and the parser skips. */

const sets: readonly SetKind[] = ['ADD', 'SUBTRACT', 'JOIN', 'LEFT_JOIN', 'RIGHT_JOIN', 'APPEND', 'PIPE']
/** The most queries of a set, which run beside each other and may each answer much. */
const maxQueries = 8
const another = /;?\s*\+\+/y
/** A query may have such a word for its token. */
const statement = /(create\s+geoindex|CREATE|MERGE|DELETE)\b(?!\s*(=>|\{))/iy

/** Throws a `Refusal` of one problem: line and column, the text that is there, the text that would be right, a caret under the place. */
export function parseStatement(text: string): GraphStatement {
  const cursor = new Cursor(createSourceText(text))
  return withCaret(text, () => {
    if (cursor.sees('<')) return parseSet(cursor)
    const word = cursor.source.match(statement, cursor.offset)
    if (word === '') return parseWholeQuery(cursor)
    const change = parseChange(cursor, word)
    expectEnd(cursor)
    return change
  })
}

/** A text that has to be a query for a pattern. */
export function parseGraph(text: string): GraphQuery {
  const parsed = parseStatement(text)
  if (parsed.kind === 'query') return parsed
  throw createSourceText(text).refusal(0, 'expected a query such as s=>(Label:name)-[REL]->(Label:*)')
}

function parseWholeQuery(cursor: Cursor): GraphQuery {
  const query = parseQuery(cursor)
  expectEnd(cursor, query)
  checkQuery(query)
  return query
}

function parseChange(cursor: Cursor, word: string): GraphChange {
  const begin = cursor.position
  cursor.skip(word.length)
  if (/geoindex$/i.test(word)) return parseGeoIndex(cursor)
  switch (word) {
    case 'CREATE':
      return parseCreate(cursor)
    case 'MERGE':
      return parseMerge(cursor)
    case 'DELETE':
      return parseDelete(cursor)
    default:
      throw cursor.source.refusal(begin.offset, `keywords are upper case: ${word.toUpperCase()}`)
  }
}

function parseSet(cursor: Cursor): GraphSet {
  cursor.expect('<')
  const set = cursor.acceptKeyword('CROSS') ? 'JOIN' : sets.find((name) => cursor.acceptKeyword(name))
  if (set === undefined) throw cursor.unexpected(sets)
  cursor.expectKeyword('USING')
  const column = parseColumn(cursor)
  const order = parseOrder(cursor)
  cursor.expect('>')
  const queries = [parseQuery(cursor)]
  do {
    cursor.accept(';')
    cursor.expect('++')
    if (queries.length === maxQueries) throw cursor.refusal(`a set has at most ${maxQueries} queries`)
    queries.push(parseQuery(cursor))
  } while (cursor.source.match(another, cursor.offset) !== '')
  expectEnd(cursor)
  const parsed: GraphSet = { kind: 'set', set, column, ...order, queries }
  checkSet(parsed)
  return parsed
}

function parseQuery(cursor: Cursor): GraphQuery {
  const name = cursor.take(token)
  if (name === '') throw cursor.unexpected(['a query such as s=>(Label:name)-[REL]->(Label:*)'])
  const modified = parseModifier(cursor)
  cursor.expect('=>')
  const pattern = parsePattern(cursor)
  cursor.accept(']') // a stray one, which published clients write
  const returning = cursor.acceptReturn() ? parseReturning(cursor) : undefined
  return { kind: 'query', token: name, ...modified, pattern, ...(returning && { returning }) }
}

/** Behind a query that has no RETURN, one may follow. */
function expectEnd(cursor: Cursor, query?: GraphQuery): void {
  const isClosed = cursor.accept(';')
  if (cursor.isAtEnd) return
  refuseLowerCase(cursor)
  const mayFollow = query !== undefined && query.returning === undefined ? ['RETURN'] : []
  throw cursor.unexpected(isClosed ? [...mayFollow, 'nothing'] : ["';'", 'the end'])
}

const kinds = [
  'SYMM',
  'ASYMM',
  'DISTINCT',
  'UNIQUE',
  'UNIQUE_IN_CONTEXT',
  'UNIQUE_SELECT',
] as const satisfies readonly ModifierKind[]

const isAlgorithm = (word: string): word is AlgorithmKind => Object.hasOwn(algorithmColumns, word)
const words = [...kinds, ...Object.keys(algorithmColumns).filter(isAlgorithm)]

/** `{DISTINCT}`, `{UNIQUE, 10}` or `{PAGERANK, 10}` behind a query's token. */
function parseModifier(cursor: Cursor): Pick<GraphQuery, 'modifier' | 'algorithm'> {
  if (!cursor.accept('{')) return {}
  const at = cursor.position
  const kind = words.find((name) => cursor.acceptKeyword(name))
  if (kind === undefined) throw cursor.unexpected(words)
  const max = cursor.accept(',') ? { max: cursor.expectCount('how many rows there are at most') } : {}
  cursor.expect('}')
  if (isAlgorithm(kind)) return { algorithm: { kind, ...max, at } satisfies AlgorithmModifier }
  return { modifier: { kind, ...max, at } satisfies Modifier }
}
