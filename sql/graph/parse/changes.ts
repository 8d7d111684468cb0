/** The statements that write: CREATE, MERGE, DELETE, create geoindex. */
import { endOfJson } from '../../query/json-text.ts'
import { refuseHalfPairs } from '../../query/lexer.ts'
import type { GraphChange, NewNode, NewRelation, NodeKey, Properties } from '../ast.ts'
import { propertiesIn } from '../properties.ts'
import type { Cursor } from './cursor.ts'
import { parseArrowHead, parseArrowTail, parseRelation } from './pattern/edge.ts'
import { parseLabelAndName } from './pattern/node.ts'
import { parsePlaceNames } from './place-names.ts'

const maxLinks = 1_000
const word = /[^\s()[\]{}"'=.]+/y

export function parseCreate(cursor: Cursor): GraphChange {
  const nodes = [parseNewNode(cursor)]
  const relations: NewRelation[] = []
  while (cursor.sees('-') || cursor.sees('<-')) {
    if (relations.length === maxLinks) throw cursor.refusal(`a chain has at most ${maxLinks} relations`)
    relations.push(parseNewRelation(cursor))
    nodes.push(parseNewNode(cursor))
  }
  return { kind: 'create', nodes, relations }
}

export function parseMerge(cursor: Cursor): GraphChange {
  const left = parseWholeNode(cursor)
  const direction = parseArrowTail(cursor)
  cursor.expect('[')
  cursor.expect('*')
  cursor.expect(']')
  parseArrowHead(cursor, direction)
  const { position } = cursor
  const right = parseWholeNode(cursor)
  if (left.label === right.label && left.name === right.name) {
    throw cursor.source.refusal(position.offset, 'MERGE takes two nodes, and both are the same')
  }
  return direction === 'in'
    ? { kind: 'merge', primary: left, secondary: right }
    : { kind: 'merge', primary: right, secondary: left }
}

export const parseDelete = (cursor: Cursor): GraphChange => ({ kind: 'delete', node: parseWholeNode(cursor) })

export function parseGeoIndex(cursor: Cursor): GraphChange {
  const { position } = cursor
  const graph = expectWord(cursor, "a graph, as in 'create geoindex graph.Label name = lat.lon'")
  cursor.expect('.')
  const label = cursor.seesQuote ? cursor.takeQuoted().value : expectWord(cursor, 'a label')
  const name = expectWord(cursor, 'a name for the index')
  cursor.expect('=')
  const at = cursor.position
  const places = cursor.seesQuote ? cursor.takeQuoted().value : cursor.takeWord()
  const coordinates = parsePlaceNames(cursor, places.replace(/;$/, ''), at)
  return { kind: 'geo index', graph, label, name, ...coordinates, at: position }
}

function expectWord(cursor: Cursor, expected: string): string {
  const text = cursor.takeWord(word)
  if (text === '') throw cursor.unexpected([expected])
  return text
}

function parseWholeNode(cursor: Cursor): NodeKey {
  cursor.expect('(')
  const key = parseKey(cursor)
  cursor.expect(')')
  return key
}

function parseNewNode(cursor: Cursor): NewNode {
  cursor.expect('(')
  const key = parseKey(cursor)
  const properties = parseProperties(cursor)
  cursor.expect(')')
  return { ...key, properties }
}

/** The value that is written is text: neither `*` nor `$%` means anything here, and `*` alone is most likely a mistake. */
function parseKey(cursor: Cursor): NodeKey {
  const { position } = cursor
  const { label, name } = parseLabelAndName(cursor)
  if (label === undefined || name === undefined) {
    throw cursor.source.refusal(position.offset, 'expected a label and a name: (Label:name)')
  }
  return { label, name: name.kind === 'is' ? name.text : `${name.text}$%` }
}

function parseNewRelation(cursor: Cursor): NewRelation {
  const direction = parseArrowTail(cursor)
  cursor.expect('[')
  const { position } = cursor
  const relation = parseRelation(cursor)
  if (relation === '*') throw cursor.source.refusal(position.offset, "expected a relation's name, got '*'")
  const properties = parseProperties(cursor)
  cursor.expect(']')
  parseArrowHead(cursor, direction)
  return { relation: relation.text, direction, properties }
}

/** A JSON object; a member that is null is one that is missing. */
function parseProperties(cursor: Cursor): Properties {
  if (!cursor.sees('{')) return []
  const text = cursor.source.text.slice(cursor.offset, endOfJson(cursor.source, cursor.offset))
  refuseHalfPairs(cursor.source, cursor.offset, text)
  cursor.skip(text.length)
  return propertiesIn(text)
}
