import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import UPlot from 'uplot'
import { inZone, type Zone, zone } from '../state/time-zone.ts'
import { onThemeChange, seriesColors, themeColors } from './chart-colors.ts'
import { type Column, DataTable } from './data-table.tsx'
import { axisTexts, fullNumber, numberText } from './number-text.ts'
import { tickTexts, timeText } from './time-text.ts'

export type Series = {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** The text beside the name while no point is chosen, about all points. */
  readonly whole?: string | undefined
}

export type ChartProps = {
  /** The content of the chart in words, for screen readers. */
  readonly label: string
  /** Microseconds since 1970, growing; or any numbers where `isTime` is false. */
  readonly x: readonly number[]
  readonly series: readonly Series[]
  /** `stacked`: bars on each other, for values that add up. */
  readonly kind?: 'line' | 'bars' | 'stacked'
  readonly isTime?: boolean
  /** The zone of all times of this chart, where it is not the reader's to choose. */
  readonly zone?: Zone
  readonly xTitle?: string
  /** The measure, beside the y axis. */
  readonly yTitle?: string
  /** The part of the x axis that is shown; as the points need where it is absent. */
  readonly range?: { readonly from: number; readonly to: number }
  /** The length of an interval in seconds, by which times are shortened. */
  readonly step_s?: number
  readonly height?: number
  /** Parts of the x axis that are shaded behind the lines, such as the times in which an alert fires. */
  readonly bands?: readonly { readonly from: number; readonly to: number }[]
  /** The part of the x axis that was dragged over. */
  readonly onZoom?: (from: number, to: number) => void
}

type Readout = { readonly index: number; readonly left: number }

const microseconds = 1e6

