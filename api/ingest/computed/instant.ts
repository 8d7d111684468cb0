import { type CivilDate, daysFromCivil, exists } from './calendar.ts'
import type { Numeric } from './values.ts'

/** A moment in UTC: whole seconds since 1970, negative before, and 0 to 999,999 microseconds more. */
export type Instant = { readonly seconds: number; readonly microseconds: number }

const million = 1_000_000

type Groups = readonly (string | undefined)[]

/** Two digits of a year are 1970 to 2069. */
const fullYear = (text: string) => {
  const year = Number(text)
  if (text.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

const clock = String.raw`(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):?(\d\d)?)?)?`

/** Without a zone it is UTC. A date alone is its midnight, a time may go without its seconds. */
const formats: readonly { readonly pattern: RegExp; readonly date: (groups: Groups) => CivilDate }[] = [
  {
    pattern: new RegExp(String.raw`^(\d{4})-(\d\d)-(\d\d)${clock}$`, 'i'),
    date: ([, year, month, day]) => ({ year: Number(year), month: Number(month), day: Number(day) }),
  },
  {
    pattern: new RegExp(String.raw`^(\d\d?)/(\d\d?)/(\d{4}|\d\d)${clock}$`, 'i'),
    date: ([, day, month, year = '']) => ({ year: fullYear(year), month: Number(month), day: Number(day) }),
  },
]

/** Undefined for an hour 24 or a second 60. */
const secondsOfDay = (hour: number, minute: number, second: number): number | undefined =>
  hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : undefined

const instantOf = (date: CivilDate, groups: Groups): Instant | undefined => {
  const [hour = '0', minute = '0', second = '0', fraction = '', sign = '+', zoneHour = '0', zoneMinute = '0'] =
    groups.slice(4)
  const time = secondsOfDay(Number(hour), Number(minute), Number(second))
  const zone = secondsOfDay(Number(zoneHour), Number(zoneMinute), 0)
  if (time === undefined || zone === undefined || !exists(date)) return undefined
  return {
    seconds: daysFromCivil(date) * 86_400 + time - Number(`${sign}1`) * zone,
    microseconds: Number(fraction.slice(0, 6).padEnd(6, '0')),
  }
}

const fromText = (text: string): Instant | undefined => {
  const trimmed = text.trim()
  for (const { pattern, date } of formats) {
    const groups = pattern.exec(trimmed)
    if (groups !== null) return instantOf(date(groups), groups)
  }
  return undefined
}

const fromMicroseconds = (value: number): Instant | undefined => {
  if (!Number.isInteger(value) || Math.abs(value) > 2 ** 63) return undefined
  const microseconds = ((value % million) + million) % million
  // Taken off before dividing: a quotient just below a whole second would round up to it.
  return { seconds: (value - microseconds) / million, microseconds }
}

const fromBigMicroseconds = (value: bigint): Instant | undefined => {
  if (BigInt.asIntN(64, value) !== value) return undefined
  const microseconds = ((value % 1_000_000n) + 1_000_000n) % 1_000_000n
  return { seconds: Number((value - microseconds) / 1_000_000n), microseconds: Number(microseconds) }
}

/**
 * Reads `2020-12-31`, `2020-12-31T23:59:59.123456+01:00` (or a blank for the T), `31/12/20 23:59:59`, `31/12/2020`,
 * and an integer as microseconds since 1970. Undefined for anything else and for a date that no calendar has.
 */
export function instantFrom(value: unknown): Instant | undefined {
  if (typeof value === 'string') return fromText(value)
  if (typeof value === 'number') return fromMicroseconds(value)
  return typeof value === 'bigint' ? fromBigMicroseconds(value) : undefined
}

/** Microseconds since 1970, a bigint after the year 2255. */
export function microsecondsOf({ seconds, microseconds }: Instant): Numeric {
  const total = seconds * million + microseconds
  return Number.isSafeInteger(total) ? total : BigInt(seconds) * 1_000_000n + BigInt(microseconds)
}
