import { decimalNumber, integerOfBytes } from '../../../base/decimal.ts'
import type { Json } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'

/** Thousands of digits take the square of that in time. */
const maxBytes = 128
export const maxScale = 300

/**
 * The number whose unscaled value is the bytes, in two's complement, the highest first: that of the same digits in JSON, a whole
 * one exactly, another one as the nearest double.
 */
export function decimal(bytes: Buffer, scale: number): Json {
  if (bytes.length > maxBytes) throw new Refusal(`a decimal of the message has over ${maxBytes} bytes`)
  if (!Number.isInteger(scale) || scale < 0 || scale > maxScale)
    throw new Refusal(`the scale of a decimal must be a whole number from 0 to ${maxScale}`)
  return decimalNumber(integerOfBytes(bytes), scale)
}
