import { areaUnderCurve } from './probability-metrics.ts'

/** How the share of a label's rows that are found grows with the share of other rows that are taken for it. */
export type RocCurve = {
  readonly label: number | string
  readonly auc: number
  /** From a threshold that no row reaches down to the lowest probability; the three lists have one length. */
  readonly threshold: readonly number[]
  readonly true_positive: readonly number[]
  readonly false_positive: readonly number[]
}

/** Of rows whose probability of a label lies in one tenth, the mean of it, and the share of rows that have the label. */
export type CalibrationBin = { readonly rows: number; readonly predicted: number; readonly observed: number }

export type CalibrationCurve = { readonly label: number | string; readonly bins: readonly CalibrationBin[] }

export type ProbabilityCurves = {
  readonly roc: readonly RocCurve[]
  readonly calibration: readonly CalibrationCurve[]
}

/** Curves of more labels, or of more points, would weigh more than a picture can show. */
const maxLabels = 10
const maxPoints = 50
const binCount = 10

/**
 * Of two labels the second, which `threshold` decides about; of more the ten with the most rows, each against the rest.
 * `values[row * labels.length + place]` is the probability of a label. Labels without rows on both sides have no curves.
 */
export function probabilityCurves(
  labels: readonly (number | string)[],
  truth: ArrayLike<number>,
  values: ArrayLike<number>,
): ProbabilityCurves | undefined {
  const curves = drawnLabels(labels, truth).flatMap((place) => {
    const scores = Float64Array.from({ length: truth.length }, (_, row) => values[row * labels.length + place] ?? 0)
    const isPositive = (row: number): boolean => truth[row] === place
    const auc = areaUnderCurve(scores, isPositive)
    const label = labels[place]
    if (auc === undefined || label === undefined) return []
    return [
      {
        roc: { label, auc, ...rocPoints(scores, isPositive) },
        calibration: { label, bins: calibrationBins(scores, isPositive) },
      },
    ]
  })
  if (curves.length === 0) return undefined
  return { roc: curves.map(({ roc }) => roc), calibration: curves.map(({ calibration }) => calibration) }
}

function drawnLabels(labels: readonly (number | string)[], truth: ArrayLike<number>): number[] {
  if (labels.length === 2) return [greaterPlace(labels)]
  const rows = new Int32Array(labels.length)
  for (let row = 0; row < truth.length; row += 1) {
    const place = truth[row] ?? -1
    if (place >= 0) rows[place] = (rows[place] ?? 0) + 1
  }
  const places = [...rows.keys()].sort((a, b) => (rows[b] ?? 0) - (rows[a] ?? 0) || a - b)
  return places.slice(0, maxLabels).sort((a, b) => a - b)
}

function greaterPlace([first, second]: readonly (number | string)[]): number {
  return first !== undefined && second !== undefined && first > second ? 0 : 1
}

/** One point a different score, thinned out to those that are farthest apart along the curve. */
function rocPoints(scores: Float64Array, isPositive: (row: number) => boolean): Omit<RocCurve, 'label' | 'auc'> {
  const order = Int32Array.from(scores.keys()).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
  const positives = order.filter(isPositive).length
  const negatives = order.length - positives
  const curve = { threshold: [1], true_positive: [0], false_positive: [0] }
  const last = { found: 0, taken: 0 }
  const step = 1 / (maxPoints / 2 - 1)
  let found = 0
  for (const [at, row] of order.entries()) {
    if (isPositive(row)) found += 1
    const isEnd = at === order.length - 1
    if (!isEnd && scores[order[at + 1] ?? 0] === scores[row]) continue
    const taken = at + 1 - found
    const isFar = (found - last.found) / positives >= step || (taken - last.taken) / negatives >= step
    if (!isFar && !isEnd) continue
    curve.threshold.push(thresholdAbove(scores[order[at + 1] ?? -1], scores[row] ?? 0))
    curve.true_positive.push(rounded(found / positives))
    curve.false_positive.push(rounded(taken / negatives))
    Object.assign(last, { found, taken })
  }
  return curve
}

/** Ten of one width; those without rows are left out. */
function calibrationBins(scores: Float64Array, isPositive: (row: number) => boolean): CalibrationBin[] {
  const bins = Array.from({ length: binCount }, () => ({ rows: 0, sum: 0, found: 0 }))
  for (const [row, score] of scores.entries()) {
    const bin = bins[Math.max(0, Math.min(binCount - 1, Math.floor(score * binCount)))]
    if (bin === undefined) continue
    bin.rows += 1
    bin.sum += score
    if (isPositive(row)) bin.found += 1
  }
  return bins
    .filter(({ rows }) => rows > 0)
    .map(({ rows, sum, found }) => ({ rows, predicted: rounded(sum / rows), observed: rounded(found / rows) }))
}

const fewDigits = 6
const allDigits = 17

/** The score with a few digits, rounded down so that its row reaches it, and with more where the next lower score would, too. */
function thresholdAbove(lower: number | undefined, score: number): number {
  for (let digits = fewDigits; digits < allDigits; digits += 1) {
    const threshold = roundedDown(score, digits)
    if (threshold <= score && (lower === undefined || threshold > lower)) return threshold
  }
  return score
}

function roundedDown(score: number, digits: number): number {
  const near = Number(score.toPrecision(digits))
  if (near <= score) return near
  const unit = 10 ** (Math.floor(Math.log10(near)) + 1 - digits)
  return Number((near - unit).toPrecision(digits))
}

const rounded = (share: number): number => Math.round(share * 10_000) / 10_000
