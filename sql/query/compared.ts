import { leastTime_us, smallerUnitOf } from '../../base/time-unit.ts'
import type { Condition, Position } from './ast.ts'

/** The attributes, and members, that a condition compares. */
export const pathsOf = (condition: Condition): string[] =>
  'terms' in condition ? condition.terms.flatMap(pathsOf) : [condition.path]

/** A bound of time in another unit than microseconds: where it stands, and a sentence about it. */
export type SmallTime = { readonly at: Position; readonly sentence: string }

const times = new Set(['st', 'et', '_pk'])

/** The bounds of a condition that look like seconds or milliseconds. */
export function smallTimesIn(condition: Condition): readonly SmallTime[] {
  if ('terms' in condition) return condition.terms.flatMap(smallTimesIn)
  if (condition.kind !== 'compare' || !times.has(condition.path.toLowerCase())) return []
  const { path, value, at } = condition
  if (value.kind !== 'number') return []
  const unit = smallerUnitOf(Number(value.text))
  if (unit === undefined) return []
  const { name, microseconds } = unit
  return [
    {
      at,
      sentence: `${path} is in microseconds since 1970; ${value.text} looks like ${name}: write ${microseconds}, or a time such as "2026-11-01T00:00:00Z"`,
    },
  ]
}

const bounds = new Set(['st', 'et'])

/**
 * The bounds `st` and `et` of a condition that are before all events, but 0 and 1, which stand for no bound. An attribute of
 * that very name is no bound.
 */
export function earlyBoundsIn(condition: Condition, isAttribute: (name: string) => boolean): readonly SmallTime[] {
  if ('terms' in condition) return condition.terms.flatMap((term) => earlyBoundsIn(term, isAttribute))
  if (condition.kind !== 'compare' || !bounds.has(condition.path.toLowerCase())) return []
  const { path, value, at } = condition
  if (
    isAttribute(path) ||
    value.kind !== 'number' ||
    !(Number(value.text) < leastTime_us) ||
    ['0', '1'].includes(value.text)
  )
    return []
  const [small] = smallTimesIn(condition)
  const sentence = `${path} is in microseconds since 1970, ${leastTime_us} (in 1973) or more, or 0 or 1 for no bound; got ${value.text}`
  return [small ?? { at, sentence }]
}
