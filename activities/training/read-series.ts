import { Refusal } from '../../base/refusal.ts'
import { hint } from '../../base/suggest.ts'
import type { FitWatch, Room } from '../../learn/dataset.ts'
import { createBadRows } from '../../learn/encoding/bad-rows.ts'
import { discoverNames } from '../../learn/formats/discover.ts'
import { createNameFinder } from '../../learn/formats/header.ts'
import { readRows } from '../../learn/formats/read-rows.ts'
import { isBroken, placeOf } from '../../learn/formats/row.ts'
import { createHolder } from '../../learn/holdout/holder.ts'
import { usualShare } from '../../learn/holdout/rule.ts'
import type { Layout } from '../../learn/layout.ts'
import { createSeriesCollector, type SeriesValues } from '../../learn/series/collect.ts'
import { holdLatest } from '../../learn/series/hold-latest.ts'
import { type SeriesRule, spanOf } from '../../learn/series/rule.ts'
import { firstRows, joinWindows, seriesLayout, seriesTable } from '../../learn/series/series-table.ts'
import { cutWindows, type Windows } from '../../learn/series/windows.ts'
import type { Holdout, TrainingRequest } from './decode/request.ts'
import { minRows, tooFew } from './fit/hold-out.ts'
import type { Prepared, Split } from './fit/prepared.ts'
import { type NamedSource, named } from './named-source.ts'
import { finishHolder, HoldoutRefusal, TargetRefusal } from './refusals.ts'

const sampleRows = 32

export type SeriesRequest = TrainingRequest & { readonly series: SeriesRule }

/** Reads the rows of series and cuts them into windows, which are the rows to learn from. */
export async function readSeries(
  request: SeriesRequest,
  sources: readonly NamedSource[],
  watch: FitWatch,
  room: Room,
): Promise<Prepared> {
  const { reading, input, holdout } = request
  const { layout, header, rule } = await layoutOfSeries(request, sources)
  const notes = new Set<string>()
  const doubts = new Set<string>()
  const options = {
    purpose: 'training',
    target: true,
    header,
    note: (line: string) => void notes.add(line),
    doubt: (sentence: string) => void doubts.add(sentence),
  } as const
  const bad = createBadRows(reading)
  const learnt = createSeriesCollector(rule, layout.missing)
  const held = createSeriesCollector(rule, layout.missing)
  for (const { name, open, isHeld } of sources) {
    const file = sources.length > 1 ? name : ''
    const { add } = isHeld ? held : learnt
    await named(name, sources.length, async () => {
      for await (const rows of readRows(open(), input, layout, options)) {
        for (const row of rows) {
          const fault = isBroken(row) ? placeOf(row) : add(row)
          if (fault !== undefined) bad.add(fault, file)
        }
        room(learnt.bytes() + held.bytes())
      }
    })
  }
  const left = bad.finish(learnt.good() + held.good())
  const values = learnt.finish()
  const windows = cutWindows(values, rule, room)
  for (const note of notes) watch.log(note)
  tellOf(values, windows, rule, watch)
  const told = [...doubts, ...(left === undefined ? [] : [left]), ...values.notes, ...tiesOf(windows, rule)]
  // The notes of a table are logged with it.
  if (windows.targets.length === 0) for (const note of told) watch.log(note)
  refuseFew(values, windows, rule)
  const cut = splitOf(holdout, { rule, values, windows, held: held.finish() }, watch, room)
  return preparedOf(rule, layout, windows, { ...cut, notes: told })
}

type Cut = { readonly split: Split; readonly windows: Windows }

function preparedOf(
  series: SeriesRule,
  layout: Layout,
  { inputs }: Windows,
  { split, windows, notes }: Cut & { readonly notes: readonly string[] },
): Prepared {
  const own = seriesLayout(series, layout)
  const sample = firstRows(windows, Math.max(1, Math.min(sampleRows, inputs[0]?.length ?? 0)))
  return { kind: 'table', table: seriesTable(windows, own, notes), sample, split, series }
}

type Laid = {
  readonly layout: Layout
  readonly header: 'present' | 'absent' | undefined
  /** With the names as the data spell them. */
  readonly rule: SeriesRule
}

/** The time, the uid and the quantity among the data's attributes, which name them themselves where the request does not. */
async function layoutOfSeries(
  { series, layout, namedByData, input, reading, source }: SeriesRequest,
  sources: readonly NamedSource[],
): Promise<Laid> {
  const [first] = sources
  if (namedByData === undefined || first === undefined) return { layout, header: reading.header, rule: series }
  const found = await discoverNames(first.open(), input, layout.separator)
  const names = source.type === 'STREAM' && series.time === '_pk' ? [...found, '_pk'] : found
  const placeOfName = createNameFinder(names)
  const columnOf = (name: string) => {
    const position = placeOfName(name)
    const own = names[position]
    if (own === undefined) throw new Refusal(`the data have no attribute '${name}'${hint(name, names)}`)
    return { name: own, position }
  }
  const [time, target] = [columnOf(series.time), columnOf(series.quantity)]
  const uid = series.uid === undefined ? undefined : columnOf(series.uid)
  return {
    layout: { ...layout, columns: [time, ...(uid ? [uid] : [])], target },
    header: 'present',
    rule: { ...series, time: time.name, quantity: target.name, ...(uid && { uid: uid.name }) },
  }
}

