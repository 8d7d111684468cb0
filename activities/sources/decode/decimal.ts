import { type Json, parseJson } from '../../../base/json.ts'
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
  const unscaled = bytes.length === 0 ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`))
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  const fraction = scale === 0 ? '' : `.${digits.slice(point)}`
  return parseJson(`${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`, 'a decimal')
}
