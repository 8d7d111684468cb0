/**
 * YAML 1.2 as a notation of JSON: no anchors and aliases, no tags, no merge keys, one document, each key once. Every
 * refusal has its line and column. The time that it takes grows with the text, not faster.
 */
import {
  Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml'
import { fault } from './faults.ts'
import type { Json } from './json.ts'

export type Position = { readonly line: number; readonly column: number }

/** A value, and where in its text each part of it stands: the place of a path that is not there is its last part's. */
export type PlacedJson = {
  readonly value: Json
  readonly locate: (path: readonly (string | number)[]) => Position | undefined
}

/** The place of a part in the text, and the places of its own parts. */
type Place = { readonly at: Position; readonly parts?: ReadonlyMap<string, Place> | readonly Place[] }

/** The parts of a text that a thread can hand over. */
export type ReadYaml = { readonly value: Json; readonly places: Place }

const maxDepth = 100
const maxProblems = 20

type Walk = { readonly positionAt: (offset: number) => Position; readonly problems: string[] }

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0)

/** Adds a problem; answers null, which no one reads. */
function refuse({ positionAt, problems }: Walk, node: unknown, sentence: string): null {
  const { line, column } = positionAt(startOf(node))
  if (problems.length < maxProblems) problems.push(`line ${line}, column ${column}: ${sentence}`)
  return null
}

function keyOf({ key }: Pair<unknown, unknown>, walk: Walk): string | undefined {
  if (isAlias(key)) refuse(walk, key, 'aliases are not taken; write the key out')
  else if (!isScalar(key)) refuse(walk, key, 'a key must be a text')
  else if (key.anchor !== undefined || key.tag !== undefined) refuse(walk, key, 'a key has no anchor and no tag')
  else if (key.value === '<<' && key.type === 'PLAIN')
    refuse(walk, key, 'merge keys (<<) are not taken; write the members out')
  else return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
  return undefined
}

function numberOf(value: number | bigint, node: unknown, walk: Walk): Json {
  if (typeof value === 'number')
    return Number.isFinite(value) ? value : refuse(walk, node, 'is no number that a definition can have')
  const plain = Number(value)
  return Number.isSafeInteger(plain) ? plain : value
}

function valueOf(node: unknown, walk: Walk, depth: number): Json {
  if (node === null || node === undefined) return null
  if (isAlias(node)) return refuse(walk, node, 'aliases (*name) are not taken; write the value out')
  if (!isNode(node)) return null
  if ('anchor' in node && node.anchor !== undefined)
    return refuse(walk, node, 'anchors (&name) are not taken; write each value out')
  if (node.tag !== undefined) return refuse(walk, node, 'tags (!name) are not taken')
  if (isScalar(node)) {
    const { value } = node
    if (typeof value === 'number' || typeof value === 'bigint') return numberOf(value, node, walk)
    return typeof value === 'string' || typeof value === 'boolean' ? value : null
  }
  if (depth === maxDepth) return refuse(walk, node, `nests deeper than ${maxDepth}`)
  if (isSeq(node)) return node.items.map((each) => valueOf(isPair(each) ? undefined : each, walk, depth + 1))
  if (!isMap(node)) return null
  const out: { [name: string]: Json } = {}
  for (const pair of node.items) {
    const key = keyOf(pair, walk)
    if (key === undefined) continue
    if (Object.hasOwn(out, key)) refuse(walk, pair.key, `${JSON.stringify(key.slice(0, 64))} is there twice`)
    const value = valueOf(pair.value, walk, depth + 1)
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return out
}

const keyText = (key: unknown): string => (isScalar(key) ? String(key.source ?? key.value) : '')

/** Of a value its beginning; of a key without a value that of the key. */
function placeOf(node: unknown, key: unknown, positionAt: Walk['positionAt']): Place {
  const at = positionAt(isNode(node) && node.range ? node.range[0] : startOf(key))
  if (isSeq(node)) return { at, parts: node.items.map((each) => placeOf(each, node, positionAt)) }
  if (!isMap(node)) return { at }
  const parts = node.items.map((pair) => {
    const name = isScalar(pair.key) && typeof pair.key.value === 'string' ? pair.key.value : keyText(pair.key)
    return [name, placeOf(pair.value, pair.key, positionAt)] as const
  })
  return { at, parts: new Map(parts) }
}

function locate(places: Place, path: readonly (string | number)[]): Position {
  let place = places
  for (const step of path) {
    const { parts } = place
    const next = parts instanceof Map ? parts.get(String(step)) : Array.isArray(parts) ? parts[Number(step)] : undefined
    if (next === undefined) break
    place = next
  }
  return place.at
}

/** A text that was read, here or in a thread. */
export const placed = ({ value, places }: ReadYaml): PlacedJson => ({ value, locate: (path) => locate(places, path) })

/** Parses a YAML text. Throws a fault `invalid` that lists what is wrong. */
export const parseYaml = (text: string, what: string): PlacedJson => placed(readYaml(text, what))

/** Reads a YAML text. Throws a fault `invalid` that lists what is wrong. */
export function readYaml(text: string, what: string): ReadYaml {
  const lines = new LineCounter()
  const document: Document.Parsed<ParsedNode> = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    // A text may have so many keys that comparing all with all takes minutes; they are compared below.
    uniqueKeys: false,
    intAsBigInt: true,
    prettyErrors: false,
    keepSourceTokens: false,
    logLevel: 'error',
    lineCounter: lines,
  })
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const walk: Walk = { positionAt, problems: [] }
  for (const { pos, message, code } of document.errors.slice(0, maxProblems)) {
    const { line, column } = positionAt(pos[0])
    const said = /call stack/i.test(message)
      ? `nests deeper than ${maxDepth}`
      : code === 'TAB_AS_INDENT'
        ? 'a tab where blanks indent'
        : code === 'MULTIPLE_DOCS'
          ? 'one document is taken, without others behind ---'
          : firstLine(message)
    walk.problems.push(`line ${line}, column ${column}: ${said}`)
  }
  const value = walk.problems.length > 0 ? null : valueOf(document.contents, walk, 0)
  if (walk.problems.length > 0) {
    const problems = [...new Set(walk.problems)].map((problem) => `${what} is no YAML that is taken: ${problem}`)
    throw fault('invalid', problems.join('; '), { problems })
  }
  return { value, places: placeOf(document.contents, undefined, positionAt) }
}

const firstLine = (message: string): string => message.split('\n')[0] ?? message

const shortest = 72

/** YAML of a value: small parts on one line. */
export function writeYaml(value: Json): string {
  const document = new Document(value, { intAsBigInt: true })
  visit(document, {
    Collection(_, node, path) {
      const isSmall =
        String(JSON.stringify(node.toJSON(), (_key, each) => (typeof each === 'bigint' ? Number(each) : each)))
          .length <= shortest
      const isWithinSmall = path.some((each) => isNode(each) && 'flow' in each && each.flow === true)
      if (path.length > 4 && isSmall && !isWithinSmall) node.flow = true
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}
