const digits = '0123456789bcdefghjkmnpqrstuvwxyz'
const bitsPerDigit = 5

export const longestGeohash = 12

/** Of each coordinate, in the longest hash. */
const bits = 30
const cells = 2 ** bits

/** Which of the cells from `-most` to `most` holds the value; `most` itself is in the last. */
const cellOf = (value: number, most: number): number => {
  const cell = Math.min(cells - 1, Math.floor(((value + most) / (2 * most)) * cells))
  // The sum may have rounded up to the cell's border, which itself is exact.
  return value < (cell / cells) * 2 * most - most ? cell - 1 : cell
}

/**
 * The cell of `length` base-32 digits that holds the point; bits of longitude and latitude in turn (G. Niemeyer,
 * geohash.org). Undefined outside -90..90 and -180..180 degrees.
 */
export function geohash(latitude: number, longitude: number, length: number): string | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined
  const row = cellOf(latitude, 90)
  const column = cellOf(longitude, 180)
  let hash = ''
  for (let digit = 0; digit < length; digit += 1) {
    let value = 0
    for (let bit = digit * bitsPerDigit; bit < (digit + 1) * bitsPerDigit; bit += 1) {
      const coordinate = bit % 2 === 0 ? column : row
      value = value * 2 + ((coordinate >>> (bits - 1 - (bit >>> 1))) & 1)
    }
    hash += digits.charAt(value)
  }
  return hash
}