const count = (some: number, word: string): string => `${some.toLocaleString('en-US')} ${word}${some === 1 ? '' : 's'}`

function tellOf(values: SeriesValues, windows: Windows, rule: SeriesRule, { log }: FitWatch): void {
  const { lag, offset, time, uid } = rule
  if (values.withoutTime > 0) log(`${count(values.withoutTime, 'row')} without a value of '${time}' left out`)
  if (values.withoutUid > 0) log(`${count(values.withoutUid, 'row')} without a value of '${uid}' left out`)
  const of = uid === undefined ? 'one series' : `${values.names.length.toLocaleString('en-US')} series by '${uid}'`
  log(
    `${count(values.values.length, 'value')} of ${of}, ordered by '${time}', give ${count(windows.targets.length, 'window')} of ${spanOf(rule)} values (lag ${lag}, offset ${offset})`,
  )
  if (windows.broken > 0) log(`${count(windows.broken, 'window')} with a missing value left out`)
}

const tiesOf = ({ ties }: Windows, { time }: SeriesRule): readonly string[] =>
  ties === 0 ? [] : [`${count(ties, 'row')} with the '${time}' of the row before: they stay in the order of the data`]

function refuseFew({ values, withoutTime, withoutUid }: SeriesValues, windows: Windows, rule: SeriesRule): void {
  if (windows.targets.length > 0) return
  const { time, uid } = rule
  if (values.length === 0) {
    if (withoutTime + withoutUid === 0) throw new Refusal('the training data hold no row')
    throw new TargetRefusal(`no row has a value of '${time}'${uid === undefined ? '' : ` and one of '${uid}'`}`)
  }
  const need = `series need ${spanOf(rule)} values`
  if (windows.longest < spanOf(rule)) throw new TargetRefusal(`${need}; the longest has ${windows.longest}`)
  throw new TargetRefusal(
    `${need} of which none is missing; the longest has ${windows.longest}, and ${windows.longestRun} in a row at most`,
  )
}

type Read = {
  readonly rule: SeriesRule
  readonly values: SeriesValues
  readonly windows: Windows
  readonly held: SeriesValues
}

/** The windows to measure on: the latest ones, whole series, or those of a file of their own, which is joined to the others. */
function splitOf(
  holdout: Holdout | undefined,
  { rule: series, values, windows, held }: Read,
  { log }: FitWatch,
  room: Room,
): Cut {
  const rows = windows.targets.length
  const rule = holdout?.rule ?? { by: 'chance', share: usualShare }
  if (rule.by === 'file') {
    const taken = 28 * values.values.length + 8 * (series.lag + 3) * rows
    const own = cutWindows(held, series, (bytes) => room(taken + bytes))
    if (own.targets.length === 0) {
      throw new HoldoutRefusal(
        `the file held out has no window: series need ${spanOf(series)} values; the longest has ${own.longest}`,
      )
    }
    log(`${count(own.targets.length, 'window')} of the file held out are measured, and never learnt from`)
    return { windows: joinWindows(windows, own), split: { held: placesFrom(rows, own.targets.length), isFile: true } }
  }
  if (rule.by === 'group') {
    const holder = createHolder(rule)
    for (const code of windows.series) holder.add(values.names[code])
    const chosen = finishHolder(holder, { kind: 'none' })
    for (const note of chosen.notes) log(note)
    return { windows, split: { held: chosen.rows, isFile: false } }
  }
  if (rows < minRows) {
    log(`${tooFew(rows)}: the model is not measured`)
    return { windows, split: { held: new Int32Array(), isFile: false } }
  }
  const first = holdLatest(windows.times, rule.share)
  const isParted = (windows.times[first - 1] ?? Number.NEGATIVE_INFINITY) < (windows.times[first] ?? 0)
  log(
    `${count(rows - first, 'window')} of ${rows.toLocaleString('en-US')}, the latest by '${series.time}', are held out to measure the model; ${isParted ? 'a window that is learnt from ends before all of these' : 'all have one time, so that the order of the data decides'}`,
  )
  return { windows, split: { held: placesFrom(first, rows - first), isFile: false } }
}

const placesFrom = (first: number, length: number): Int32Array => Int32Array.from({ length }, (_, i) => first + i)
