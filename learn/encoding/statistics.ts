import type { Classes, Target } from '../dataset.ts'

/**
 * By place of a word what the target shows of its rows: the mean of numbers, or of classes the share of each. Each is drawn
 * to that of all rows, the more so the fewer rows there are.
 */
export type Statistics = {
  /** How many there are of a place: one for numbers and for two classes, else one a class. */
  readonly width: number
  /** `[places, width]` row-major. */
  readonly values: Float64Array
  /** The mean or the shares of all rows, which stand for a word that training did not see. */
  readonly others: Float64Array
  /** As many rows as others count beside those of a place. */
  readonly weights: Float64Array
}

/** Where there are more classes, the most frequent ones have a statistic. */
export const maxStatistics = 32

/** Rows, and the place of each one's word; -1 where it has none. */
export type PlacedRows = {
  readonly target: Target
  readonly rows: Int32Array
  readonly places: Int32Array
  /** How many places there are. */
  readonly count: number
}

export function fitStatistics(placed: PlacedRows): Statistics {
  const { rows, count } = placed
  const reading = readingOf(placed)
  const { width } = reading
  const { sums, counts } = sumsOf(placed, reading, () => true)
  const others = new Float64Array(width)
  for (const row of rows) reading.add(row, others, 0)
  for (const [statistic, sum] of others.entries()) others[statistic] = sum / Math.max(rows.length, 1)
  const weights = others.map((mean, statistic) => {
    const means = Float64Array.from(counts, (own, place) => (sums[place * width + statistic] ?? 0) / Math.max(own, 1))
    return weightOf(counts, means, mean, reading.spread(statistic, mean))
  })
  const statistics = { width, values: new Float64Array(count * width), others, weights }
  for (let place = 0; place < count; place += 1) {
    write(statistics, sums, place, counts[place] ?? 0, statistics.values, place * width)
  }
  return statistics
}

/** Rows are cut into so many parts. */
const parts = 5

/**
 * For the rows that are learnt from: each one's statistics are of the other parts' rows, since its own target is to be learnt
 * and not to be read. `take` is called once a row.
 */
export function statisticsOfOthers(
  placed: PlacedRows,
  statistics: Statistics,
  take: (at: number, values: Float64Array) => void,
): void {
  const reading = readingOf(placed)
  const values = new Float64Array(statistics.width)
  for (let part = 0; part < parts; part += 1) {
    const { sums, counts } = sumsOf(placed, reading, (at) => partOf(at) !== part)
    for (const [at, place] of placed.places.entries()) {
      if (partOf(at) !== part) continue
      if (place < 0) values.set(statistics.others)
      else write(statistics, sums, place, counts[place] ?? 0, values, 0)
      take(at, values)
    }
  }
}

/** Neighbours in the data, which may be alike, are of different parts; the same at each call. */
const partOf = (at: number): number => (Math.imul(at, 0x9e3779b1) >>> 16) % parts

/** How a row counts in the sums of a place. */
type Reading = {
  readonly width: number
  readonly add: (row: number, sums: Float64Array, from: number) => void
  /** The sum of squared distances of all rows from their mean. */
  readonly spread: (statistic: number, mean: number) => number
}

function readingOf({ target, rows }: PlacedRows): Reading {
  if (target.kind === 'none') throw new RangeError('without a target there are no statistics of it')
  if (target.kind === 'classes') return readingOfClasses(target, rows)
  const { values } = target
  return {
    width: 1,
    add: (row, sums, from) => {
      sums[from] = (sums[from] ?? 0) + (values[row] ?? 0)
    },
    spread: (_, mean) => rows.reduce((sum, row) => sum + ((values[row] ?? 0) - mean) ** 2, 0),
  }
}

function readingOfClasses({ classes, labels }: Classes, rows: Int32Array): Reading {
  const shown = shownClasses(classes, labels.length, rows)
  const statisticOf = new Int32Array(labels.length).fill(-1)
  for (const [statistic, label] of shown.entries()) statisticOf[label] = statistic
  return {
    width: shown.length,
    add: (row, sums, from) => {
      const statistic = statisticOf[classes[row] ?? 0] ?? -1
      if (statistic >= 0) sums[from + statistic] = (sums[from + statistic] ?? 0) + 1
    },
    spread: (_, mean) => rows.length * mean * (1 - mean),
  }
}

/** The classes that have a statistic: of two the first, as the share of the other is the rest. */
function shownClasses(classes: Int32Array, labels: number, rows: Int32Array): readonly number[] {
  if (labels <= 2) return [0]
  const counts = new Float64Array(labels)
  for (const row of rows) {
    const own = classes[row] ?? 0
    counts[own] = (counts[own] ?? 0) + 1
  }
  const order = [...counts.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b)
  return order.slice(0, maxStatistics).sort((a, b) => a - b)
}

/** How many statistics a place has, before they are known. */
export const statisticsFor = (target: Target): number =>
  target.kind === 'classes' && target.labels.length > 2 ? Math.min(target.labels.length, maxStatistics) : 1

function sumsOf({ rows, places, count }: PlacedRows, { width, add }: Reading, counts: (at: number) => boolean) {
  const sums = new Float64Array(count * width)
  const rowsOf = new Float64Array(count)
  for (const [at, row] of rows.entries()) {
    const place = places[at] ?? -1
    if (place < 0 || !counts(at)) continue
    rowsOf[place] = (rowsOf[place] ?? 0) + 1
    add(row, sums, place * width)
  }
  return { sums, counts: rowsOf }
}

function write(
  { width, others, weights }: Statistics,
  sums: Float64Array,
  place: number,
  count: number,
  into: Float64Array,
  from: number,
): void {
  for (let statistic = 0; statistic < width; statistic += 1) {
    const [sum, weight] = [sums[place * width + statistic] ?? 0, weights[statistic] ?? 0]
    const mean = others[statistic] ?? 0
    into[from + statistic] = count + weight === 0 ? mean : (sum + weight * mean) / (count + weight)
  }
}

/**
 * The variance among the rows of one word by that among words, as the analysis of variance estimates both. Means that are
 * drawn by it are right on average (empirical Bayes), so that one of few rows says as much as one of many.
 */
function weightOf(counts: Float64Array, means: Float64Array, mean: number, spread: number): number {
  let [rows, groups, squares, between] = [0, 0, 0, 0]
  for (const [place, count] of counts.entries()) {
    if (count === 0) continue
    rows += count
    groups += 1
    squares += count * count
    between += count * ((means[place] ?? 0) - mean) ** 2
  }
  if (groups < 2 || rows <= groups) return rows
  const within = Math.max(spread - between, 0) / (rows - groups)
  const among = (between / (groups - 1) - within) / ((rows - squares / rows) / (groups - 1))
  return among <= 0 ? rows : Math.min(within / among, rows)
}
