import { type CivilDate, daysFromCivil, exists } from './calendar.ts'

/** A moment in UTC: whole seconds since 1970, negative before, and 0 to 999,999 microseconds more. */
export type Instant = { readonly seconds: number; readonly microseconds: number }

const million = 1_000_000

const zero = '0'.charCodeAt(0)

/** The number in a text that is all digits, at a fifth of the cost of `Number`. No digits are 0. */
const digits = (text = ''): number => {
  let value = 0
  for (let index = 0; index < text.length; index += 1) value = value * 10 + text.charCodeAt(index) - zero
  return value
}

/** Two digits of a year are 1970 to 2069. */
const fullYear = (text = ''): number => {
  const year = digits(text)
  if (text.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

type Groups = readonly (string | undefined)[]

const clock = String.raw`(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):?(\d\d)?)?)?`

type Format = { readonly pattern: RegExp; readonly date: (groups: Groups) => CivilDate }

/** An instant without a zone is UTC. A date alone is its midnight, a time may go without its seconds. */
const iso8601: Format = {
  pattern: new RegExp(String.raw`^(\d{4})-(\d\d)-(\d\d)${clock}$`, 'i'),
  date: (groups) => ({ year: digits(groups[1]), month: digits(groups[2]), day: digits(groups[3]) }),
}

const formats: readonly Format[] = [
  iso8601,
  {
    pattern: new RegExp(String.raw`^(\d\d?)/(\d\d?)/(\d{4}|\d\d)${clock}$`, 'i'),
    date: (groups) => ({ year: fullYear(groups[3]), month: digits(groups[2]), day: digits(groups[1]) }),
  },
]

/** Undefined for an hour 24 or a second 60. */
const secondsOfDay = (hour: number, minute: number, second: number): number | undefined =>
  hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : undefined

const instantOf = (date: CivilDate, groups: Groups): Instant | undefined => {
  const time = secondsOfDay(digits(groups[4]), digits(groups[5]), digits(groups[6]))
  const zone = secondsOfDay(digits(groups[9]), digits(groups[10]), 0)
  if (time === undefined || zone === undefined || !exists(date)) return undefined
  const local = daysFromCivil(date) * 86_400 + time
  const fraction = groups[7]
  return {
    seconds: groups[8] === '-' ? local + zone : local - zone,
    microseconds: fraction === undefined ? 0 : digits(fraction.slice(0, 6).padEnd(6, '0')),
  }
}

const parse = (text: string): Instant | undefined => {
  const trimmed = text.trim()
  for (const { pattern, date } of formats) {
    const groups = pattern.exec(trimmed)
    if (groups !== null) return instantOf(date(groups), groups)
  }
  return undefined
}

const longestDate = 64

/** Remembers the last one: the year, the month and the day of one text are asked for in a row. */
const remembering = (parse: (text: string) => Instant | undefined) => {
  let last: { readonly text: string; readonly instant: Instant | undefined } = { text: '', instant: undefined }
  return (text: string): Instant | undefined => {
    if (text.length > longestDate) return undefined
    if (text !== last.text) last = { text, instant: parse(text) }
    return last.instant
  }
}

const fromText = remembering(parse)

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
export function microsecondsOf({ seconds, microseconds }: Instant): number | bigint {
  const total = seconds * million + microseconds
  return Number.isSafeInteger(total) ? total : BigInt(seconds) * 1_000_000n + BigInt(microseconds)
}

/** Microseconds since 1970 of an ISO 8601 text, or of its first six digits of a fraction; undefined for another text. */
export function isoMicroseconds(text: string): number | bigint | undefined {
  const groups = text.length > longestDate ? null : iso8601.pattern.exec(text.trim())
  const instant = groups === null ? undefined : instantOf(iso8601.date(groups), groups)
  return instant === undefined ? undefined : microsecondsOf(instant)
}

/** The inverse, to the second where there is no fraction; undefined for a time that no `Date` holds. */
export function isoText(us: bigint): string | undefined {
  const fraction = ((us % 1_000_000n) + 1_000_000n) % 1_000_000n
  const date = new Date(Number((us - fraction) / 1_000n))
  if (Number.isNaN(date.getTime())) return undefined
  return `${date.toISOString().slice(0, -5)}${fraction === 0n ? '' : `.${String(fraction).padStart(6, '0')}`}Z`
}

/** The date of a day, counted from 1970; undefined for one that no `Date` holds. */
export function isoDate(day: bigint): string | undefined {
  const text = isoText(day * 86_400_000_000n)
  return text?.slice(0, text.indexOf('T'))
}
