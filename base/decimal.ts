import { type Json, parseJson, writeJson } from './json.ts'
import { Refusal } from './refusal.ts'

/** Of doubles: up to here a power of ten is exact. */
const exactPower = 22
/** Thousands of digits take the square of that in time. */
const maxBytes = 128
const maxScale = 300

/** The scale of a decimal; throws a `Refusal` for any other value. */
export function checkedScale(scale: Json | undefined): number {
  if (typeof scale === 'number' && Number.isInteger(scale) && scale >= 0 && scale <= maxScale) return scale
  const found = typeof scale === 'number' ? `${scale}` : scale === undefined ? 'missing' : writeJson(scale).slice(0, 40)
  throw new Refusal(`the scale of a decimal must be a whole number from 0 to ${maxScale}, and is ${found}`)
}

/** The number of the digits of `unscaled` with a point before the last `scale`: a whole one exactly, another one as the nearest double. */
export function decimalNumber(unscaled: bigint, scale: number): Json {
  const near = Number(unscaled)
  // A quotient of two numbers that are exact is the double nearest to it.
  if (Number.isSafeInteger(near) && scale <= exactPower) return near / 10 ** scale
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  const fraction = scale === 0 ? '' : `.${digits.slice(point)}`
  return parseJson(`${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`, 'a decimal')
}

/** The number whose unscaled value is the bytes, in two's complement, the highest first. `scale` is a checked one. */
export function decimalOfBytes(bytes: Buffer, scale: number): Json {
  if (bytes.length > maxBytes) throw new Refusal(`a decimal has over ${maxBytes} bytes`)
  const unscaled = bytes.length === 0 ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`))
  return decimalNumber(unscaled, scale)
}
