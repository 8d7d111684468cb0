/** Times in the forms of programs that do not know Weir. */
import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'

/** Numbers below these are seconds, milliseconds, microseconds and nanoseconds since 1970: each until the year 5138. */
const units = [
  { below: 1e11, micros: 1e6 },
  { below: 1e14, micros: 1e3 },
  { below: 1e17, micros: 1 },
  { below: 1e20, micros: 1e-3 },
]

/** The `_pk` of a time as other programs write it: microseconds since 1970, or a text of ISO 8601. Without one the event is of its arrival. */
export function senderTime(value: Json | undefined): number | string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && !/^\d{1,20}(\.\d{1,9})?$/.test(value)) return value
  const number = typeof value === 'boolean' || typeof value === 'object' ? Number.NaN : Number(value)
  const unit = units.find(({ below }) => number < below)
  if (!unit || !(number >= 0)) throw new Refusal('the time is no time: send ISO 8601, or a number since 1970')
  return Math.round(number * unit.micros)
}
