import { createRandom, draw } from './random.ts'

/** How truth less prediction is spread: rows in bins of one width, and those that lie outside of them. */
export type ResidualBins = {
  readonly from: number
  readonly to: number
  readonly rows: readonly number[]
  readonly below: number
  readonly above: number
}

export type ResidualFigures = {
  readonly residuals: ResidualBins
  /** `[truth, prediction]` of a sample of the rows. */
  readonly pairs: readonly (readonly [number, number])[]
}

const binCount = 20
const maxPairs = 200

/**
 * The bins span the middle 98 of 100 residuals, so that a few far off ones do not press all others into one bin.
 * Undefined without rows, or where a prediction is no number.
 */
export function residualFigures(truth: ArrayLike<number>, predicted: ArrayLike<number>): ResidualFigures | undefined {
  const residuals = Float64Array.from(truth, (value, row) => value - (predicted[row] ?? Number.NaN))
  if (residuals.length === 0 || !residuals.every(Number.isFinite)) return undefined
  const sorted = residuals.slice().sort()
  const last = sorted.length - 1
  const from = sorted[Math.floor(last * 0.01)] ?? 0
  const to = sorted[Math.ceil(last * 0.99)] ?? 0
  const rows = new Array<number>(to > from ? binCount : 1).fill(0)
  let below = 0
  let above = 0
  for (const residual of residuals) {
    if (residual < from) below += 1
    else if (residual > to) above += 1
    else {
      const bin = to > from ? Math.min(binCount - 1, Math.floor(((residual - from) / (to - from)) * binCount)) : 0
      rows[bin] = (rows[bin] ?? 0) + 1
    }
  }
  return { residuals: { from, to, rows, below, above }, pairs: pairsOf(truth, predicted) }
}

function pairsOf(truth: ArrayLike<number>, predicted: ArrayLike<number>): (readonly [number, number])[] {
  const order = Int32Array.from({ length: truth.length }, (_, row) => row)
  const count = Math.min(order.length, maxPairs)
  if (count < order.length) draw(order, createRandom(1), count)
  return Array.from(order.subarray(0, count).sort(), (row) => [brief(truth[row] ?? 0), brief(predicted[row] ?? 0)])
}

/** Seven digits: a picture shows no more. */
const brief = (value: number): number => Number(value.toPrecision(7))
