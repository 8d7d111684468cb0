/** In 1973, in microseconds since 1970. A smaller number is a time in another unit, or a mistake. */
export const leastTime_us = 100_000_000_000_000
export const leastTimeText = '1973-03-03T09:46:40Z'

/** The last microsecond of the year 9999, the last that ISO 8601 can name in four digits. Nanoseconds of our days are beyond it. */
export const greatestTime_us = 253_402_300_799_999_999n

/** The units in which the times from 1973 to the year 5138 are smaller numbers. */
const smallerUnits = [
  { name: 'milliseconds', micros: 1_000 },
  { name: 'seconds', micros: 1_000_000 },
] as const

/** The smaller unit that a number looks like as a time, and the time in microseconds that it would be. */
export function smallerUnitOf(time: number): { readonly name: string; readonly microseconds: number } | undefined {
  const unit = smallerUnits.find(({ micros }) => time >= leastTime_us / micros && time < leastTime_us / (micros / 1000))
  return unit && { name: unit.name, microseconds: Math.round(time * unit.micros) }
}
