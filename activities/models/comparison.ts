import { z } from 'zod'
import { expected } from '../../base/decode/values.ts'
import type { ModelVersion, VersionRow } from './stores/versions.ts'

/** The metrics by which two versions are compared, and which of two values is the better one. */
const better = {
  accuracy: 'greater',
  macro_f1: 'greater',
  auc: 'greater',
  log_loss: 'smaller',
  brier: 'smaller',
  rmse: 'smaller',
  mae: 'smaller',
  r2: 'greater',
  sq_cor_coef: 'greater',
} as const

export type ComparedMetric = keyof typeof better
const names = Object.keys(better).filter((name): name is ComparedMetric => name in better)

/** `{"if": "log_loss", "better_than": "current", "by": 0.005}`: learning.md 3. */
export const conditionOnWire = z.object({
  if: z
    .enum(names, expected(`one of ${names.join(', ')}`))
    .meta({ description: 'the metric that decides, of the same rows for both versions' }),
  better_than: z
    .literal('current', expected('"current"'))
    .default('current')
    .meta({ description: 'the version that is current' }),
  by: z
    .number(expected('a number from 0'))
    .min(0, expected('a number from 0'))
    .default(0)
    .meta({ description: 'the least difference; 0: any' }),
})

/** The condition by which a version becomes current. */
export type Condition = { readonly metric: ComparedMetric; readonly by: number }

type Figures = Readonly<Record<string, unknown>>

/** Whether figures meet a condition, with the sentence that says so; undefined where a version has no such figure. */
export function compare(
  { metric, by }: Condition,
  own: { readonly number: number; readonly metrics: Figures },
  current: { readonly number: number; readonly metrics: Figures },
): { readonly isBetter: boolean; readonly says: string } {
  const [mine, its] = [own.metrics[metric], current.metrics[metric]]
  const lacking = typeof mine !== 'number' ? own : typeof its !== 'number' ? current : undefined
  if (lacking !== undefined || typeof mine !== 'number' || typeof its !== 'number') {
    const reason = lacking?.metrics.reason ?? lacking?.metrics.note
    const why = typeof reason === 'string' ? `: ${reason}` : ''
    return { isBetter: false, says: `version ${lacking?.number} has no ${metric} on the rows held out${why}` }
  }
  const gain = better[metric] === 'greater' ? mine - its : its - mine
  const isBetter = by > 0 ? gain >= by : gain > 0
  const figures = `${metric} of version ${own.number} is ${shown(mine)}, that of version ${current.number} ${shown(its)}`
  const bound = by > 0 ? `by ${by} or more` : 'at all'
  return { isBetter, says: `${figures} on the same rows: it is ${isBetter ? '' : 'not '}better ${bound}` }
}

const shown = (figure: number): string => String(Number(figure.toPrecision(6)))

/**
 * The figures of two versions on the same rows: those of the training of one of them, which measured the other beside its
 * own. Undefined where neither training did.
 */
export function besideEachOther(own: VersionRow, current: VersionRow) {
  if (own.beside?.version === current.number)
    return { own, current: { number: current.number, metrics: own.beside.metrics } }
  if (current.beside?.version === own.number)
    return { own: { number: own.number, metrics: current.beside.metrics }, current }
  return undefined
}

/** The ways in which a version predicts something else than another one, as ends of a sentence about it. */
export function differences({ facts: own }: ModelVersion, { facts: other }: ModelVersion): string[] {
  if (own === undefined || other === undefined) return []
  if (own.task !== other.task) return [`predicts ${own.task}, not ${other.task}`]
  const found = own.target === other.target ? [] : [`predicts ${own.target}, not ${other.target}`]
  const [mine, its] = [textsOf(own.labels), textsOf(other.labels)]
  if (mine.join('\n') === its.join('\n')) return found
  const gone = its.filter((label) => !mine.includes(label))
  const more = mine.filter((label) => !its.includes(label))
  return [
    ...found,
    ...(gone.length > 0 ? [`has no label ${some(gone)}`] : []),
    ...(more.length > 0 ? [`has the label ${some(more)} besides`] : []),
  ]
}

const textsOf = (labels: readonly (number | string)[] = []): string[] => [...new Set(labels.map(String))].sort()

const some = (labels: readonly string[]): string =>
  labels.length > 5 ? `${labels.slice(0, 5).join(', ')} and others` : labels.join(', ')