/** Series over time or another quantity, as lines or bars, with the values under the pointer; also as a table. */
export function Chart(props: ChartProps) {
  const { label, x, series, kind = 'line', isTime = true, step_s = 0, height = 280, onZoom, range, bands } = props
  const inThis = props.zone ?? zone.value
  const xTitle = props.xTitle ?? (isTime ? inZone('Time') : 'Value')
  const container = useRef<HTMLDivElement>(null)
  const [readout, setReadout] = useState<Readout>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [isTable, setTable] = useState(false)
  const [theme, setTheme] = useState(0)
  const zoom = useRef(onZoom)
  zoom.current = onZoom
  const plot = useRef<UPlot>(undefined)
  const names = series.map(({ name }) => name).join('\n')
  const xText = (value: number): string => (isTime ? timeText(value, step_s, inThis) : numberText(value))

  const data = useMemo((): UPlot.AlignedData => {
    const scaled = isTime ? x.map((value) => value / microseconds) : [...x]
    return [scaled, ...(kind === 'stacked' ? stacked(series, hidden) : series.map(({ values }) => [...values]))]
  }, [x, series, isTime, kind, hidden])
  const latest = useRef(data)
  latest.current = data

  useEffect(() => onThemeChange(() => setTheme((turn) => turn + 1)), [])

  useEffect(() => {
    const element = container.current
    if (!element || isTable) return
    const colors = themeColors(element)
    const isBars = kind !== 'line'
    const step = stepOf(latest.current[0], isTime ? step_s : 0)
    const drawn = series.filter(({ name }) => !hidden.has(name))
    const pathOf = (name: string) =>
      isBars
        ? barsAt(
            kind === 'stacked' ? 0 : drawn.findIndex((each) => each.name === name),
            kind === 'stacked' ? 1 : drawn.length,
            step,
          )
        : UPlot.paths.linear?.()
    const axis = {
      stroke: colors.text,
      font: '11px system-ui, sans-serif',
      grid: { stroke: colors.line, width: 1 },
      ticks: { stroke: colors.line, width: 1, size: 4 },
    }
    const made = new UPlot(
      {
        width: Math.max(200, element.clientWidth),
        height,
        ms: 1e-3,
        tzDate: (seconds) => {
          const date = new Date(seconds * 1000)
          return inThis === 'utc' ? UPlot.tzDate(date, 'Etc/UTC') : date
        },
        padding: [12, 36, 0, 0],
        legend: { show: false },
        scales: {
          // The bounds that uPlot finds of a single point are years apart.
          x: { time: isTime, range: (of) => shownRange(of.data[0], range, isTime ? microseconds : 1, isBars, step) },
          y: { range: (_, min, max) => rangeOf(min, max, isBars) },
        },
        axes: [
          {
            ...axis,
            space: 86,
            ...(isTime && {
              values: (_: UPlot, ticks: number[], __: number, ___: number, apart: number) =>
                tickTexts(ticks, apart, inThis),
            }),
            ...titled(xTitle),
          },
          {
            ...axis,
            size: (_, texts) => Math.max(40, 16 + 6.7 * Math.max(0, ...(texts ?? []).map((text) => text.length))),
            values: (_, ticks) => axisTexts(ticks),
            ...(props.yTitle !== undefined && titled(props.yTitle)),
          },
        ],
        cursor: {
          drag: { x: zoom.current !== undefined, y: false, setScale: false },
          points: { size: 7, show: !isBars },
          y: false,
        },
        series: [
          {},
          ...series.map(({ name }, index) => {
            const color = colors.series[index % seriesColors] ?? colors.text
            return {
              label: name,
              show: !hidden.has(name),
              stroke: color,
              width: isBars ? 0 : 1.75,
              ...((isBars || series.length === 1) && { fill: isBars ? color : withAlpha(color, 0.12) }),
              spanGaps: false,
              // A value without neighbours is on no line: it is drawn as a point.
              points: {
                show: kind === 'line' && x.length < 40,
                size: 5,
                fill: color,
                filter: (of: UPlot, place: number, isShown: boolean) =>
                  isShown || isBars ? null : lonePoints(of.data[place] ?? []),
              },
              ...definedPath(pathOf(name)),
            }
          }),
        ],
        hooks: {
          drawClear: [(of) => shade(of, bands ?? [], isTime ? microseconds : 1, colors.bad)],
          setCursor: [
            (of) => {
              const { idx, left = -1 } = of.cursor
              const index = isBars ? barUnder(of, left, step) : idx
              setReadout(typeof index === 'number' && left >= 0 ? { index, left } : undefined)
            },
          ],
          setSelect: [
            (of) => {
              const { left, width } = of.select
              if (width < 4) return
              const scale = isTime ? microseconds : 1
              zoom.current?.(of.posToVal(left, 'x') * scale, of.posToVal(left + width, 'x') * scale)
              of.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            },
          ],
        },
      },
      latest.current,
      element,
    )
    plot.current = made
    const resized = new ResizeObserver(() => made.setSize({ width: Math.max(200, element.clientWidth), height }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [
    ...[names, kind, isTime, height, theme, isTable, onZoom === undefined, hidden, step_s],
    ...[inThis, xTitle, props.yTitle, range?.from, range?.to],
  ])

  useEffect(() => {
    if (plot.current && plot.current.data !== data) plot.current.setData(data)
  }, [data])

  const shown = readout && readout.index < x.length ? readout.index : undefined

  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <ul class="chart-legend">
          {series.map(({ name, values, whole }, index) => (
            <li key={name}>
              <button
                type="button"
                aria-pressed={!hidden.has(name)}
                title={hidden.has(name) ? `Show ${name}` : `Hide ${name}`}
                onClick={() => setHidden(toggled(hidden, name))}
              >
                <span class={`chart-key series-${(index % seriesColors) + 1}`} aria-hidden="true" />
                <span class="chart-name">{name}</span>
                {shown !== undefined ? (
                  <span class="chart-value" title={fullNumber(values[shown])}>
                    {numberText(values[shown])}
                  </span>
                ) : (
                  whole !== undefined && (
                    <span class="chart-value faint" title="Over all that is shown">
                      {whole}
                    </span>
                  )
                )}
              </button>
            </li>
          ))}
        </ul>
        <span class="chart-time">{shown === undefined ? '' : xText(x[shown] ?? 0)}</span>
        <button type="button" class="chart-as" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'As a picture' : 'As a table'}
        </button>
      </figcaption>
      {isTable ? (
        <DataTable label={label} columns={columnsOf(props, xTitle, xText)} rows={[...x.keys()]} />
      ) : (
        <div
          ref={container}
          class={`chart-plot ${onZoom ? 'can-zoom' : ''}`}
          role="img"
          aria-label={`${label}: ${described(x, series, xText)}`}
        />
      )}
    </figure>
  )
}

const columnsOf = ({ x, series }: ChartProps, xTitle: string, xText: (value: number) => string): Column<number>[] => [
  {
    name: 'x',
    title: xTitle,
    text: (row) => xText(x[row] ?? 0),
    value: (row) => x[row],
  },
  ...series.map(
    ({ name, values }, index): Column<number> => ({
      name: `series ${index}`,
      title: name,
      text: (row) => numberText(values[row]),
      full: (row) => fullNumber(values[row]),
      value: (row) => values[row],
      isNumber: true,
    }),
  ),
]

/** Shades parts of the x axis, each with a line where it begins and ends. */
function shade(of: UPlot, bands: NonNullable<ChartProps['bands']>, scale: number, color: string): void {
  const { ctx, bbox } = of
  ctx.save()
  ctx.fillStyle = color
  for (const { from, to } of bands) {
    const placeOf = (at: number): number =>
      Math.min(bbox.left + bbox.width, Math.max(bbox.left, of.valToPos(at / scale, 'x', true)))
    const [left, right] = [placeOf(from), placeOf(to)]
    ctx.globalAlpha = 0.14
    ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height)
    ctx.globalAlpha = 0.6
    ctx.fillRect(left, bbox.top, 1, bbox.height)
    ctx.fillRect(right, bbox.top, 1, bbox.height)
  }
  ctx.restore()
}

