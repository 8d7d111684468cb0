/** When a statistic has values at all: asked by its own statement, first in long intervals, then in shorter ones within these. */
import { askAllRows } from './ask-rows.ts'
import { type Measured, type Span, statisticQuery, timesOf } from './statistic-query.ts'

/** Times beyond the year 9999 are none that a calendar of the browser could show. */
const end_us = Date.UTC(9999, 11, 31) * 1000
const longest_s = 20 * 365 * 86_400
const maxRows = 60_000
/** An answer of so many rows comes quickly. */
const usualRows = 20_000

type Found = {
  readonly first_us: number
  readonly last_us: number
  readonly numGroups: number
  readonly isWhole: boolean
}
type Ask = (span: Span, rollup: number) => Promise<Found | undefined>

/** The span from the first interval with values to the end of the last one before `until_us`; undefined where there is none. */
export async function extentOf(
  place: string,
  measured: Measured,
  signal: AbortSignal,
  { until_us = end_us, before }: { readonly until_us?: number; readonly before?: Span | undefined } = {},
): Promise<Span | undefined> {
  const ask: Ask = async (span, rollup) => {
    const { rows, isWhole } = await askAllRows(statisticQuery(place, measured, span, rollup), maxRows, signal)
    const times = timesOf(rows)
    if (times.length === 0) return undefined
    const numGroups = new Set(rows.map(({ k, ts }) => (ts === undefined ? '' : k))).size
    return { first_us: min(times), last_us: greatest(times), numGroups, isWhole }
  }
  const whole = { from_us: 0, to_us: until_us }
  if (before && !(await hasOthers(ask, measured, whole, before))) return before
  return narrowed(ask, measured.gran_s, whole)
}

const coarse = (gran_s: number): number => Math.max(1, Math.floor(longest_s / gran_s))

/** Whether values have come outside of the span that was found before. */
async function hasOthers(ask: Ask, { gran_s }: Measured, whole: Span, before: Span): Promise<boolean> {
  const sides = [
    { from_us: whole.from_us, to_us: before.from_us },
    { from_us: before.to_us, to_us: whole.to_us },
  ].filter(({ from_us, to_us }) => to_us > from_us)
  for (const side of sides) if ((await ask(side, coarse(gran_s))) !== undefined) return true
  return false
}

async function narrowed(ask: Ask, gran_s: number, whole: Span): Promise<Span | undefined> {
  let rollup = coarse(gran_s)
  let found = await ask(whole, rollup)
  if (!found) return undefined
  for (;;) {
    const length_us = rollup * gran_s * 1e6
    const span: Span = { from_us: Math.max(0, found.first_us), to_us: found.last_us + length_us }
    if (rollup === 1 || !found.isWhole) return span
    // As many rows as are quickly answered, of all groups, and 400 intervals at most.
    const parts = Math.max(4, Math.min(400, Math.floor(usualRows / found.numGroups)))
    rollup = Math.max(1, Math.ceil(rollup / parts))
    const first = await ask({ from_us: span.from_us, to_us: Math.min(whole.to_us, span.from_us + length_us) }, rollup)
    const last =
      span.to_us - length_us <= span.from_us
        ? first
        : await ask({ from_us: span.to_us - length_us, to_us: Math.min(whole.to_us, span.to_us) }, rollup)
    // An erasure has taken the values since.
    if (!first || !last) return span
    found = {
      first_us: Math.max(first.first_us, span.from_us),
      last_us: last.last_us,
      numGroups: Math.max(first.numGroups, last.numGroups),
      isWhole: first.isWhole && last.isWhole,
    }
  }
}

const min = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
const greatest = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
