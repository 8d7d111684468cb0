import type { ComponentChildren } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { type Answer, useAnswer } from '../../api/use-answer.ts'
import { Chart } from '../../parts/chart.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatCount } from '../../parts/format.ts'
import { GroupBars } from '../../parts/group-bars.tsx'
import { Icon } from '../../parts/icon.tsx'
import { fullNumber } from '../../parts/number-text.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { durationText, timeText } from '../../parts/time-text.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { zoneName } from '../../state/time-zone.ts'
import { newQuestionAddress } from '../saved/addresses.ts'
import { maySave } from '../saved/rights.ts'
import type { StreamPlace } from './addresses.ts'
import { alertOf } from './alert-of.ts'
import { askAllRows } from './ask-rows.ts'
import {
  exactDistinct,
  type Figure,
  figureText,
  figureTextOf,
  type Group,
  groupsOf,
  groupText,
  isDistinct,
  type Lines,
  lineOf,
  linesOf,
  type Measured,
  measuredIn,
  nameOf,
  placesOf,
  quantilesIn,
  type Row,
  rankText,
  rollupFor,
  rollupsFor,
  type Span,
  snapped,
  statisticQuery,
  type TopValues,
  titleOf,
  topOf,
  wholeOf,
} from './statistic-query.ts'
import { extentOf } from './statistic-span.ts'
import type { WireStream } from './wire-schema.ts'

const spans = [
  ['', 'All that there is'],
  ['now', 'All until now'],
  ['900', 'Last 15 minutes'],
  ['3600', 'Last hour'],
  ['21600', 'Last 6 hours'],
  ['86400', 'Last 24 hours'],
  ['604800', 'Last 7 days'],
  ['2592000', 'Last 30 days'],
] as const

/** So many groups have a line each; the others are told. */
const maxLines = 8
/** Beyond so many groups the others are left out, and told. */
const maxGroups = 60_000
/** So many rows of all groups are asked at once; of more, only the groups that are drawn. */
const maxRows = 20_000
/** In so few intervals a line says nothing. */
const fewIntervals = 3

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

type Form = 'lines' | 'stacks' | 'bars'

