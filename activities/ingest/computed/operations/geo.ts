import { geohash, longestGeohash } from '../geohash.ts'
import { readInputs } from '../members.ts'
import { type Event, type Operation, type Read, toNumber } from '../values.ts'

const numberOf = (read: Read | undefined, event: Event) => toNumber(read?.(event))

/** The third input, a literal, is the number of digits. */
export const hash: Operation = (attribute) => {
  const [latitude, longitude] = readInputs(attribute)
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

export const distance: Operation = (attribute) => {
  const [lat1, lon1, lat2, lon2] = readInputs(attribute)
  return (event) => {
    const from = { lat: numberOf(lat1, event), lon: numberOf(lon1, event) }
    const to = { lat: numberOf(lat2, event), lon: numberOf(lon2, event) }
    if (from.lat === undefined || from.lon === undefined || to.lat === undefined || to.lon === undefined) {
      return undefined
    }
    return distanceBetween(from.lat, from.lon, to.lat, to.lon)
  }
}
