import type { Event } from '../../../../base/json.ts'
import type { ReadEvent } from '../../places.ts'
import { readInputs } from '../inputs.ts'
import { type Operation, toNumber } from '../values.ts'

const numberOf = (read: ReadEvent | undefined, event: Event) => toNumber(read?.(event))

/** The third input, a literal, is the number of digits. */
export const hash: Operation = (attribute, readInput) => {
  const [latitude, longitude] = readInputs(attribute, readInput)
  const length = Number(attribute.inputs[2] ?? longestGeohash)
  return (event) => {
    const lat = numberOf(latitude, event)
    const lon = numberOf(longitude, event)
    return lat === undefined || lon === undefined ? undefined : geohash(lat, lon, length)
  }
}

const earthRadius_m = 6_371_000
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Haversine (R. W. Sinnott, "Virtues of the Haversine", 1984), in metres; degrees out of range are computed as they are. */
const distanceBetween = (lat1: number, lon1: number, lat2: number, lon2: number): number => {
  const halfLat = Math.sin(radians(lat2 - lat1) / 2)
  const halfLon = Math.sin(radians(lon2 - lon1) / 2)
  const haversine = halfLat ** 2 + Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * halfLon ** 2
  // Rounding can take it out of 0..1.
  return 2 * earthRadius_m * Math.asin(Math.sqrt(Math.min(1, Math.max(0, haversine))))
}

export const distance: Operation = (attribute, readInput) => {
  const [lat1, lon1, lat2, lon2] = readInputs(attribute, readInput)
  return (event) => {
    const from = { lat: numberOf(lat1, event), lon: numberOf(lon1, event) }
    const to = { lat: numberOf(lat2, event), lon: numberOf(lon2, event) }
    if (from.lat === undefined || from.lon === undefined || to.lat === undefined || to.lon === undefined) {
      return undefined
    }
    return distanceBetween(from.lat, from.lon, to.lat, to.lon)
  }
}

const digits = '0123456789bcdefghjkmnpqrstuvwxyz'
const bitsPerDigit = 5

const longestGeohash = 12

/** The bits of each coordinate in the longest hash. */
const bits = 30
const cells = 2 ** bits

/** Which of the cells from `-max` to `max` holds the value; `max` itself is in the last. */
const cellOf = (value: number, max: number): number => {
  const cell = Math.min(cells - 1, Math.floor(((value + max) / (2 * max)) * cells))
  // The sum may have rounded up to the cell's border, which itself is exact.
  return value < (cell / cells) * 2 * max - max ? cell - 1 : cell
}

/**
 * The cell of `length` base-32 digits that holds the point; bits of longitude and latitude in turn (G. Niemeyer,
 * geohash.org). Undefined outside -90..90 and -180..180 degrees.
 */
function geohash(latitude: number, longitude: number, length: number): string | undefined {
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
