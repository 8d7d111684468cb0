const digits = '0123456789bcdefghjkmnpqrstuvwxyz'
const bitsPerDigit = 5

export const longestGeohash = 12

/**
 * The cell of `length` base-32 digits that holds the point; bits halve longitude and latitude in turn (G. Niemeyer,
 * geohash.org). Undefined outside -90..90 and -180..180 degrees.
 */
export function geohash(latitude: number, longitude: number, length: number): string | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined
  let [south, north, west, east] = [-90, 90, -180, 180]
  let hash = ''
  let digit = 0
  for (let bit = 0; bit < length * bitsPerDigit; bit += 1) {
    const isLongitude = bit % 2 === 0
    const middle = isLongitude ? (west + east) / 2 : (south + north) / 2
    const upper = isLongitude ? longitude >= middle : latitude >= middle
    if (isLongitude && upper) west = middle
    else if (isLongitude) east = middle
    else if (upper) south = middle
    else north = middle
    digit = digit * 2 + (upper ? 1 : 0)
    if (bit % bitsPerDigit === bitsPerDigit - 1) {
      hash += digits.charAt(digit)
      digit = 0
    }
  }
  return hash
}
