import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'

export const maxRows = 1_000
export const maxBytes = 256 * 1024

export const sizeOf = (text: string): number => Buffer.byteLength(text)

/** An answer within the bounds, and what was left out of it. */
export type Bounded = { readonly text: string; readonly left?: string }

/** Cuts the lists of a JSON answer; an answer of another form, or one that is long without lists, is cut where it is. */
export function bound(text: string): Bounded {
  const value = valueOf(text)
  if (!isObject(value)) return sizeOf(text) <= maxBytes ? { text } : cutText(text)
  const lists = Object.entries(value).flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []))
  const kept = new Map(lists.map(({ name, list }) => [name, Math.min(list.length, maxRows)]))
  const written = (): string =>
    writeJson({ ...value, ...Object.fromEntries(lists.map(({ name, list }) => [name, list.slice(0, kept.get(name))])) })
  let bounded = lists.some(({ list }) => list.length > maxRows) ? written() : text
  while (sizeOf(bounded) > maxBytes) {
    const [longest] = [...kept].toSorted(([, one], [, other]) => other - one)
    if (longest === undefined || longest[1] === 0) return cutText(bounded)
    const [name, count] = longest
    kept.set(name, Math.min(count - 1, Math.floor((count * maxBytes) / sizeOf(bounded))))
    bounded = written()
  }
  const cut = lists.filter(({ name, list }) => (kept.get(name) ?? 0) < list.length)
  if (cut.length === 0) return { text: bounded }
  return { text: bounded, left: cut.map(({ name }) => `${name} was cut after the first ${kept.get(name)}`).join(', ') }
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
