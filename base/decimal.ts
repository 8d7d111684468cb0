import { type Json, parseJson } from './json.ts'

/** Of doubles: up to here a power of ten is exact. */
const exactPower = 22

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

/** The integer whose two's complement the bytes are, the highest first. */
export const integerOfBytes = (bytes: Buffer): bigint =>
  bytes.length === 0 ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`))
