import { useMemo } from 'preact/hooks'
import { Chart } from '../../parts/chart.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatCount } from '../../parts/format.ts'
import { GroupBars } from '../../parts/group-bars.tsx'
import { numberText } from '../../parts/number-text.ts'
import { columnTitle } from '../../parts/result/cells.ts'
import type { Rows } from '../../parts/result/rows.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import {
  type ChartChoice,
  type ChartKind,
  chooseChart,
  drawnOf,
  eachCombination,
  hasSeveral,
  type Join,
  joins,
  measuresOf,
  textColumns,
} from './chart-choice.ts'

const kinds = [
  ['line', 'Lines'],
  ['bars', 'Bars'],
  ['names', 'A bar for each name'],
] as const satisfies readonly (readonly [ChartKind, string])[]

/** The answer as a chart: one is chosen from its columns, and the reader may choose another. */
export function ChartView({ result, isCut }: { readonly result: Rows; readonly isCut: boolean }) {
  const [x] = useInAddress('x')
  const [y] = useInAddress('y')
  const [by] = useInAddress('by')
  const [kind] = useInAddress('chart')
  const [join] = useInAddress('join')
  const change = useChangeAddress()
  const chosen = useMemo(() => chooseChart(result), [result])
  const choice = useMemo(
    () => adjusted(result, chosen, { x, y, by, kind, join }),
    [result, chosen, x, y, by, kind, join],
  )
  const drawn = useMemo(() => choice && drawnOf(result, choice), [result, choice])
  if (!choice || !drawn)
    return (
      <Empty title="Nothing to draw">
        <p>A chart needs a column of numbers. Ask for a statistic, such as aggr(...), or for a count by group.</p>
      </Empty>
    )
  const measures = measuresOf(result)
  const names = result.columns.map(({ name }) => name)
  const texts = textColumns(result, choice.x)
  const [measure = ''] = choice.y
  const says = choice.join === undefined ? measure : `${joinTexts[choice.join]} of ${measure}`
  const column = result.columns.find(({ name }) => name === choice.x)
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
              ...(texts.length > 1 ? [[eachCombination, `each ${texts.join(', ')}`] as const] : []),
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
        {(choice.join !== undefined || hasSeveral(result, choice)) && (
          <SelectField
            label={choice.kind === 'names' ? 'Rows of one name' : 'Rows of one place'}
            value={choice.join ?? ''}
            options={[
              ['', choice.kind === 'names' ? 'a bar each' : 'choose'],
              ...Object.entries(joinTexts).map(([name, text]) => [name, `their ${text}`] as const),
            ]}
            onInput={(name) => change({ join: name })}
          />
        )}
      </div>
      {drawn.form === 'several' && (
        <Empty title="Several rows have the same place">
          <p>
            {drawn.count} rows have {choice.x} {drawn.place}. Choose how they become one, or a line for each text that
            tells them apart: this page adds nothing up by itself.
          </p>
        </Empty>
      )}
      {drawn.form === 'names' && (
        <>
          <p class="small soft">{says}</p>
          <GroupBars
            label={`${says} by ${choice.x}`}
            things="bars"
            bars={drawn.names.map(({ name, value }) => ({ name, value, says: numberText(value) }))}
          />
        </>
      )}
      {drawn.form === 'plot' && (
        <Chart
          label={`${says} over ${choice.x}`}
          x={drawn.x}
          series={drawn.series}
          kind={choice.kind === 'bars' ? 'bars' : 'line'}
          isTime={drawn.isTime}
          {...(column?.zone !== undefined && { zone: 'utc' as const })}
          xTitle={column ? columnTitle(column) : choice.x}
          yTitle={says}
          height={340}
        />
      )}
      {drawn.form === 'plot' && drawn.left > 0 && (
        <p class="soft small">
          The {drawn.series.length} with the most points are drawn; {formatCount(drawn.left)} more are left out. The
          table has all.
        </p>
      )}
      {drawn.form === 'plot' && drawn.leftPoints > 0 && (
        <p class="soft small">The first {formatCount(drawn.leftPoints)} points are left out; the table has all.</p>
      )}
      {isCut && (
        <p class="soft small">Drawn from the {formatCount(result.rows.length)} rows that are here: there are more.</p>
      )}
    </div>
  )
}

const joinTexts: Readonly<Record<Join, string>> = {
  sum: 'sum',
  mean: 'mean',
  greatest: 'greatest',
  min: 'least',
}
const isJoin = (name: string): name is Join => Object.hasOwn(joins, name)

const isText = (result: Rows, name: string): boolean =>
  result.columns.find((column) => column.name === name)?.kind === 'text'

type Wanted = Readonly<Record<'x' | 'y' | 'by' | 'kind' | 'join', string>>

/** The choice of the address, as far as the answer has its columns. */
function adjusted(result: Rows, chosen: ChartChoice | undefined, wanted: Wanted): ChartChoice | undefined {
  const has = (name: string): boolean => result.columns.some((column) => column.name === name)
  const [measure] = measuresOf(result)
  const y = has(wanted.y) ? wanted.y : (chosen?.y[0] ?? measure?.name)
  const x = has(wanted.x) ? wanted.x : (chosen?.x ?? result.columns[0]?.name)
  if (x === undefined || y === undefined) return undefined
  const known = kinds.find(([each]) => each === wanted.kind)?.[0]
  const kind = isText(result, x) ? 'names' : (known ?? (chosen?.x === x ? chosen.kind : 'line'))
  const by =
    wanted.by === '-'
      ? undefined
      : has(wanted.by) || wanted.by === eachCombination
        ? wanted.by
        : chosen?.x === x
          ? chosen.by
          : undefined
  const join = isJoin(wanted.join) ? wanted.join : undefined
  return { kind, x, y: [y], ...(by !== undefined && kind !== 'names' && { by }), ...(join && { join }) }
}
