import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { Chart } from '../../parts/chart.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatCount } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { numberText } from '../../parts/number-text.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { durationText, timeText } from '../../parts/time-text.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import type { StreamPlace } from './addresses.ts'
import { askAllRows } from './ask-rows.ts'
import { GroupBars } from './group-bars.tsx'
import {
  barsOf,
  extentOf,
  extentQuery,
  type Figure,
  figureTexts,
  type Lines,
  lineOf,
  linesOf,
  type Measured,
  measuredIn,
  nameOf,
  rollupFor,
  rollupsFor,
  rstatFigures,
  type Span,
  statisticQuery,
  titleOf,
} from './statistic-query.ts'
import type { WireStream } from './wire-schema.ts'

const spans = [
  ['', 'All that there is'],
  ['900', 'Last 15 minutes'],
  ['3600', 'Last hour'],
  ['21600', 'Last 6 hours'],
  ['86400', 'Last 24 hours'],
  ['604800', 'Last 7 days'],
  ['2592000', 'Last 30 days'],
] as const

/** So many groups have a line each; the others are told. */
const maxLines = 8
/** Beyond so many rows the chart is of the latest ones. */
const maxRows = 60_000

/** The running statistics of a stream over time. */
export function Statistics({ schema, stream, wire }: StreamPlace & { readonly wire: WireStream }) {
  const all = useMemo(() => measuredIn({ ...wire.wire, name: stream }), [wire, stream])
  const [chosen, setChosen] = useInAddress('of')
  const measured = all.find((each) => nameOf(each) === chosen) ?? all[0]
  if (!measured) {
    return (
      <Empty title="This stream counts nothing yet" icon="models">
        <p>An attribute with "stat", or a group-by, is counted by interval: add one to the schema.</p>
      </Empty>
    )
  }
  return (
    <Measure
      key={nameOf(measured)}
      schema={schema}
      stream={stream}
      measured={measured}
      choice={
        <SelectField
          label="Statistic"
          value={nameOf(measured)}
          options={all.map((each) => [nameOf(each), titleOf(each)] as const)}
          onInput={(value) => setChosen(value, 'push')}
        />
      }
    />
  )
}

type MeasureProps = StreamPlace & { readonly measured: Measured; readonly choice: ComponentChildren }

