/** Dates as text, in UTC. */
import type { Params } from '../../../query/compile/condition.ts'
import type { DateFormat } from '../../ast.ts'

/** Letters of strftime that ClickHouse has under another one, or not at all. */
const letters: Readonly<Record<string, string>> = {
  '%M': '%i',
  '%A': '%W',
  '%B': '%M',
  '%P': '%p',
  '%X': '%T',
  '%Z': 'UTC',
}

/** Of 1900 to 2299, the years of ClickHouse's calendar. */
const [first_us, end_us] = [-2_208_988_800e6, 10_413_792_000e6]

/** JSON text of Nullable(Float64) microseconds, '' where they are missing or no date of these years. */
export function formattedDate(microseconds: string, { text }: DateFormat, params: Params): string {
  const format = params.add(
    text.replace(/%./gsu, (letter) => letters[letter] ?? letter),
    'String',
  )
  const isDate = `ifNull(m >= ${first_us} AND m < ${end_us}, 0)`
  const time = `fromUnixTimestamp64Micro(toInt64(assumeNotNull(if(${isDate}, m, 0.))), 'UTC')`
  return `arrayMap(m -> if(${isDate}, toJSONString(formatDateTime(${time}, ${format})), ''), [${microseconds}])[1]`
}

/** Seconds, milliseconds or microseconds since 1970, told by their size: up to the year 5138 they cannot be confused. */
export const microsecondsOfTimestamp = (amount: string): string =>
  `arrayMap(v -> v * multiIf(abs(v) < 1e11, 1e6, abs(v) < 1e14, 1e3, 1), [${amount}])[1]`
