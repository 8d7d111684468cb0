import { addAgreement, agreementOf, noAgreement } from './agreement.ts'
import { type ProbabilityCurves, probabilityCurves } from './probability-curves.ts'
import { type ProbabilityMetrics, probabilityMetrics } from './probability-metrics.ts'
import { type ResidualFigures, residualFigures } from './residuals.ts'

/** The metrics of one label: how many rows have it, and how well it is found. */
export type LabelMetrics = {
  readonly label: number | string
  readonly rows: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export type ClassMetrics = {
  readonly rows: number
  /** A share from 0 to 1. */
  readonly accuracy: number
  readonly labels: readonly (number | string)[]
  /** `confusion[i][j]`: rows of label i that are predicted as label j; rows that are predicted as none are in no column. */
  readonly confusion: readonly (readonly number[])[]
  readonly by_label: readonly LabelMetrics[]
  /** The mean F1 of the labels that rows have or are predicted to have. */
  readonly macro_f1: number
  /** The accuracy of a model that always says the most frequent label of the rows that were learnt from. */
  readonly baseline: number
} & Partial<ProbabilityMetrics & ProbabilityCurves>

/** The facts that only the model and its training part know. */
export type ClassFacts = {
  /** The classes of the rows that were learnt from; absent: those of the rows that are measured. */
  readonly learnt?: ArrayLike<number> | undefined
  /** In the order of `labels`; absent where the model has none. */
  readonly probabilities?: ArrayLike<number> | undefined
}

/**
 * `truth` and `predicted` hold indices into `labels`; a row that is predicted as none of them, by -1, counts as missed in
 * its label's rows and stands in no column of the confusion. A ratio without rows is 0.
 */
export function classMetrics(
  labels: readonly (number | string)[],
  truth: ArrayLike<number>,
  predicted: ArrayLike<number>,
  { learnt = truth, probabilities }: ClassFacts = {},
): ClassMetrics {
  const confusion = labels.map(() => labels.map(() => 0))
  for (let i = 0; i < truth.length; i += 1) {
    const row = confusion[truth[i] ?? -1]
    const column = predicted[i] ?? -1
    if (row !== undefined && column >= 0) row[column] = (row[column] ?? 0) + 1
  }
  const support = countsOf(labels.length, truth)
  const hits = labels.map((_, label) => confusion[label]?.[label] ?? 0)
  const by_label = labels.map((label, i) => {
    const rows = support[i] ?? 0
    const found = sum(confusion.map((row) => row[i] ?? 0))
    const hit = hits[i] ?? 0
    const [precision, recall, f1] = [ratio(hit, found), ratio(hit, rows), ratio(2 * hit, rows + found)]
    return { label, rows, precision, recall, f1 }
  })
  const seen = by_label.filter(({ rows }, i) => rows + sum(confusion.map((row) => row[i] ?? 0)) > 0)
  const usual = greatestPlace(countsOf(labels.length, learnt))
  return {
    rows: truth.length,
    accuracy: ratio(sum(hits), truth.length),
    labels,
    confusion,
    by_label,
    macro_f1: ratio(sum(seen.map(({ f1 }) => f1)), seen.length),
    baseline: ratio(by_label[usual]?.rows ?? 0, truth.length),
    ...(probabilities === undefined || truth.length === 0
      ? {}
      : {
          ...probabilityMetrics(truth, { labels: labels.length, values: probabilities }),
          ...probabilityCurves(labels, truth, probabilities),
        }),
  }
}

function countsOf(labels: number, classes: ArrayLike<number>): Int32Array {
  const counts = new Int32Array(labels)
  for (let i = 0; i < classes.length; i += 1) {
    const label = classes[i] ?? -1
    if (label >= 0) counts[label] = (counts[label] ?? 0) + 1
  }
  return counts
}

const greatestPlace = (counts: Int32Array): number =>
  counts.reduce((best, count, place) => (count > (counts[best] ?? 0) ? place : best), 0)

export type NumberMetrics = {
  readonly rows: number
  readonly rmse: number
  readonly mae: number
  /** 1 less the share of the variance that is left; 0 where the truth does not vary. */
  readonly r2: number
  readonly sq_cor_coef: number
  /** The RMSE of a model that always says the mean of the rows that were learnt from. */
  readonly baseline: number
  /** Nine of ten rows are off by so much: from the 5 % to the 95 % quantile of truth less prediction. */
  readonly interval_90: readonly [number, number]
} & Partial<ResidualFigures>

/** `usual` is the mean of the rows that were learnt from; absent: that of the rows that are measured. */
export function numberMetrics(truth: ArrayLike<number>, predicted: ArrayLike<number>, usual?: number): NumberMetrics {
  const rows = truth.length
  const values = Array.from(truth)
  const mean = ratio(sum(values), rows)
  const variation = sum(values.map((value) => (value - mean) ** 2))
  // The mean of equal values may be off by a digit, and so is their variation.
  const varies = variation > 0 && values.some((value) => value !== values[0])
  const errors = values.map((value, i) => (predicted[i] ?? 0) - value)
  const squares = sum(errors.map((error) => error ** 2))
  const residuals = Float64Array.from(errors, (error) => -error).sort()
  const sums = values.reduce((all, value, i) => addAgreement(all, predicted[i] ?? 0, value), noAgreement)
  return {
    rows,
    rmse: Math.sqrt(ratio(squares, rows)),
    mae: ratio(sum(errors.map(Math.abs)), rows),
    r2: varies ? 1 - squares / variation : 0,
    sq_cor_coef: agreementOf(sums).sq_cor_coef,
    baseline: Math.sqrt(ratio(sum(values.map((value) => (value - (usual ?? mean)) ** 2)), rows)),
    interval_90: [quantile(residuals, 0.05), quantile(residuals, 0.95)],
    ...residualFigures(truth, predicted),
  }
}

/** Of sorted values, by straight lines between them. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const low = sorted[Math.floor(at)] ?? 0
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at))
}

export type ClusterMetrics = { readonly rows: number; readonly inertia: number; readonly sizes: readonly number[] }

/** `distances[i]` is row i's distance to the centre of its cluster; inertia is the sum of their squares. */
export function clusterMetrics(k: number, clusters: ArrayLike<number>, distances: ArrayLike<number>): ClusterMetrics {
  const sizes = new Array<number>(k).fill(0)
  for (let i = 0; i < clusters.length; i += 1) {
    const cluster = clusters[i] ?? 0
    sizes[cluster] = (sizes[cluster] ?? 0) + 1
  }
  return { rows: clusters.length, inertia: sum(Array.from(distances, (distance) => distance ** 2)), sizes }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
