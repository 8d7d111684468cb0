import { z } from 'zod'
import { anything } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'

/** A week. */
const maxSeconds = 604_800

export const secondsOnWire = anything.meta({ type: 'number', minimum: 0, maximum: maxSeconds })

const sent = z.preprocess(
  (value) =>
    typeof value === 'bigint' || (typeof value === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value))
      ? Number(value)
      : value,
  z.number(),
)

/**
 * A time in seconds, also as a text, as microseconds; undefined where it has a fault. One that is absent or 0 is
 * `fallback`, and without that a fault.
 */
export function seconds(object: WireObject, member: string, fallback?: number): number | undefined {
  const value = object.take(member, anything)
  if (value === undefined && fallback !== undefined) return fallback * 1e6
  const { success, data = 0 } = sent.safeParse(value)
  if (success && data === 0 && fallback !== undefined) return fallback * 1e6
  const length_us = Math.round(data * 1e6)
  if (success && length_us >= 1 && data <= maxSeconds) return length_us
  object.fail(
    member,
    `must be a number of seconds over 0, at most ${maxSeconds}${fallback === undefined ? '' : ` (absent or 0: ${fallback})`}`,
  )
  return undefined
}
