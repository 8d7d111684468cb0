import type { ModelClient } from '../models/model-client.ts'
import type { Figure } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import { unseenShare } from './data-set.ts'
import type { Reference } from './references.ts'

export const part = 'quality'

export type Place = {
  readonly folder: string
  readonly packages: string
  readonly service: ServiceProcess
  readonly client: ModelClient
}

/** A figure of one split: the score, and the log loss where there is one. */
export type Score = { readonly score: number; readonly loss?: number | undefined }

export type Summary = { readonly score: number; readonly error: number; readonly loss: number | undefined }

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** The part of a split's standard error that a mean over so many splits has, in which more of the rows are unseen once at least. */
const lessened = (splits: number): number => Math.sqrt(unseenShare / (1 - (1 - unseenShare) ** Math.max(1, splits)))

/** The means over the splits, and the standard error of the mean. */
export function summaryOf(scores: readonly (Score & { readonly error?: number })[]): Summary {
  const losses = scores.flatMap(({ loss }) => (loss === undefined ? [] : [loss]))
  return {
    score: meanOf(scores.map(({ score }) => score)),
    error: lessened(scores.length) * meanOf(scores.map(({ error = 0 }) => error)),
    loss: losses.length === 0 ? undefined : meanOf(losses),
  }
}

/** By name, in the order of their first appearance, of the cases that `of` takes. */
export function byReference(all: readonly Reference[], of: (name: string) => boolean): ReadonlyMap<string, Summary> {
  const names = [...new Set(all.map(({ reference }) => reference))]
  return new Map(
    names.flatMap((name) => {
      const own = all.filter((each) => each.reference === name && of(each.case))
      return own.length === 0 ? [] : [[name, summaryOf(own)] as const]
    }),
  )
}

const three = (value: number): string => value.toFixed(3)

const shown = ({ score, loss }: Summary): string =>
  loss === undefined ? three(score) : `${three(score)} (${three(loss)})`

/** How far a score may be behind the best of its references: a difference, or one standard error of that one. */
export type Margin = number | 'one standard error'

export function compared(what: string, own: Summary, references: ReadonlyMap<string, Summary>, margin: Margin): Figure {
  const [best] = [...references.values()].toSorted((a, b) => b.score - a.score)
  if (best === undefined) return { part, what, weir: shown(own), beside: '', target: '' }
  const less = margin === 'one standard error' ? best.error : margin
  return {
    part,
    what,
    weir: shown(own),
    beside: [...references].map(([name, summary]) => `${name} ${shown(summary)}`).join('; '),
    target: three(best.score - less),
    isMet: own.score >= best.score - less,
  }
}

/** Shown as it is found: the whole part takes minutes. */
export function told(figure: Figure): Figure {
  console.error(`${figure.what}: ${figure.weir}; ${figure.beside}; target ${figure.target}`)
  return figure
}

/** The end of a figure's title. */
export const tunedOn = (splits: number): string => `, tuned, ${splits === 1 ? 'first split' : `${splits} splits`}`
