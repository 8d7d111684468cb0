import { numberData } from '../encoding/numbers.ts'
import type { Table } from '../encoding/table.ts'
import type { Row } from '../formats/row.ts'
import type { Layout } from '../layout.ts'
import { lagNames, type SeriesRule } from './rule.ts'
import type { Windows } from './windows.ts'

/** The inputs of a model of a series, the oldest value first; where lines bring the target it follows them. */
export function seriesLayout(
  { lag, quantity }: SeriesRule,
  { separator, missing }: Pick<Layout, 'separator' | 'missing'>,
): Layout {
  return {
    columns: lagNames(lag).map((name, i) => ({ name, position: i + 1, kind: 'number' })),
    target: { name: quantity, position: lag + 1, kind: 'number', task: 'numbers', before: lag },
    separator,
    ...(missing && { missing }),
  }
}

/** Windows as training data. */
export function seriesTable(windows: Windows, layout: Layout, notes: readonly string[] = []): Table {
  return {
    layout,
    rows: windows.targets.length,
    columns: windows.inputs.map((values, i) => numberData(layout.columns[i]?.name ?? '', values)),
    target: { kind: 'numbers', values: windows.targets },
    dropped: 0,
    notes,
  }
}

/** The first windows as a client would send them. */
export const firstRows = ({ inputs, targets }: Windows, count: number): readonly Row[] =>
  Array.from({ length: Math.min(count, targets.length) }, (_, row) => ({
    line: row + 1,
    cells: inputs.map((values) => values[row]),
    target: targets[row],
  }))

/** The windows of several readings, one behind the other. */
export function joinWindows(first: Windows, second: Windows): Windows {
  return {
    ...first,
    inputs: first.inputs.map((values, i) => joined(values, second.inputs[i])),
    targets: joined(first.targets, second.targets),
    times: joined(first.times, second.times),
    series: Int32Array.from([...first.series, ...second.series]),
  }
}

function joined(first: Float64Array, second: Float64Array = new Float64Array()): Float64Array<ArrayBuffer> {
  const all = new Float64Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
