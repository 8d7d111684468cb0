import { momentsOfStates, type PlainStates, shapeOf } from '../../../sql/schema/statistic-values.ts'
import { lostOf } from '../step/moments.ts'

type Numeric = number | bigint

/** A running statistic as it is remembered. Sum and mean have the digits beside them that a double of their size lacks. */
export type RunningMoments = readonly [
  n: number,
  sum: number,
  sumRest: number,
  mean: number,
  meanRest: number,
  second: number,
  third: number,
  fourth: number,
  least: Numeric | null,
  most: Numeric | null,
]

export const noMoments: RunningMoments = [0, 0, 0, 0, 0, 0, 0, 0, null, null]

/**
 * Central moments with one value more (Pébay, "Formulas for robust, one-pass parallel computation of covariances and
 * arbitrary-order statistical moments", 2008).
 */
export function withValue(
  [before, sum, sumRest, mean, meanRest, second, third, fourth, least, most]: RunningMoments,
  value: Numeric,
): RunningMoments {
  const x = Number(value)
  const n = before + 1
  const delta = x - mean - meanRest
  const step = delta / n
  const square = step * step
  const term = delta * step * before
  return [
    n,
    sum + x,
    sumRest + lostOf(sum, x),
    mean + step,
    meanRest + lostOf(mean, step),
    second + term,
    third + term * step * (n - 2) - 3 * step * second,
    fourth + term * square * (n * n - 3 * n + 3) + 6 * square * second - 4 * step * third,
    least === null || value < least ? value : least,
    most === null || value > most ? value : most,
  ]
}

/** The moments of two sets together (Pébay, as above). */
export function mergeMoments(left: RunningMoments, right: RunningMoments): RunningMoments {
  const [n1, sum1, sumRest1, mean1, meanRest1, second1, third1, fourth1, least1, most1] = left
  const [n2, sum2, sumRest2, mean2, meanRest2, second2, third2, fourth2, least2, most2] = right
  if (n1 === 0) return right
  if (n2 === 0) return left
  const n = n1 + n2
  const delta = mean2 + meanRest2 - mean1 - meanRest1
  const step = (delta * n2) / n
  const square = delta * delta
  const product = (n1 * n2) / n
  return [
    n,
    sum1 + sum2,
    sumRest1 + sumRest2 + lostOf(sum1, sum2),
    mean1 + step,
    meanRest1 + lostOf(mean1, step),
    second1 + second2 + square * product,
    third1 + third2 + (square * delta * product * (n1 - n2)) / n + (3 * delta * (n1 * second2 - n2 * second1)) / n,
    fourth1 +
      fourth2 +
      (square * square * product * (n1 * n1 - n1 * n2 + n2 * n2)) / (n * n) +
      (6 * square * (n1 * n1 * second2 + n2 * n2 * second1)) / (n * n) +
      (4 * delta * (n1 * third2 - n2 * third1)) / n,
    least1 === null || (least2 !== null && least2 < least1) ? least2 : least1,
    most1 === null || (most2 !== null && most2 > most1) ? most2 : most1,
  ]
}

/** The states that ClickHouse has merged, to go on with. */
export function momentsFrom(states: Exclude<PlainStates, number>): RunningMoments {
  const { n, sum, origin, offset, second, third, fourth, min, max } = momentsOfStates(states)
  const mean = origin + offset
  return [n, sum, 0, mean, lostOf(origin, offset), second, third, fourth, numberOf(min), numberOf(max)]
}

/** A least or greatest value. */
export function numberOf(text: string | null): Numeric | null {
  if (text === null) return null
  const number = Number(text)
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number
}

/** The one value that there was, however often. */
const onlyOf = ([n, , , , , , , , least, most]: RunningMoments): Numeric | undefined =>
  n > 0 && least !== null && least === most ? least : undefined

function shape(moments: RunningMoments) {
  const [n, , , , , second, third, fourth] = moments
  return shapeOf({ n, second, third, fourth }, onlyOf(moments) !== undefined)
}

function sumOf(moments: RunningMoments): Numeric {
  const [n, sum, rest] = moments
  const only = onlyOf(moments)
  if (only === undefined) return sum + rest
  if (typeof only === 'number' && !Number.isInteger(only)) return n * only
  const exact = BigInt(only) * BigInt(n)
  return BigInt.asIntN(64, exact) === exact ? exact : Number(exact)
}

function meanOf(moments: RunningMoments): Numeric {
  const [n, sum, rest, mean] = moments
  return onlyOf(moments) ?? (n > 0 && Number.isFinite(sum + rest) ? (sum + rest) / n : mean)
}

/** The members of the statistic's value object. */
export const momentFields: Readonly<Record<string, (moments: RunningMoments) => Numeric>> = {
  cnt: ([n]) => n,
  sum: sumOf,
  min: ([, , , , , , , , least]) => least ?? 0,
  max: ([, , , , , , , , , most]) => most ?? 0,
  avg: meanOf,
  stdd: (moments) => shape(moments).stdd,
  skew: (moments) => shape(moments).skew,
  kurt: (moments) => shape(moments).kurt,
}
