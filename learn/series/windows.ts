import type { Room } from '../dataset.ts'
import type { SeriesValues } from './collect.ts'
import { type SeriesRule, spanOf } from './rule.ts'

/** Windows in the order of the times of their targets. */
export type Windows = {
  /** By input, the oldest value first. */
  readonly inputs: readonly Float64Array<ArrayBuffer>[]
  readonly targets: Float64Array
  /** The times of the targets, ascending. */
  readonly times: Float64Array
  /** Places in the names of the series. */
  readonly series: Int32Array
  /** Windows that are none since they hold a missing value. */
  readonly broken: number
  /** The values of the longest series, and of its longest run of values none of which is missing. */
  readonly longest: number
  readonly longestRun: number
  /** Rows with the time of another one of their series: they stay in the order of the data. */
  readonly ties: number
}

/** A window of each target that has the values before it; tells the room what all take together before they are cut. */
export function cutWindows(found: SeriesValues, rule: SeriesRule, room: Room = () => {}): Windows {
  const { times, values } = found
  const order = orderOf(found)
  const { targets: places, ...counts } = targetsOf(found, order, spanOf(rule))
  room(28 * values.length + 8 * (rule.lag + 3) * places.length)
  const timeAt = (place: number): number => times[order[place] ?? 0] ?? 0
  if (found.names.length > 1) {
    places.sort((a, b) => timeAt(a) - timeAt(b) || (order[a] ?? 0) - (order[b] ?? 0))
  }
  const valueAt = (place: number): number => values[order[place] ?? 0] ?? Number.NaN
  return {
    inputs: Array.from({ length: rule.lag }, (_, i) => {
      const back = rule.offset + rule.lag - i
      return Float64Array.from(places, (place) => valueAt(place - back))
    }),
    targets: Float64Array.from(places, valueAt),
    times: Float64Array.from(places, timeAt),
    series: places.map((place) => found.codes[order[place] ?? 0] ?? 0),
    ...counts,
  }
}

/** The rows series by series, each by its times; rows of one time as the data have them. */
function orderOf({ times, codes, names }: SeriesValues): Int32Array {
  const starts = new Int32Array(names.length + 1)
  for (const code of codes) starts[code + 1] = (starts[code + 1] ?? 0) + 1
  for (let code = 0; code < names.length; code += 1) starts[code + 1] = (starts[code + 1] ?? 0) + (starts[code] ?? 0)
  const next = starts.slice()
  const order = new Int32Array(codes.length)
  for (const [row, code] of codes.entries()) {
    const at = next[code] ?? 0
    order[at] = row
    next[code] = at + 1
  }
  const timeOf = (row: number): number => times[row] ?? 0
  for (let code = 0; code < names.length; code += 1) {
    const rows = order.subarray(starts[code], starts[code + 1])
    const isOrdered = rows.every((row, i) => i === 0 || timeOf(rows[i - 1] ?? 0) <= timeOf(row))
    if (!isOrdered) rows.sort((a, b) => timeOf(a) - timeOf(b) || a - b)
  }
  return order
}

/** The places in `order` of the values that end a whole window. */
function targetsOf({ times, values, codes }: SeriesValues, order: Int32Array, span: number) {
  const found = new Int32Array(order.length)
  let [count, broken, longest, longestRun, ties] = [0, 0, 0, 0, 0]
  let [length, run] = [0, 0]
  for (const [place, row] of order.entries()) {
    const before = order[place - 1]
    const isSame = before !== undefined && codes[before] === codes[row]
    if (isSame && times[before] === times[row]) ties += 1
    length = isSame ? length + 1 : 1
    run = Number.isNaN(values[row]) ? 0 : isSame ? run + 1 : 1
    longest = Math.max(longest, length)
    longestRun = Math.max(longestRun, run)
    if (run >= span) found[count++] = place
    else if (length >= span) broken += 1
  }
  return { targets: found.slice(0, count), broken, longest, longestRun, ties }
}
