/** Dates as microseconds since 1970, and their parts. ClickHouse takes a longer statement longer to read, so these are short. */

const time = '([01]\\\\d|2[0-3]):[0-5]\\\\d(:[0-5]\\\\d(\\\\.\\\\d+)?)?(Z|[+-]([01]\\\\d|2[0-3]):?([0-5]\\\\d)?)?'
/** `2022-09-14`, with a time and a zone perhaps, and `YYYYMMDD[hhmm[ss]]`, whose zone is UTC. */
const form = `^(\\\\d{4}-(0[1-9]|1[0-2])-\\\\d\\\\d([T ]${time})?|\\\\d{4}(0[1-9]|1[0-2])\\\\d\\\\d(([01]\\\\d|2[0-3])[0-5]\\\\d([0-5]\\\\d)?)?)$`

/** Nullable(Float64): the microseconds of a date's text, NULL for a text that is no date, or a date that no calendar has. */
export const microsecondsOf = (text: string): string =>
  [
    `arrayMap(x -> if(match(x, '${form}'), toFloat64(toUnixTimestamp64Micro(`,
    `parseDateTime64BestEffortOrNull(if(length(x) = 12, concat(x, '00'), x), 6, 'UTC'))), NULL), [${text}])[1]`,
  ].join('')

const day_us = 86_400_000_000
/** Every 400 years have as many days, and ClickHouse's calendar has those from 1900 on. */
const cycle = 146_097
const cyclesSince1900 = `floor((d + 25567) / ${cycle})`
const inCycle = `addDays(toDate32('1970-01-01'), toInt32(d - ${cyclesSince1900} * ${cycle}))`

const parts = {
  year: `toYear(${inCycle}) + 400 * ${cyclesSince1900}`,
  month: `toMonth(${inCycle})`,
  day: `toDayOfMonth(${inCycle})`,
} as const

/** Some 270,000 years: a time beyond them from 1970 has no date. */
const maxDays = 100_000_000

/** Year, month (January is 1) or day of the month of Nullable(Float64) microseconds. */
export const datePart = (part: keyof typeof parts, microseconds: string): string =>
  [
    `arrayMap(d -> toFloat64(${parts[part]}),`,
    `arrayMap(d -> if(abs(d) <= ${maxDays}, d, NULL), [floor((${microseconds}) / ${day_us})]))[1]`,
  ].join(' ')