function Measure({ schema, stream, measured, choice }: MeasureProps) {
  const place = `${schema}.${stream}`
  const change = useChangeAddress()
  const [from] = useInAddress('from')
  const [to] = useInAddress('to')
  const [last] = useInAddress('last')
  const [rollupText, setRollup] = useInAddress('rollup')
  const [figureText, setFigure] = useInAddress('figure', 'avg')
  const [form, setForm] = useInAddress('as', 'lines')
  const figure = measured.statistic === 'RSTAT' ? (rstatFigures.find((each) => each === figureText) ?? 'avg') : 'cnt'
  const isGrouped = measured.groups.length > 0

  const span = useSpan(place, measured, { from, to, last })
  const rollup = span.value && (Number(rollupText) > 0 ? Number(rollupText) : rollupFor(span.value, measured.gran_s))
  const asked = span.value && rollup !== undefined ? { span: span.value, rollup } : undefined

  const answer = useAnswer(
    async (signal) => {
      if (!asked) return undefined
      const isBars = isGrouped && form === 'bars'
      const sql = statisticQuery(place, measured, asked.span, asked.rollup)
      const whole = sql.replace(/rollup \d+$/, 'rollup 1')
      const { rows, isWhole } = await askAllRows(isBars ? whole : sql, maxRows, signal)
      return { rows, isWhole, isBars }
    },
    [place, nameOf(measured), asked, form],
    { every_ms: from === '' ? 10_000 : 60_000 },
  )

  const lines = useMemo((): Lines | undefined => {
    if (!answer.value || answer.value.isBars) return undefined
    const { rows } = answer.value
    return isGrouped ? linesOf(rows, figure, maxLines) : lineOf(rows, lineName(measured, figure), figure)
  }, [answer.value, figure, isGrouped])
  const bars = useMemo(
    () => (answer.value?.isBars ? barsOf(answer.value.rows, figure) : undefined),
    [answer.value, figure],
  )

  const zoom = (span: Span | undefined) =>
    change(
      {
        from: span && String(Math.floor(span.from_us)),
        to: span && String(Math.ceil(span.to_us)),
        last: undefined,
        rollup: undefined,
      },
      'push',
    )
  const moved = (by: number, factor: number) => {
    if (!span.value) return
    const { from_us, to_us } = span.value
    const [middle, length] = [(from_us + to_us) / 2, to_us - from_us]
    zoom({ from_us: middle + by * length - (length * factor) / 2, to_us: middle + by * length + (length * factor) / 2 })
  }

  const step_s = (rollup ?? 1) * measured.gran_s
  return (
    <div class="stack statistics">
      <div class="statistics-choice">
        {choice}
        {measured.statistic === 'RSTAT' && (
          <SelectField
            label="Figure"
            value={figure}
            options={rstatFigures.map((each) => [each, figureTexts[each]] as const)}
            onInput={(value) => setFigure(value)}
          />
        )}
        <SelectField
          label="Time"
          value={from === '' ? last : 'zoomed'}
          options={[...spans, ...(from === '' ? [] : [['zoomed', 'As zoomed'] as const])]}
          onInput={(value) => {
            if (value !== 'zoomed') change({ from: undefined, to: undefined, rollup: undefined, last: value }, 'push')
          }}
        />
        {span.value && !(isGrouped && form === 'bars') && (
          <SelectField
            label="Interval"
            value={rollupText}
            options={[
              ['', `Automatic (${durationText(rollupFor(span.value, measured.gran_s) * measured.gran_s)})`],
              ...rollupsFor(span.value, measured.gran_s).map(
                (each) => [String(each), durationText(each * measured.gran_s)] as const,
              ),
            ]}
            onInput={(value) => setRollup(value)}
          />
        )}
        {isGrouped && (
          <SelectField
            label="Groups as"
            value={form}
            options={[
              ['lines', 'Lines over time'],
              ['stacks', 'Bars over time'],
              ['bars', 'Bars of the whole'],
            ]}
            onInput={(value) => setForm(value)}
          />
        )}
        {!isGrouped && (
          <SelectField
            label="As"
            value={form === 'bars' ? 'bars' : 'lines'}
            options={[
              ['lines', 'Line'],
              ['bars', 'Bars'],
            ]}
            onInput={(value) => setForm(value)}
          />
        )}
      </div>
      <RefusalBox refusal={span.refusal ?? answer.refusal} />
      {span.isEmpty && (
        <Empty title="Nothing is counted yet" icon="models">
          <p>The first events that have {measured.attribute} appear here within seconds.</p>
        </Empty>
      )}
      {!span.isEmpty && !span.refusal && !answer.refusal && (
        <section class="card inside" aria-label={titleOf(measured)} aria-busy={answer.isAsking}>
          {!lines && !bars && <Skeleton lines={7} />}
          {lines && (
            <Chart
              label={`${titleOf(measured)} in ${place}`}
              x={lines.x}
              series={lines.series}
              kind={form === 'lines' ? 'line' : isAdded(figure) ? 'stacked' : 'bars'}
              step_s={step_s}
              height={320}
              onZoom={(from_us, to_us) => zoom({ from_us, to_us })}
            />
          )}
          {bars && <GroupBars label={`${titleOf(measured)} in ${place}`} bars={bars} />}
          {(lines?.numLeft ?? 0) > 0 && (
            <p class="small soft">
              The {maxLines} greatest groups are drawn; {formatCount(lines?.numLeft ?? 0)} more are left out.
            </p>
          )}
          {answer.value && !answer.value.isWhole && (
            <p class="small soft">Only the latest {formatCount(maxRows)} rows are drawn: choose longer intervals.</p>
          )}
          {span.value && (
            <div class="row spread wrap statistics-foot">
              <span class="small soft number">
                {timeText(span.value.from_us, 1)} to {timeText(span.value.to_us, 1)} UTC
                {lines && figure === 'cnt' && ` · ${numberText(totalOf(lines))} in all`}
              </span>
              <fieldset class="row" aria-label="Zoom">
                <ZoomButton icon="left" title="Earlier" onClick={() => moved(-0.5, 1)} />
                <ZoomButton icon="right" title="Later" onClick={() => moved(0.5, 1)} />
                <ZoomButton icon="plus" title="Nearer" onClick={() => moved(0, 0.5)} />
                <ZoomButton icon="search" title="Farther" text="−" onClick={() => moved(0, 2)} />
                {from !== '' && (
                  <button type="button" class="button small" onClick={() => zoom(undefined)}>
                    Show all
                  </button>
                )}
              </fieldset>
            </div>
          )}
        </section>
      )}
      <p class="small faint">Drag over the chart to zoom into it. Intervals are in UTC.</p>
    </div>
  )
}

