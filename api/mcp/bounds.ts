import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'

export const maxRows = 1_000
export const maxBytes = 256 * 1024

export const sizeOf = (text: string): number => Buffer.byteLength(text)

/** An answer within the bounds, and what was left out of it. */
export type Bounded = {
  readonly text: string
  readonly left?: string
  /** The elements that stayed of the list that was cut. */
  readonly kept?: number
}

/** Members that count a list beside them. */
const counters = ['rows', 'num_items']

type List = { readonly name: string; readonly list: readonly Json[] }

/** Cuts the lists of a JSON answer; an answer of another form, or one that is long without lists, is cut where it is. */
export function bound(text: string): Bounded {
  const value = valueOf(text)
  if (!isObject(value)) return sizeOf(text) <= maxBytes ? { text } : cutText(text)
  const lists = Object.entries(value).flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []))
  const kept = new Map(lists.map(({ name, list }) => [name, Math.min(list.length, maxRows)]))
  const keptOf = ({ name, list }: List): readonly Json[] => list.slice(0, kept.get(name))
  const cut = (): List[] => lists.filter((each) => keptOf(each).length < each.list.length)
  const written = (): string => {
    const counted = cut().flatMap((each) => {
      const { length } = keptOf(each)
      return counters.flatMap((name) => (value[name] === each.list.length ? [[name, length] as const] : []))
    })
    const shown = lists.map((each) => [each.name, keptOf(each)] as const)
    return writeJson({ ...value, ...Object.fromEntries([...counted, ...shown]) })
  }
  let bounded = cut().length > 0 ? written() : text
  while (sizeOf(bounded) > maxBytes) {
    const sized = lists.map((each) => ({ ...each, size: sizeOf(writeJson(keptOf(each))) }))
    const [heaviest] = sized.toSorted((one, other) => other.size - one.size)
    if (heaviest === undefined || keptOf(heaviest).length === 0) return cutText(bounded)
    kept.set(heaviest.name, countWithin(keptOf(heaviest), heaviest.size + maxBytes - sizeOf(bounded)))
    bounded = written()
  }
  const [first] = cut()
  if (first === undefined) return { text: bounded }
  const left = cut().map((each) => {
    const of = value.num_items === each.list.length ? ` of ${each.list.length}` : ''
    return `${each.name} was cut after the first ${keptOf(each).length}${of}`
  })
  return { text: bounded, left: left.join(', '), kept: keptOf(first).length }
}

/** How many of the elements, fewer than all of them, are a list within `most` bytes. */
function countWithin(list: readonly Json[], most: number): number {
  let bytes = 2
  const end = list.findIndex((each) => {
    bytes += sizeOf(writeJson(each)) + 1
    return bytes > most
  })
  return end === -1 ? list.length - 1 : end
}

function cutText(text: string): Bounded {
  const kept = Buffer.from(text)
    .subarray(0, maxBytes)
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
