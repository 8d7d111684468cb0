import { isoMicroseconds } from '../../base/instant.ts'
import { leastTime_us, leastTimeText, smallerUnitOf } from '../../base/time-unit.ts'
import type { Stream } from '../schema/schema.ts'
import type { Comparison, Condition, Position } from './ast.ts'
import { PlacedRefusal } from './placed-refusal.ts'

/** The attributes, and members, that a condition compares. */
export const pathsOf = (condition: Condition): string[] =>
  'terms' in condition ? condition.terms.flatMap(pathsOf) : [condition.path]

/** A bound of time in another unit than microseconds, or before all events: where it stands, and a sentence about it. */
export type SmallTime = { readonly at: Position; readonly sentence: string }

/** Whether a path of a condition is an attribute, which is no bound though it is called `st` or `et`. */
type IsAttribute = (path: string) => boolean

const none: IsAttribute = () => false

const bounds = new Set(['st', 'et'])

const isBound = ({ path }: Comparison, isAttribute: IsAttribute): boolean =>
  bounds.has(path.toLowerCase()) && !isAttribute(path)

function comparisonsOf(condition: Condition): readonly Comparison[] {
  if ('terms' in condition) return condition.terms.flatMap(comparisonsOf)
  return condition.kind === 'compare' ? [condition] : []
}

/** The bounds of a condition, `_pk` among them, that look like seconds or milliseconds. */
export const smallTimesIn = (condition: Condition, isAttribute = none): readonly SmallTime[] =>
  comparisonsOf(condition)
    .filter((term) => term.path.toLowerCase() === '_pk' || isBound(term, isAttribute))
    .flatMap(({ path, value, at }) => (value.kind === 'number' ? (smallTime(path, value.text, at) ?? []) : []))

function smallTime(path: string, text: string, at: Position): SmallTime | undefined {
  const unit = smallerUnitOf(Number(text))
  if (unit === undefined) return undefined
  const { name, microseconds } = unit
  return {
    at,
    sentence: `${path} is in microseconds since 1970; ${text} looks like ${name}: write ${microseconds}, or a time such as "2026-11-01T00:00:00Z"`,
  }
}

/** The bounds `st` and `et` of a condition that are before all events, but 0 and 1, which stand for no bound. */
export const earlyBoundsIn = (condition: Condition, isAttribute: IsAttribute): readonly SmallTime[] =>
  comparisonsOf(condition)
    .filter((term) => isBound(term, isAttribute))
    .flatMap((term) => earlyTime(term) ?? [])

/** Times that stand for no bound. */
const unbounded = new Set(['0', '1'])

function earlyTime({ path, value, at }: Comparison): SmallTime | undefined {
  if (value.kind === 'number') return earlyNumber(path, value.text, at)
  return value.kind === 'string' ? earlyText(path, value.value, at) : undefined
}

function earlyText(path: string, text: string, at: Position): SmallTime | undefined {
  const time = isoMicroseconds(text)
  if (time === undefined || time >= leastTime_us || unbounded.has(String(time))) return undefined
  const sentence = `${path}: "${text}" is before ${leastTimeText}, the earliest time of an event; leave ${path} out for no bound`
  return { at, sentence }
}

function earlyNumber(path: string, text: string, at: Position): SmallTime | undefined {
  if (unbounded.has(text) || !(Number(text) < leastTime_us)) return undefined
  const sentence = `${path} is in microseconds since 1970, ${leastTime_us} (in 1973) or more, or 0 or 1 for no bound; got ${text}`
  return smallTime(path, text, at) ?? { at, sentence }
}

/** An aggregation knows `st` and `et` as bounds alone, whatever attributes there are. */
type Asked = 'events' | 'intervals'

/** Refuses a bound in another unit: it would bound nothing, and a statement that deletes would take every event. */
export function refuseEarlyBounds({ kind, attributes }: Stream, where: Condition, asked: Asked = 'events'): void {
  if (kind === 'entity') return
  const [early] = earlyBoundsIn(where, asked === 'events' ? isAttributeOf(attributes) : none)
  if (early) throw new PlacedRefusal(early.at, early.sentence)
}

/** Refuses what `refuseEarlyBounds` does, and a `_pk` in another unit: whose events a condition removes, nothing brings back. */
export function refuseSmallTimes(stream: Stream, where: Condition): void {
  refuseEarlyBounds(stream, where)
  const [small] = stream.kind === 'entity' ? [] : smallTimesIn(where, isAttributeOf(stream.attributes))
  if (small) throw new PlacedRefusal(small.at, small.sentence)
}

const isAttributeOf =
  (attributes: Stream['attributes']): IsAttribute =>
  (path) =>
    attributes.some(({ name }) => name === path)