const definedPath = (paths: UPlot.Series.PathBuilder | undefined) => (paths ? { paths } : {})

const titled = (label: string) => ({ label, labelSize: 18, labelFont: '11px system-ui, sans-serif' })

/** The part of the x axis that is shown: as told, else from the first point to the end of the last. */
function shownRange(
  xs: ArrayLike<number>,
  told: ChartProps['range'],
  scale: number,
  isBars: boolean,
  step: number,
): [number, number] {
  if (told) return [told.from / scale, told.to / scale]
  const [first, last] = [xs[0], xs[xs.length - 1]]
  if (first === undefined || last === undefined) return [0, 1]
  return [first, isBars || first === last ? last + step : last]
}

/** The values that have none beside them. */
function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isThere = (at: number): boolean => values[at] !== null && values[at] !== undefined
  return Array.from({ length: values.length }, (_, at) => at).filter(
    (at) => isThere(at) && !isThere(at - 1) && !isThere(at + 1),
  )
}

/** The interval under the pointer, not the one whose beginning is nearest. */
function barUnder(of: UPlot, left: number, step: number): number | undefined {
  const at = of.posToVal(left, 'x')
  const index = of.data[0].findLastIndex((x) => x <= at)
  return index >= 0 && at < (of.data[0][index] ?? 0) + step ? index : undefined
}

/** How far apart points are: as told, else the least distance between two. */
function stepOf(x: ArrayLike<number>, told: number): number {
  if (told > 0) return told
  let least = Number.POSITIVE_INFINITY
  for (let at = 1; at < x.length; at++) least = Math.min(least, (x[at] ?? 0) - (x[at - 1] ?? 0))
  return Number.isFinite(least) && least > 0 ? least : 1
}

/** The bar of the `index`th of `count` series, which stand beside each other within an interval. */
function barsAt(index: number, count: number, step: number): UPlot.Series.PathBuilder | undefined {
  const width = (step * 0.84) / Math.max(1, count)
  return UPlot.paths.bars?.({
    radius: 0,
    disp: {
      x0: { unit: 1, values: (of) => Array.from(of.data[0] ?? [], (x) => x + step * 0.08 + index * width) },
      size: { unit: 1, values: (of) => Array.from(of.data[0] ?? [], () => width) },
    },
  })
}

/** Each series on top of those behind it, so that the first is drawn first, as the tallest. */
function stacked(series: readonly Series[], hidden: ReadonlySet<string>): (number | null)[][] {
  const below: number[] = []
  return series
    .toReversed()
    .map(({ name, values }) =>
      values.map((value, at) => {
        if (hidden.has(name) || value === null) return null
        below[at] = (below[at] ?? 0) + value
        return below[at] ?? null
      }),
    )
    .reverse()
}

/** Zero is in view, unless the values are far from it and near each other. */
function rangeOf(min: number | null, max: number | null, isBars: boolean): [number, number] {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [0, 1]
  if (isBars) return [Math.min(0, min * 1.08), max > 0 ? max * 1.08 : 1]
  const spread = max - min
  const low = min >= 0 && min < spread * 4 ? 0 : min - spread * 0.08
  const high = max <= 0 && -max < spread * 4 ? 0 : max + spread * 0.08
  return low === high ? [Math.min(0, low), high > 0 ? high * 1.2 : 1] : [low, high]
}

function described(x: readonly number[], series: readonly Series[], xText: (value: number) => string): string {
  const [first, last] = [x[0], x.at(-1)]
  if (first === undefined || last === undefined) return 'nothing to show'
  const spans = series.slice(0, 5).map(({ name, values }) => {
    const there = values.filter((value) => value !== null)
    if (there.length === 0) return `${name} has no values`
    const [low, high] = there.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ] as [number, number])
    return `${name} from ${numberText(low)} to ${numberText(high)}`
  })
  const others = series.length > 5 ? `, and ${series.length - 5} more` : ''
  return `${x.length} points from ${xText(first)} to ${xText(last)}; ${spans.join(', ')}${others}`
}

function toggled(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const next = new Set(names)
  if (!next.delete(name)) next.add(name)
  return next
}

const withAlpha = (color: string, alpha: number): string =>
  /^#[\da-f]{6}$/i.test(color)
    ? `${color}${Math.round(alpha * 255)
        .toString(16)
        .padStart(2, '0')}`
    : color