function Measure({ schema, stream, measured, choice }: MeasureProps) {
  const place = `${schema}.${stream}`
  const change = useChangeAddress()
  const [from] = useInAddress('from')
  const [to] = useInAddress('to')
  const [last] = useInAddress('last')
  const [rollupText, setRollup] = useInAddress('rollup')
  const [figureName, setFigure] = useInAddress('figure', measured.figures[0] ?? 'cnt')
  const [formName, setForm] = useInAddress('as')
  const figure = measured.figures.find((each) => each === figureName) ?? measured.figures[0] ?? 'cnt'
  const isGrouped = measured.groups.length > 0

  const span = useSpan(place, measured, { from, to, last })
  const rollup = span.value && (Number(rollupText) > 0 ? Number(rollupText) : rollupFor(span.value, measured.gran_s))
  const step_s = (rollup ?? 1) * measured.gran_s
  const asked =
    span.value && rollup !== undefined ? { span: snapped(span.value, measured.gran_s, step_s), rollup } : undefined
  const numIntervals = asked ? (asked.span.to_us - asked.span.from_us) / (step_s * 1e6) : 0
  const form = formOf(formName, isGrouped, numIntervals <= fewIntervals)

  const answer = useLatest(
    useAnswer(
      async (signal) =>
        asked && askFigures(place, measured, { ...asked, figure, isWhole: isGrouped && form === 'bars' }, signal),
      [place, nameOf(measured), asked, figure, isGrouped && form === 'bars'],
      { every_ms: from === '' ? 10_000 : 60_000 },
    ),
    `${place} ${nameOf(measured)} ${figure}`,
  )

  const lines = useMemo((): Lines | undefined => {
    if (!answer.value?.rows) return undefined
    const { rows, drawn, asked: of, at_us } = answer.value
    const x = placesOf(of.span, of.rollup * measured.gran_s * 1e6, rows)
    return isGrouped
      ? linesOf(x, rows, drawn, figure, at_us, (whole) => figureText(measured, figure, whole))
      : lineOf(x, rows, linesIn(measured, figure))
  }, [answer.value, figure, isGrouped])

  const zoom = (wanted: Span | undefined) => {
    const whole = wanted && asked && snapped(wanted, step_s, step_s)
    change(
      {
        from: whole && String(whole.from_us),
        to: whole && String(whole.to_us),
        last: undefined,
        rollup: undefined,
      },
      'push',
    )
  }
  const moved = (by: number, factor: number) => {
    if (!asked) return
    const { from_us, to_us } = asked.span
    const [middle, length] = [(from_us + to_us) / 2, to_us - from_us]
    zoom({ from_us: middle + by * length - (length * factor) / 2, to_us: middle + by * length + (length * factor) / 2 })
  }

  const label = `${titleOf(measured)} in ${place}`
  const alert = alertOf(place, measured, figure)
  const { value } = answer
  const isShown = !span.isEmpty && !span.refusal && !answer.refusal
  return (
    <div class="stack statistics">
      <div class="statistics-choice">
        {choice}
        {measured.figures.length > 1 && (
          <SelectField
            label="Figure"
            value={figure}
            options={measured.figures.map((each) => [each, figureTextOf(each)] as const)}
            onInput={(chosen) => setFigure(chosen)}
          />
        )}
        <SelectField
          label="Time"
          value={from === '' ? last : 'zoomed'}
          options={[...spans, ...(from === '' ? [] : [['zoomed', 'As zoomed'] as const])]}
          onInput={(chosen) => {
            if (chosen !== 'zoomed') change({ from: undefined, to: undefined, rollup: undefined, last: chosen }, 'push')
          }}
        />
        {span.value && !(isGrouped && form === 'bars') && figure !== 'top' && (
          <SelectField
            label="Interval"
            value={rollupText}
            options={[
              ['', `Automatic (${durationText(rollupFor(span.value, measured.gran_s) * measured.gran_s)})`],
              ...rollupsFor(span.value, measured.gran_s).map(
                (each) => [String(each), durationText(each * measured.gran_s)] as const,
              ),
            ]}
            onInput={(chosen) => setRollup(chosen)}
          />
        )}
        {figure !== 'top' && (
          <SelectField
            label={isGrouped ? 'Groups as' : 'As'}
            value={form}
            options={isGrouped ? groupForms : forms}
            onInput={(chosen) => setForm(chosen)}
          />
        )}
      </div>
      <RefusalBox refusal={span.refusal ?? answer.refusal} />
      {span.isEmpty && (
        <Empty title="Nothing is counted yet" icon="models">
          <p>
            The first events that have {[measured.attribute, ...measured.groups].join(' and ')} appear here within
            seconds.
          </p>
        </Empty>
      )}
      {isShown && (
        <section class="card inside" aria-label={titleOf(measured)} aria-busy={answer.isAsking}>
          {!value && <Skeleton lines={7} />}
          {value && figure === 'top' && <Top label={label} top={value.top} />}
          {lines && value && figure !== 'top' && (
            <Chart
              label={label}
              x={lines.x}
              series={lines.series}
              kind={
                form === 'lines' || figure === 'quantiles'
                  ? 'line'
                  : canStack(measured, figure, lines)
                    ? 'stacked'
                    : 'bars'
              }
              step_s={value.asked.rollup * measured.gran_s}
              range={{ from: value.asked.span.from_us, to: value.asked.span.to_us }}
              yTitle={yTitle(measured, figure)}
              height={336}
              onZoom={(from_us, to_us) => zoom({ from_us, to_us })}
            />
          )}
          {value && !value.rows && (
            <GroupBars
              label={label}
              bars={value.groups.flatMap((each) =>
                each.value === null ? [] : [barOf(measured, figure, each, each.value)],
              )}
            />
          )}
          {value && <LeftOut measured={measured} figure={figure} value={value} />}
          {value && (
            <div class="row spread wrap statistics-foot">
              <span class="small soft number">
                {timeText(value.asked.span.from_us, 1)} to {timeText(value.asked.span.to_us, 1)} {zoneName()}
                {!isGrouped && value.whole !== null && (
                  <span title={fullNumber(value.whole)}> · {wholeText(measured, figure, value.whole)}</span>
                )}
                {isGrouped &&
                  ` · ${formatCount(value.groups.length)} ${value.groups.length === 1 ? 'group' : 'groups'}`}
              </span>
              {alert && maySave() && (
                <a class="button small" href={newQuestionAddress(alert)}>
                  <Icon name="notifications" />
                  Alert
                </a>
              )}
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
      {isShown &&
        from === '' &&
        last === '' &&
        asked &&
        asked.span.to_us > (Date.now() / 1000 + measured.gran_s) * 1e6 && (
          <p class="small soft">
            Some of it lies in the future, by the times that events bring along.{' '}
            <button type="button" class="button small" onClick={() => change({ last: 'now' }, 'push')}>
              Show what lies before now
            </button>
          </p>
        )}
      <p class="small faint">
        Drag over the chart to zoom into it. Intervals begin at round times in UTC.
        {isDistinct(measured, figure) && ` ${distinctHint}`}
        {quantilesIn(measured).length > 0 && ` ${quantileHint}`}
      </p>
    </div>
  )
}

const forms = [
  ['lines', 'Line'],
  ['bars', 'Bars'],
] as const satisfies readonly (readonly [Form, string])[]

const groupForms = [
  ['lines', 'Lines over time'],
  ['stacks', 'Bars over time'],
  ['bars', 'Bars of the whole'],
] as const satisfies readonly (readonly [Form, string])[]

/** As chosen; else lines, where there are enough intervals for one. */
function formOf(name: string, isGrouped: boolean, isFew: boolean): Form {
  const chosen = (isGrouped ? groupForms : forms).find(([each]) => each === name)?.[0]
  return chosen ?? (!isFew ? 'lines' : isGrouped ? 'stacks' : 'bars')
}

const distinctHint = `Numbers of distinct values are exact up to about ${formatCount(exactDistinct)} of them in an interval, then within 0.5 %; they do not add up.`

const quantileHint =
  'p95 is the value that 95 of 100 do not exceed, within 1 %; those of longer intervals are asked for, not reckoned of shorter ones.'

type Asked = { readonly span: Span; readonly rollup: number }
type Figures = {
  readonly asked: Asked
  readonly at_us: number
  /** By interval, where the chart is one over time. */
  readonly rows: readonly Row[] | undefined
  /** All groups over the whole span, the first in rank first. */
  readonly groups: readonly Group[]
  readonly drawn: readonly Group[]
  readonly hasAllGroups: boolean
  /** Without groups: the figure of the whole span, and its most frequent values. */
  readonly whole: number | null
  readonly top: TopValues
}

/** The figure of the whole span as the service tells it, and those of its intervals. */
async function askFigures(
  place: string,
  measured: Measured,
  { span, rollup, figure, isWhole }: Asked & { readonly figure: Figure; readonly isWhole: boolean },
  signal: AbortSignal,
): Promise<Figures> {
  const ask = (of: number | 'whole', max: number, group?: string) =>
    askAllRows(statisticQuery(place, measured, span, of, group), max, signal)
  const whole = await ask('whole', maxGroups)
  const common = { asked: { span, rollup }, at_us: Date.now() * 1000, hasAllGroups: whole.isWhole }
  if (measured.groups.length === 0) {
    const { rows } = await ask(rollup, maxGroups)
    return {
      ...common,
      rows,
      groups: [],
      drawn: [],
      whole: wholeOf(whole.rows[0]?.v, figure),
      top: topOf(whole.rows[0]?.v),
    }
  }
  const groups = groupsOf(whole.rows, figure)
  const drawn = groups.slice(0, maxLines)
  const numIntervals = (span.to_us - span.from_us) / (rollup * measured.gran_s * 1e6)
  const rows = isWhole
    ? undefined
    : groups.length * numIntervals <= maxRows
      ? (await ask(rollup, maxGroups)).rows
      : (await Promise.all(drawn.map(({ key }) => ask(rollup, maxGroups, key)))).flatMap((each) => each.rows)
  return { ...common, rows, groups, drawn, whole: null, top: topOf(undefined) }
}

/** The latest answer stays while another span of the same is asked for. */
function useLatest<Value>(answer: Answer<Value>, of: string): Answer<Value> {
  const latest = useRef<{ readonly of: string; readonly value: Value }>(undefined)
  if (answer.value !== undefined) latest.current = { of, value: answer.value }
  return answer.value === undefined && latest.current?.of === of ? { ...answer, value: latest.current.value } : answer
}

const barOf = (measured: Measured, figure: Figure, { key }: Group, value: number) => ({
  name: groupText(key),
  value,
  says: figureText(measured, figure, value),
})

/** The most frequent values of the whole span: those of intervals are never joined here. */
const Top = ({ label, top: { values, error } }: { readonly label: string; readonly top: TopValues }) => (
  <>
    <GroupBars
      label={label}
      things="values"
      bars={values.map(({ name, cnt }) => ({ name, value: cnt, says: formatCount(cnt) }))}
    />
    {error > 0 && (
      <p class="small soft">
        Of each value there may have been {formatCount(error)} more: there are more than are kept.
      </p>
    )}
  </>
)

function LeftOut({
  measured,
  figure,
  value,
}: {
  readonly measured: Measured
  readonly figure: Figure
  readonly value: Figures
}) {
  const numLeft = value.rows ? value.groups.length - value.drawn.length : 0
  return (
    <>
      {numLeft > 0 && (
        <p class="small soft">
          The {maxLines} groups {rankText(measured, figure)} are drawn; {formatCount(numLeft)} more are left out.
        </p>
      )}
      {!value.hasAllGroups && (
        <p class="small soft">There are more groups than the {formatCount(maxGroups)} that this page asks for.</p>
      )}
    </>
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

/** Numbers and sums of groups add up; averages and numbers of distinct values do not, nor do sums below zero with those above. */
const canStack = ({ statistic, groups }: Measured, figure: Figure, { series }: Lines): boolean =>
  groups.length > 0 &&
  !isDistinct({ statistic }, figure) &&
  (figure === 'cnt' || figure === 'sum') &&
  series.every(({ values }) => values.every((value) => value === null || value >= 0))

/** The lines of a chart without groups: one, or one a quantile. */
const linesIn = (measured: Measured, figure: Figure): (readonly [name: string, Figure])[] =>
  figure === 'quantiles'
    ? quantilesIn(measured).map((each) => [each, each] as const)
    : [[measured.figures.length > 1 ? `${measured.attribute}, ${figureTextOf(figure)}` : measured.attribute, figure]]

/** The measures of the y axis. */
const yTitle = (measured: Measured, figure: Figure): string =>
  measured.figures.length > 1
    ? `${figureTextOf(figure)} of ${measured.attribute}`
    : titleOf({ ...measured, groups: [] })

/** The figure of the whole span, by a statement of its own. */
function wholeText(measured: Measured, figure: Figure, value: number): string {
  const text = figureText(measured, figure, value)
  if (isDistinct(measured, figure)) return `${text} distinct values in all`
  return figure === 'cnt' ? `${text} in all` : `${figureTextOf(figure)} of all ${text}`
}

type InAddress = { readonly from: string; readonly to: string; readonly last: string }

/** The span that the address says; else the one in which the statistic has values. */
function useSpan(place: string, measured: Measured, { from, to, last }: InAddress) {
  const isZoomed = Number(from) >= 0 && from !== '' && Number(to) > Number(from)
  const seconds = Number(last)
  const before = useRef<{ readonly of: string; readonly span: Span }>(undefined)
  const of = `${place} ${nameOf(measured)} ${last}`
  const found = useAnswer(
    async (signal) => {
      const now_us = Date.now() * 1000
      if (isZoomed) return { span: { from_us: Number(from), to_us: Number(to) } }
      if (seconds > 0) return { span: { from_us: now_us - seconds * 1e6, to_us: now_us } }
      const gran_us = measured.gran_s * 1e6
      const span = await extentOf(place, measured, signal, {
        ...(last === 'now' && { until_us: Math.ceil(now_us / gran_us) * gran_us }),
        before: before.current?.of === of ? before.current.span : undefined,
      })
      before.current = span && { of, span }
      return { span }
    },
    [place, nameOf(measured), from, to, last],
    isZoomed ? {} : { every_ms: seconds > 0 ? 30_000 : 10_000 },
  )
  const span = found.value?.span
  return { value: span, refusal: found.refusal, isEmpty: found.value !== undefined && span === undefined }
}
