import type { Random } from '../../../random.ts'
import type { Columns } from '../../columns.ts'
import { type ActiveSet, drop, shuffleActive } from './active-set.ts'
import { slopesOf, stepOf, violationOf } from './lasso.ts'

const PASSES = 1000
const LONGEST_STEP = 10

/** The loss's second-order model round a point: slopes and curvatures by weight, and the curvature of each row's loss. */
export type Quadratic = {
  readonly columns: Columns
  readonly slopes: Float64Array
  readonly curvatures: Float64Array
  readonly rowCurvatures: Float64Array
  readonly ridge: number
}

type Minimum = {
  readonly weights: Float64Array
  /** X (weights - start) */
  readonly scores: Float64Array
  readonly passes: number
}

/** Coordinate descent on the model plus sum |w_j| over the active weights, until their violations sum to `enough`. */
export function minimizeQuadratic(
  { columns, slopes, curvatures, rowCurvatures, ridge }: Quadratic,
  start: Float64Array,
  active: ActiveSet,
  enough: number,
  random: Random,
  beat: () => void,
): Minimum {
  const { offsets, rows, values } = columns
  const weights = start.slice()
  const scores = new Float64Array(columns.count)
  const inner: ActiveSet = { order: active.order, size: active.size }
  let shrinkAbove = Infinity

  for (let pass = 1; pass <= PASSES; pass++) {
    beat()
    shuffleActive(inner, random)
    let [largest, sum] = [0, 0]
    let at = 0
    while (at < inner.size) {
      const j = inner.order[at] ?? 0
      const [first, end] = [offsets[j] ?? 0, offsets[j + 1] ?? 0]
      const weight = weights[j] ?? 0
      let slope = (slopes[j] ?? 0) + (weight - (start[j] ?? 0)) * ridge
      for (let cell = first; cell < end; cell++) {
        const i = rows[cell] ?? 0
        slope += (values[cell] ?? 0) * (rowCurvatures[i] ?? 0) * (scores[i] ?? 0)
      }
      const sides = slopesOf(slope)
      if (weight === 0 && sides.up > shrinkAbove && sides.down < -shrinkAbove) {
        drop(inner, at)
        continue
      }
      at++
      const violation = violationOf(weight, sides)
      largest = Math.max(largest, violation)
      sum += violation
      const wanted = stepOf(weight, sides, curvatures[j] ?? 0)
      if (Math.abs(wanted) < 1e-12) continue
      const step = Math.min(Math.max(wanted, -LONGEST_STEP), LONGEST_STEP)
      weights[j] = weight + step
      for (let cell = first; cell < end; cell++) {
        const i = rows[cell] ?? 0
        scores[i] = (scores[i] ?? 0) + step * (values[cell] ?? 0)
      }
    }

    const settled = sum <= enough
    if (settled && inner.size === active.size) return { weights, scores, passes: pass }
    if (settled) inner.size = active.size
    shrinkAbove = settled ? Infinity : largest / columns.count
  }
  return { weights, scores, passes: PASSES }
}
