/** Bits of a double behind those that say its bin. */
export const fractionBits = 46

const bits = new DataView(new ArrayBuffer(8))

/** The bin of a value: its sign, its exponent and the six leading bits of its fraction. */
export function binOf(value: number): number {
  bits.setFloat64(0, Math.abs(value))
  const bin = Math.floor(bits.getUint32(0) / 2 ** (fractionBits - 32))
  return value < 0 ? -bin : bin + 0
}

/** The middle of a bin, between the least and the greatest value that there is. */
export function boundedMiddle(bin: number, least: number, most: number): number {
  bits.setBigUint64(0, (BigInt(Math.abs(bin)) << BigInt(fractionBits)) + (1n << BigInt(fractionBits - 1)))
  const middle = bin === 0 ? 0 : Math.sign(bin) * bits.getFloat64(0)
  return Math.min(Math.max(middle, least), most)
}
