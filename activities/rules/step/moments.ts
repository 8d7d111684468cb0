import type { MovingValue } from '../../../sql/schema/schema.ts'

/**
 * A set of numbers: how many there are, their sum with the part of it that was rounded off, their mean, the sum of the
 * squared distances from it, the least and the greatest one.
 */
export type Moments = readonly [
  count: number,
  sum: number,
  lost: number,
  mean: number,
  squares: number,
  min: number,
  max: number,
]

export const momentsOf = (value: number): Moments => [1, value, 0, value, 0, value, value]

/** The part of a sum of two that is rounded off (Neumaier). */
export function lostOf(left: number, right: number): number {
  const sum = left + right
  return Math.abs(left) >= Math.abs(right) ? left - sum + right : right - sum + left
}

/**
 * The moments of two sets together (Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample
 * variances", 1979).
 */
export function merge(left: Moments | undefined, right: Moments): Moments {
  if (left === undefined) return right
  const [leftCount, leftSum, leftLost, leftMean, leftSquares, leftMin, leftMax] = left
  const [rightCount, rightSum, rightLost, rightMean, rightSquares, rightMin, rightMax] = right
  const count = leftCount + rightCount
  const apart = rightMean - leftMean
  const step = (apart * rightCount) / count
  return [
    count,
    leftSum + rightSum,
    leftLost + rightLost + lostOf(leftSum, rightSum),
    leftMean + step,
    leftSquares + rightSquares + apart * step * leftCount,
    Math.min(leftMin, rightMin),
    Math.max(leftMax, rightMax),
  ]
}

/** A statistic of a set that is not empty. The deviation is that of a sample, and 0 where all values are equal. */
export const statistics: Readonly<Record<MovingValue['statistic'], (moments: Moments) => number>> = {
  COUNT: ([count]) => count,
  SUM: ([, sum, lost]) => sum + lost,
  AVG: ([count, sum, lost]) => (sum + lost) / count,
  STD: ([count, , , , squares, min, max]) => (min === max ? 0 : Math.sqrt(squares / (count - 1))),
  MIN: ([, , , , , min]) => min,
  MAX: ([, , , , , , max]) => max,
}

/** The statistics that an empty set has, too. */
export const ofNoValue: Readonly<Partial<Record<MovingValue['statistic'], number>>> = { COUNT: 0, SUM: 0 }