type ZoomButtonProps = {
  readonly icon: 'left' | 'right' | 'plus' | 'search'
  readonly title: string
  readonly text?: string
  readonly onClick: () => void
}

const ZoomButton = ({ icon, title, text, onClick }: ZoomButtonProps) => (
  <button type="button" class="button small" title={title} aria-label={title} onClick={onClick}>
    {text === undefined ? <Icon name={icon} /> : <span aria-hidden="true">{text}</span>}
  </button>
)

/** Numbers and sums of groups add up; averages do not. */
const isAdded = (figure: Figure): boolean => figure === 'cnt' || figure === 'sum'

const lineName = ({ attribute, statistic }: Measured, figure: Figure): string =>
  statistic === 'RSTAT' ? `${attribute}, ${figureTexts[figure]}` : attribute

const totalOf = ({ series }: Lines): number =>
  series.reduce((total, { values }) => total + values.reduce((sum: number, each) => sum + (each ?? 0), 0), 0)

type Asked = { readonly from: string; readonly to: string; readonly last: string }

/** The span that the address says; else the one in which the stream has values. */
function useSpan(place: string, measured: Measured, { from, to, last }: Asked) {
  const isZoomed = Number(from) > 0 && Number(to) > Number(from)
  const seconds = Number(last)
  const found = useAnswer(
    async (signal) => {
      const now_us = Date.now() * 1000
      if (isZoomed) return { span: { from_us: Number(from), to_us: Number(to) } }
      if (seconds > 0) return { span: { from_us: now_us - seconds * 1e6, to_us: now_us } }
      return { span: await extentIn(place, measured, now_us, signal) }
    },
    [place, nameOf(measured), from, to, last],
    isZoomed ? {} : { every_ms: 30_000 },
  )
  const span = found.value?.span
  return { value: span, refusal: found.refusal, isEmpty: found.value !== undefined && span === undefined }
}

const month_s = 2_592_000

/** First by the month, then more exactly within these. */
async function extentIn(place: string, measured: Measured, now_us: number, signal: AbortSignal) {
  const { rows } = await askAllRows(extentQuery(place, measured, now_us), 20_000, signal)
  const rough = extentOf(oneGroup(rows), Math.max(2, Math.round(month_s / measured.gran_s)) * measured.gran_s * 1e6)
  if (!rough) return undefined
  let span = rough
  for (let turn = 0; turn < 3; turn++) {
    const rollup = rollupFor(span, measured.gran_s, 1000)
    const { rows: near } = await askAllRows(statisticQuery(place, measured, span, rollup), 60_000, signal)
    span = extentOf(oneGroup(near), rollup * measured.gran_s * 1e6) ?? span
    if (rollup === 1) break
  }
  return span
}

/** Rows of groups have the interval in `ts`. */
const oneGroup = (rows: readonly { readonly k: unknown; readonly v: unknown; readonly ts?: unknown }[]) =>
  rows.map((row) => (row.ts === undefined ? row : { ...row, k: row.ts }))
