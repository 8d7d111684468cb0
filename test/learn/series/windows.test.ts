/** Windows of series against a slow walk that shares no code with what cuts them. */
import test from 'ava'
import fc from 'fast-check'
import { createSeriesCollector } from '../../../learn/series/collect.ts'
import { holdLatest } from '../../../learn/series/hold-latest.ts'
import type { SeriesRule } from '../../../learn/series/rule.ts'
import { cutWindows, type Windows } from '../../../learn/series/windows.ts'

type Given = { readonly time: number | undefined; readonly uid: string | undefined; readonly value: number | undefined }

function windowsOf(rows: readonly Given[], rule: SeriesRule): Windows {
  const collector = createSeriesCollector(rule)
  for (const [i, { time, uid, value }] of rows.entries())
    collector.add({ line: i + 1, cells: rule.uid === undefined ? [time] : [time, uid], target: value })
  return cutWindows(collector.finish(), rule)
}

type Shown = { readonly inputs: readonly number[]; readonly target: number; readonly time: number }

const shown = ({ inputs, targets, times }: Windows): Shown[] =>
  Array.from(targets, (target, row) => ({
    inputs: inputs.map((values) => values[row] ?? Number.NaN),
    target,
    time: times[row] ?? Number.NaN,
  }))

/** Every row with a time and a uid is looked at, and the whole list before it. */
function slow(rows: readonly Given[], { lag, offset, uid }: SeriesRule): Shown[] {
  const known = rows.filter((row) => row.time !== undefined && (uid === undefined || row.uid !== undefined))
  const found: (Shown & { readonly at: number })[] = []
  for (const row of known) {
    const own = known.filter((each) => uid === undefined || each.uid === row.uid)
    const sorted = [...own].sort((a, b) => (a.time ?? 0) - (b.time ?? 0) || rows.indexOf(a) - rows.indexOf(b))
    const end = sorted.indexOf(row)
    const window = sorted.slice(Math.max(0, end - lag - offset), end + 1)
    const values = window.map(({ value }) => value)
    if (values.length < lag + offset + 1 || values.includes(undefined)) continue
    const inputs = values.slice(0, lag).map(Number)
    found.push({ inputs, target: Number(row.value), time: Number(row.time), at: rows.indexOf(row) })
  }
  return found.sort((a, b) => a.time - b.time || a.at - b.at).map(({ at: _, ...each }) => each)
}

test('windows are those of a slow walk: by uid and time, rows of one time as they came, none with a missing value', (t) => {
  const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 8 })
  const row = fc.record({
    time: maybe(fc.integer({ min: 0, max: 12 })),
    uid: maybe(fc.constantFrom('a', 'b', 'c')),
    value: maybe(fc.integer({ min: -9, max: 9 })),
  })
  const rule = fc.record({
    lag: fc.integer({ min: 2, max: 4 }),
    offset: fc.integer({ min: 0, max: 2 }),
    has: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), rule, (rows, { lag, offset, has }) => {
      const asked = { lag, offset, quantity: 'v', time: 't', ...(has && { uid: 'u' }) }
      t.deepEqual(shown(windowsOf(rows, asked)), slow(rows, asked))
    }),
    { numRuns: 300 },
  )
})

const rule = { lag: 2, offset: 1, quantity: 'v', time: 't', uid: 'u' }
const series = (uid: string, values: readonly (number | undefined)[], from = 0) =>
  values.map((value, i) => ({ time: from + i, uid, value }))

test('a window has the oldest value first, and the target comes offset + 1 behind the latest', (t) => {
  t.deepEqual(shown(windowsOf(series('a', [10, 11, 12, 13, 14]), rule)), [
    { inputs: [10, 11], target: 13, time: 3 },
    { inputs: [11, 12], target: 14, time: 4 },
  ])
})

test('windows with a missing value are counted, and the longest series with its longest run is known', (t) => {
  const rows = [...series('a', [1, 2, undefined, 4, 5, 6, 7, 8]), ...series('b', [1, 2, 3])]
  const { broken, longest, longestRun, targets } = windowsOf(rows, rule)
  t.deepEqual(
    { broken, longest, longestRun, windows: targets.length },
    { broken: 3, longest: 8, longestRun: 5, windows: 2 },
  )
})

test('a time that is none, and a value that is none, are named with their line; such a value is a missing one', (t) => {
  const collector = createSeriesCollector(rule)
  t.is(collector.add({ line: 1, cells: ['2024-01-01', 'a'], target: '1.5' }), undefined)
  t.is(
    collector.add({ line: 2, cells: ['soon', 'a'], target: '1' }),
    "line 2, attribute 't': 'soon' is no number and no time of ISO 8601",
  )
  t.is(collector.add({ line: 3, cells: ['2024-01-02', 'a'], target: 'x' }), "line 3, attribute 'v': 'x' is no number")
  t.is(collector.good(), 1)
  const { times, values } = collector.finish()
  t.deepEqual([...times], [Date.UTC(2024, 0, 1) * 1000, Date.UTC(2024, 0, 2) * 1000])
  t.deepEqual([...values], [1.5, Number.NaN])
})

for (const { times, share, first, says } of [
  { times: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], share: 0.2, first: 8, says: 'the latest share' },
  { times: [1, 1, 1, 2, 2, 2, 3, 3, 3, 3], share: 0.2, first: 6, says: 'all of the time at the border' },
  { times: [1, 1, 1, 1, 1, 1, 1, 1, 2, 2], share: 0.5, first: 8, says: 'no more than what comes after the first time' },
  { times: [1, 1, 1, 1, 1], share: 0.4, first: 3, says: 'the last of the data where all have one time' },
])
  test(`held out are ${says}`, (t) => t.is(holdLatest(Float64Array.from(times), share), first))
