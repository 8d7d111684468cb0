import type { Learned } from '../../../learn/algorithms/algorithm.ts'
import type { Classes, Features, FitWatch, Target } from '../../../learn/dataset.ts'
import type { Encoding } from '../../../learn/encoding/encoding.ts'
import { attributeColumns, permutationImportance, permutationRows } from '../../../learn/importance.ts'
import { classMetrics, numberMetrics } from '../../../learn/metrics.ts'
import { probabilityCurves } from '../../../learn/probability-curves.ts'
import { probabilityMetrics } from '../../../learn/probability-metrics.ts'
import { createRandom, draw } from '../../../learn/random.ts'
import { selectRows } from '../../../learn/select-rows.ts'
import { silhouetteOf, silhouetteRows } from '../../../learn/silhouette.ts'
import { selectTarget } from '../../../learn/tuning/select-target.ts'
import { type FitRequest, type LearnedRows, learnRows } from './fit-rows.ts'
import { heldOf } from './hold-out.ts'
import { encodePrepared, type PreparedRows, seriesOfPrepared, targetOfPrepared } from './prepared.ts'

/** Learns from the training part, and measures how well the rows held out are predicted, of which nothing was learnt before. */
export function measureRows(request: FitRequest, prepared: PreparedRows, watch: FitWatch): object {
  const { rest } = heldOf(prepared)
  return measureLearned(learnRows(request, prepared, watch, rest), prepared)
}

/** How well a model that learnt from the other rows predicts the rows held out. */
export function measureLearned({ learned, encoding }: LearnedRows, prepared: PreparedRows): object {
  const target = targetOfPrepared(prepared)
  const { held, rest } = heldOf(prepared)
  const learnt = selectTarget(target, rest)
  const features = encodePrepared(prepared, encoding, held)
  const truth = selectTarget(target, held)
  return {
    ...metricsOf({ learned, features, truth, learnt }),
    ...permutationOf({ learned, features, truth, encoding }),
    ...(seriesOfPrepared(prepared) && lastValueOf(prepared, held, truth)),
  }
}

/** The RMSE of a model of series that always says the last value. */
function lastValueOf(prepared: PreparedRows, held: Int32Array, truth: Target): { readonly baseline_last?: number } {
  const latest = prepared.kind === 'table' ? prepared.table.columns.at(-1) : undefined
  if (latest?.kind !== 'number' || truth.kind !== 'numbers') return {}
  const last = Float64Array.from(held, (row) => latest.values[row] ?? 0)
  return { baseline_last: numberMetrics(truth.values, last).rmse }
}

type Measured = { readonly learned: Learned; readonly features: Features; readonly truth: Target }

function metricsOf({ learned, features, truth, learnt }: Measured & { readonly learnt: Target }): object {
  const { rows } = features
  if (learned.cluster !== undefined) {
    const { inertia, sizes } = learned.cluster(features)
    return { rows, inertia, sizes: [...sizes], ...silhouette(learned, features) }
  }
  const predicted = learned.predict(features)
  if (truth.kind === 'numbers') {
    const usual = learnt.kind === 'numbers' ? meanOf(learnt.values) : undefined
    return numberMetrics(truth.values, Array.from(predicted, Number), usual)
  }
  if (truth.kind === 'none') return { rows, inside: Array.from(predicted).filter((label) => label === 1).length / rows }
  const indices = placesOf(truth.labels, predicted)
  const classes = classMetrics(truth.labels, truth.classes, indices, {
    learnt: learnt.kind === 'classes' ? learnt.classes : undefined,
  })
  return { ...classes, ...figuresOfProbabilities(learned, features, truth) }
}

/** Rows times labels: a probability is 8 bytes. */
const maxProbabilities = 10_000_000

/** Of a sample where the rows and labels are many. */
function figuresOfProbabilities(learned: Learned, features: Features, { labels, classes }: Classes): object {
  const order = sampleOf(features.rows, Math.min(features.rows, Math.floor(maxProbabilities / labels.length)))
  const values = probabilitiesOf(learned, selectRows(features, order), labels)
  if (values === undefined || order.length === 0) return {}
  const truth = order.map((row) => classes[row] ?? 0)
  return {
    ...probabilityMetrics(truth, { labels: labels.length, values }),
    ...probabilityCurves(labels, truth, values),
  }
}

function silhouette(learned: Learned, features: Features): { readonly silhouette?: number } {
  const { rows, columns } = features
  const count = silhouetteRows(rows, columns)
  if (count < 2) return {}
  const some = sampled(features, count)
  const found = silhouetteOf(some, Int32Array.from(learned.predict(some), Number))
  return found === undefined ? {} : { silhouette: found }
}

/** By attribute, where the model itself does not tell how much each counts. */
function permutationOf({ learned, features, truth, encoding }: Measured & { readonly encoding: Encoding }): object {
  if (learned.columnImportance !== undefined || truth.kind === 'none') return {}
  const attributes = attributeColumns(encoding)
  const count = permutationRows(features.rows, features.columns, { attributes, vectors: learned.vectors })
  if (count === 0) return {}
  const order = sampleOf(features.rows, count)
  const known = selectTarget(truth, order)
  const importance = permutationImportance(selectRows(features, order), {
    attributes,
    quality: (shuffled) => qualityOf(learned.predict(shuffled), known),
  })
  return { importance, importance_by: 'permutation' }
}

/** The accuracy, or R2. */
function qualityOf(predicted: ArrayLike<number | string>, truth: Target): number {
  if (truth.kind === 'numbers') return numberMetrics(truth.values, Array.from(predicted, Number)).r2
  if (truth.kind === 'none') return 0
  const right = truth.classes.filter((label, row) => truth.labels[label] === predicted[row]).length
  return right / truth.classes.length
}

const placesOf = (labels: readonly (number | string)[], predicted: ArrayLike<number | string>): number[] => {
  const places = new Map(labels.map((label, place) => [label, place]))
  return Array.from(predicted, (label) => places.get(label) ?? -1)
}

/** `[rows, labels]` in the order of these labels; one that the training part does not have is never probable. */
function probabilitiesOf(
  { labels: own = [], probabilities }: Learned,
  features: Features,
  labels: readonly (number | string)[],
): Float64Array | undefined {
  if (probabilities === undefined) return undefined
  const found = probabilities(features)
  const places = placesOf(own, labels)
  const shares = new Float64Array(features.rows * labels.length)
  for (const cell of shares.keys()) {
    const place = places[cell % labels.length] ?? -1
    if (place >= 0) shares[cell] = found[Math.floor(cell / labels.length) * own.length + place] ?? 0
  }
  return shares
}

/** A seeded sample of `count` rows, in order. */
function sampleOf(rows: number, count: number): Int32Array {
  const order = Int32Array.from({ length: rows }, (_, row) => row)
  if (count >= rows) return order
  draw(order, createRandom(1), count)
  return order.slice(0, count).sort()
}

const sampled = (features: Features, count: number): Features => selectRows(features, sampleOf(features.rows, count))

const meanOf = (values: Float64Array): number => values.reduce((mean, value, i) => mean + (value - mean) / (i + 1), 0)
