/** The statistics that a schema keeps of a value, as suggestions name them (docs/streams.md#running-statistics). */
import { statistics } from '../../api/codes.ts'
import { quantileName, usualLevels } from '../streams/statistic-query.ts'

type Kind = (typeof statistics)[string]

export type Kept = {
  /** The statistics by their names. */
  readonly statistic: string
  /** The ends of the columns of analysts' views, behind the name of the value. */
  readonly columns: readonly string[]
  /** The members of the value object, which conditions compare. */
  readonly members: readonly string[]
}

const columnsOfKind: Readonly<Record<Kind, readonly string[]>> = {
  COUNT: [],
  RSTAT: ['sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt'],
  UCOUNT: ['unique'],
  QUANTILES: [],
  LAST: ['last'],
  FIRST: ['first'],
  TOPK: ['top', 'top_error'],
}
const listed = new Set(['top', 'top_error'])

/** Undefined where none is kept. `stat` is one statistic or several. */
export function keptBy(stat: unknown, q?: unknown): Kept | undefined {
  const kinds = [stat].flat().flatMap((each) => statistics[String(each).toUpperCase()] ?? [])
  if (kinds.length === 0) return undefined
  const levels = (Array.isArray(q) ? q.map(Number) : usualLevels).map(quantileName)
  const columns = ['cnt', ...kinds.flatMap((kind) => (kind === 'QUANTILES' ? levels : columnsOfKind[kind]))]
  const isDistinctAlone = kinds.length === 1 && kinds[0] === 'UCOUNT'
  return {
    statistic: kinds.join(', '),
    columns,
    members: isDistinctAlone ? ['cnt'] : columns.filter((each) => !listed.has(each)),
  }
}

const units = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const

/** A window as paths call it: `1h`. */
export function windowName(seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds % each === 0) ?? ['s', 1]
  return `${seconds / length}${unit}`
}
