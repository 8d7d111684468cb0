/** A pattern: a node, a chain, or `[token => node edge node]` and the edges that go on from its first node. */
import type { Link, NodePattern, Pattern } from '../../ast.ts'
import type { Cursor } from '../cursor.ts'
import { parseEdge } from './edge.ts'
import { parseNode } from './node.ts'

export const token = /[A-Za-z_][A-Za-z0-9_]*/y
/** The maximum length of a walk: each link is a join. */
const maxLinks = 16

export function parsePattern(cursor: Cursor): Pattern {
  if (!cursor.accept('[')) return parseLinks(cursor, [parseNode(cursor)], [], 0)
  const nested = cursor.take(token)
  if (nested === '') throw cursor.unexpected(['a query such as [s=>(Label:name)-[REL]->(Label:*)]'])
  cursor.expect('=>')
  const nodes = [parseNode(cursor)]
  const edge = parseEdge(cursor)
  nodes.push(parseNode(cursor))
  cursor.expect(']')
  if (!seesEdge(cursor)) throw cursor.unexpected(["'-['", "'<-['"])
  return { ...parseLinks(cursor, nodes, [{ edge, from: 0, to: 1 }], 0), nested }
}

function parseLinks(cursor: Cursor, nodes: NodePattern[], links: Link[], start: number): Pattern {
  let from = start
  while (seesEdge(cursor)) {
    if (links.length === maxLinks) throw cursor.refusal(`a pattern has at most ${maxLinks} relations`)
    const edge = parseEdge(cursor)
    links.push({ edge, from, to: nodes.length })
    from = nodes.length
    nodes.push(parseNode(cursor))
  }
  return { nodes, links }
}

const seesEdge = (cursor: Cursor): boolean => cursor.sees('-') || cursor.sees('<-')
