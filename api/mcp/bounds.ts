import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'

export const maxRows = 1_000
export const maxBytes = 256 * 1024

/** The bounds of one answer. */
export type Room = { readonly rows: number; readonly bytes: number }

const largest: Room = { rows: maxRows, bytes: maxBytes }

/** Rows and bytes of an answer for which no limit was asked: an agent reads all of it, some 5,000 of its words. */
const usual: Room = { rows: 100, bytes: 20 * 1024 }

/** The bounds of an answer of rows, by the limit that the agent asked for. */
export const roomFor = (limit: number | undefined): Room => (limit === undefined ? usual : { ...largest, rows: limit })

/** The bounds of a list, of which as many items are shown as fit: an agent asks for more by a limit. */
export const roomOfList = (limit: number | undefined): Room =>
  limit === undefined ? { ...usual, rows: maxRows } : roomFor(limit)

export const sizeOf = (text: string): number => Buffer.byteLength(text)

/** An answer cut to the bounds, and a sentence that says how much was cut. */
export type Bounded = {
  readonly text: string
  readonly left?: string
  /** The elements that stayed of the list that was cut. */
  readonly kept?: number
}

/** Members that count a list beside them. */
const counters = ['rows', 'num_items']

/** Cuts the lists of a JSON answer; an answer of another form, or one that is long without lists, is cut where it is. */
export function bound(text: string, room: Room = largest): Bounded {
  const value = valueOf(text)
  if (!isObject(value)) return sizeOf(text) <= room.bytes ? { text } : cutText(text, room.bytes)
  const lists = listsOf(value)
  if (lists === undefined) return sizeOf(text) <= room.bytes ? { text } : cutText(text, room.bytes)
  const isLong = sizeOf(text) > room.bytes
  if (!isLong && lists.every(({ list }) => list.length <= room.rows)) return { text }
  const counts = isLong ? sharesOf(value, lists, room) : new Map(lists.map(({ name }) => [name, room.rows]))
  const cut = lists.flatMap(({ name, list }) => {
    const kept = counts?.get(name) ?? 0
    return kept < list.length ? [{ name, kept, of: list.length }] : []
  })
  const [first] = cut
  if (counts === undefined || first === undefined) return cutText(text, room.bytes)
  const shown = lists.map(({ name, list }) => [name, list.slice(0, counts.get(name))] as const)
  const written = writeJson({ ...value, ...recounted(value, cut), ...Object.fromEntries(shown) })
  return { text: written, left: saidOf(value, cut), kept: first.kept }
}

/** More lists are not cut one by one. */
const maxLists = 1_000

/** Undefined where there are too many. */
function listsOf(value: { readonly [name: string]: Json }): readonly List[] | undefined {
  const lists: List[] = []
  for (const name in value) {
    const list = value[name]
    if (Array.isArray(list)) lists.push({ name, list })
    if (lists.length > maxLists) return undefined
  }
  return lists
}

type List = { readonly name: string; readonly list: readonly Json[] }
type Cut = { readonly name: string; readonly kept: number; readonly of: number }

/**
 * How many elements stay of each list: short lists are whole, and the long ones share what is left evenly, in bytes.
 * Undefined where not even the rest of the answer has room. Each element is measured once.
 */
function sharesOf(value: { readonly [name: string]: Json }, lists: readonly List[], room: Room) {
  const rest = writeJson({ ...value, ...Object.fromEntries(lists.map(({ name }) => [name, []])) })
  let left = room.bytes - sizeOf(rest)
  if (left < 0) return undefined
  const measured = lists.map(({ name, list }) => ({ name, sizes: sizesOf(list.slice(0, room.rows), left) }))
  const counts = new Map<string, number>()
  const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)
  const ascending = measured.map((each) => ({ ...each, size: total(each.sizes) })).sort((a, b) => a.size - b.size)
  for (const [i, { name, sizes }] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i))
    let kept = 0
    let bytes = 0
    while (kept < sizes.length && bytes + (sizes[kept] ?? 0) <= share) bytes += sizes[kept++] ?? 0
    counts.set(name, kept)
    left -= bytes
  }
  return counts
}

/** The bytes of the first elements, each with its comma, up to the one that is beyond `max` together with those before it. */
function sizesOf(list: readonly Json[], max: number): number[] {
  const sizes: number[] = []
  let bytes = 0
  for (const each of list) {
    const size = sizeOf(writeJson(each)) + 1
    sizes.push(size)
    bytes += size
    if (bytes > max) break
  }
  return sizes
}

const recounted = (value: { readonly [name: string]: Json }, cut: readonly Cut[]) =>
  Object.fromEntries(
    cut.flatMap(({ kept, of }) => counters.flatMap((name) => (value[name] === of ? [[name, kept] as const] : []))),
  )

/** Lists that are named where they were cut. */
const maxNamed = 10

function saidOf(value: { readonly [name: string]: Json }, cut: readonly Cut[]): string {
  const said = cut.slice(0, maxNamed).map(({ name, kept, of }) => {
    const whole = value.num_items === of ? ` of ${of}` : ''
    return `${name.slice(0, 100)} was cut after the first ${kept}${whole}`
  })
  const others = cut.length - said.length
  return [...said, ...(others > 0 ? [`${others} other lists were cut`] : [])].join(', ')
}

function cutText(text: string, max: number): Bounded {
  const kept = Buffer.from(text)
    .subarray(0, max)
    .toString()
    .replace(/\uFFFD$/, '')
  return { text: kept, left: `these are the first ${sizeOf(kept)} of ${sizeOf(text)} bytes` }
}

function valueOf(text: string): Json | undefined {
  try {
    return parseJson(text, 'the answer')
  } catch {
    return undefined
  }
}
