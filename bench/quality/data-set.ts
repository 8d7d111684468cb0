import { createRandom } from '../../learn/random.ts'
import { cutShare } from '../../learn/tuning/strata.ts'

export type Task = 'classes' | 'numbers'

/** Rows of cells as a CSV has them, an empty cell being missing; the target is the last one. */
export type DataSet = {
  readonly name: string
  readonly task: Task
  readonly columns: readonly { readonly name: string; readonly kind: 'number' | 'word' }[]
  readonly rows: readonly (readonly string[])[]
}

export type Split = { readonly training: string; readonly unseen: string }

/** The share of the rows that a split does not learn from. */
export const unseenShare = 0.3

/** Three rows of ten are unseen, of each class as many; both parts have the header. */
export function splitRows({ task, columns, rows }: DataSet, seed: number): Split {
  const labels = [...new Set(rows.map((row) => row.at(-1) ?? ''))]
  const places = new Map(labels.map((label, place) => [label, place]))
  const classes = Int32Array.from(rows, (row) => places.get(row.at(-1) ?? '') ?? 0)
  const target = task === 'classes' ? ({ kind: 'classes', labels, classes } as const) : ({ kind: 'none' } as const)
  const held = new Set(cutShare(target, rows.length, unseenShare, seed))
  const header = [...columns.map(({ name }) => name), 'target']
  const text = (isUnseen: boolean) => csv([header, ...rows.filter((_, row) => held.has(row) === isUnseen)])
  return { training: text(false), unseen: text(true) }
}

export const csv = (rows: readonly (readonly string[])[]): string =>
  `${rows.map((row) => row.map(quoted).join(',')).join('\n')}\n`

const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** About `count` of the rows, in their order. */
export function some(data: DataSet, count: number): DataSet {
  if (data.rows.length <= count) return data
  const { uniform } = createRandom(1)
  const share = count / data.rows.length
  return { ...data, rows: data.rows.filter(() => uniform() < share) }
}
