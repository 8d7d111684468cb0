/**
 * The answer of a graph in plain form: one list of rows, and one cursor, whatever the shape of the answer is. The text of the rows
 * stays as it is, since it may have 64 MB.
 */
import { isObject, type Json, parseJson } from '../../base/json.ts'

/** The rows of an answer, within its text. */
export type PlainGraph = {
  readonly text: string
  /** Where the list begins and ends, brackets included; or, of one path, its object. */
  readonly from: number
  readonly to: number
  readonly isList: boolean
  readonly count: number
  /** `_levk`, where rows remain. */
  readonly next?: string
  readonly notes: readonly string[]
}

const heads = ['{"rows":', '{"triple":', '{"nodes":', '{"paths":'] as const
/** The first member behind the rows. No text within a value has such characters: a quote in it has a backslash before. */
const tails = [',"num_items":', ',"path_count":'] as const

/** Undefined where the answer is no list: of a statement that changes something. */
export function plainGraph(text: string): PlainGraph | undefined {
  const head = heads.find((each) => text.startsWith(each))
  if (head === undefined) return undefined
  const end = Math.max(...tails.map((each) => text.lastIndexOf(each)))
  const tail = end < 0 ? undefined : parseJson(`{${text.slice(end + 1)}`, 'the rest of the answer')
  if (!isObject(tail)) return undefined
  const isOnePath = head === '{"nodes":' && tail.path_count !== undefined
  const next = typeof tail._levk === 'string' ? tail._levk : undefined
  return {
    text,
    ...(isOnePath ? { from: 0, to: end, isList: false } : { from: head.length, to: end, isList: true }),
    count: Number(tail.num_items ?? tail.path_count),
    ...(next !== undefined && { next }),
    notes: textsIn(tail.error),
  }
}

const textsIn = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** The whole answer; `cursor` says where to go on. */
export function plainGraphText({ text, from, to, isList, count, notes }: PlainGraph, cursor: string | undefined) {
  const rows = isList ? text.slice(from, to) : count === 0 ? '[]' : `[${text.slice(from, to)}}]`
  return [
    `{"rows":${rows},"num_items":${count},"more_data_to_come":${cursor === undefined ? 0 : 1}`,
    cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`,
    notes.length === 0 ? '' : `,"error":${JSON.stringify(notes)}`,
    '}',
  ].join('')
}

/** A row a line, in parts of about a megabyte. */
export function* plainGraphLines({ text, from, to, isList, count }: PlainGraph): Generator<string> {
  if (!isList) {
    if (count > 0) yield `${text.slice(from, to)}}\n`
    return
  }
  let lines: string[] = []
  let size = 0
  for (const [begin, end] of objectsIn(text, from + 1, to - 1)) {
    lines.push(text.slice(begin, end))
    size += end - begin
    if (size < partLength) continue
    yield `${lines.join('\n')}\n`
    lines = []
    size = 0
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`
}

const partLength = 1024 * 1024
const [quote, backslash, opened, closed] = [0x22, 0x5c, 0x7b, 0x7d]

/** Begin and end of each object of a list. */
function* objectsIn(text: string, from: number, to: number): Generator<readonly [begin: number, end: number]> {
  let depth = 0
  let begin = from
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    else if (code === opened && depth++ === 0) begin = at
    else if (code === closed && --depth === 0) yield [begin, at + 1]
  }
}

/** The place of the quote that ends the text that begins at `at`. */
function endOfText(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
}
