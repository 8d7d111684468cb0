import { useMemo } from 'preact/hooks'
import { Bars } from '../../parts/bars.tsx'
import { Chart } from '../../parts/chart.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatCount, formatNumber } from '../../parts/format.ts'
import type { Rows } from '../../parts/result/rows.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { type ChartChoice, type ChartKind, chooseChart, drawnOf, measuresOf } from './chart-choice.ts'

const kinds = [
  ['line', 'Lines'],
  ['bars', 'Bars'],
  ['names', 'A bar for each name'],
] as const satisfies readonly (readonly [ChartKind, string])[]

/** The answer as a chart: one is chosen from its columns, and the reader may choose another. */
export function ChartView({ result }: { readonly result: Rows }) {
  const [x] = useInAddress('x')
  const [y] = useInAddress('y')
  const [by] = useInAddress('by')
  const [kind] = useInAddress('chart')
  const change = useChangeAddress()
  const chosen = useMemo(() => chooseChart(result), [result])
  const choice = useMemo(() => adjusted(result, chosen, { x, y, by, kind }), [result, chosen, x, y, by, kind])
  const drawn = useMemo(() => choice && drawnOf(result, choice), [result, choice])
  if (!choice || !drawn)
    return (
      <Empty title="Nothing to draw">
        <p>A chart needs a column of numbers. Ask for a statistic, such as aggr(...), or for a count by group.</p>
      </Empty>
    )
  const measures = measuresOf(result)
  const names = result.columns.map(({ name }) => name)
  return (
    <div class="stack inside">
      <div class="chart-controls">
        <SelectField
          label="Shows"
          value={choice.y[0] ?? ''}
          options={measures.map(({ name }) => [name, name])}
          onInput={(name) => change({ y: name })}
        />
        <SelectField
          label="Over"
          value={choice.x}
          options={names.map((name) => [name, name])}
          onInput={(name) => change({ x: name, chart: isText(result, name) ? 'names' : undefined, by: undefined })}
        />
        {choice.kind !== 'names' && (
          <SelectField
            label="A line for each"
            value={choice.by ?? ''}
            options={[
              ['', 'all in one'],
              ...names.filter((name) => isText(result, name)).map((name) => [name, name] as const),
            ]}
            onInput={(name) => change({ by: name === '' ? '-' : name })}
          />
        )}
        <SelectField
          label="As"
          value={choice.kind}
          options={kinds.filter(([each]) => each === 'names' || !isText(result, choice.x))}
          onInput={(name) => change({ chart: name })}
        />
      </div>
      {drawn.form === 'names' ? (
        <Bars
          label={`${choice.y[0]} by ${choice.x}`}
          bars={drawn.names.map(({ name, value }) => ({
            name: name === '' ? '(none)' : name,
            share: value / Math.max(...drawn.names.map((each) => Math.abs(each.value)), Number.MIN_VALUE),
            says: formatNumber(value),
          }))}
        />
      ) : (
        <Chart
          label={`${choice.y.join(', ')} over ${choice.x}`}
          x={drawn.x}
          series={drawn.series}
          kind={choice.kind === 'bars' ? 'bars' : 'line'}
          isTime={drawn.isTime}
          xTitle={drawn.isTime ? `${choice.x} (UTC)` : choice.x}
          height={340}
        />
      )}
      {drawn.left > 0 && (
        <p class="soft small">{formatCount(drawn.left)} smaller ones are left out; the table has all.</p>
      )}
    </div>
  )
}

const isText = (result: Rows, name: string): boolean =>
  result.columns.find((column) => column.name === name)?.kind === 'text'

type Wanted = { readonly x: string; readonly y: string; readonly by: string; readonly kind: string }

/** The choice of the address, as far as the answer has its columns. */
function adjusted(result: Rows, chosen: ChartChoice | undefined, wanted: Wanted): ChartChoice | undefined {
  const has = (name: string): boolean => result.columns.some((column) => column.name === name)
  const [measure] = measuresOf(result)
  const y = has(wanted.y) ? wanted.y : (chosen?.y[0] ?? measure?.name)
  const x = has(wanted.x) ? wanted.x : (chosen?.x ?? result.columns[0]?.name)
  if (x === undefined || y === undefined) return undefined
  const known = kinds.find(([each]) => each === wanted.kind)?.[0]
  const kind = isText(result, x) ? 'names' : (known ?? (chosen?.x === x ? chosen.kind : 'line'))
  const by = wanted.by === '-' ? undefined : has(wanted.by) ? wanted.by : chosen?.x === x ? chosen.by : undefined
  return { kind, x, y: [y], ...(by !== undefined && kind !== 'names' && { by }) }
}
