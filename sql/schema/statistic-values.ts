import type { StatisticKind, Statistics } from './schema.ts'
import { boundedMiddle } from './statistics/bins.ts'
import { quantileMember } from './statistics/quantile-member.ts'
import { isBareNumber, isPlain } from './statistics.ts'

/**
 * Merged states as `statesOf` selects them. They are finished here and not in SQL, where the analysis of the
 * formulas alone costs several times as much as reading and merging.
 */
export type States = PlainStates | ListedStates

/** Of one COUNT, UCOUNT or RSTAT by itself. */
export type PlainStates = number | Moments

/** The number of values, and the states of each statistic of a list but COUNT. */
export type ListedStates = readonly [count: number, ...states: unknown[]]

/** ClickHouse writes null for a number that is not finite. */
type Sum = number | null

/**
 * Number of values; power sums of those that lie near zero; pivots, and by pivot counts and power sums of the others'
 * distances from them, as a sum of maps yields them; least and greatest value as text.
 */
type Moments = readonly [
  count: number,
  near: readonly Sum[],
  far: readonly [pivots: readonly number[], counts: readonly number[], ...powers: readonly (readonly Sum[])[]],
  least: string | null,
  most: string | null,
]

/** The bins of the levels; least and greatest value as text. */
type Quantiles = readonly [bins: readonly number[], least: string | null, most: string | null]

/** The most frequent values as JSON texts with their counts, most frequent first; how many more there may be of any. */
type Top = readonly [values: readonly (readonly [value: string, count: number])[], error: number]

/** The power sums of the values' distances from a pivot. */
type PowerSums = readonly [pivot: number, count: number, first: Sum, second: Sum, third: Sum, fourth: Sum]

/** The statistics of a list whose states stand beside the number of values, in their order. */
export const listedKinds = ({ kinds }: Statistics): StatisticKind[] => kinds.filter((kind) => kind !== 'COUNT')

/** A value object, `{"cnt", ...}`, as JSON text. */
export function objectText(statistics: Statistics, states: States): string {
  if (isPlain(statistics))
    return typeof states === 'number' ? `{"cnt":${states}}` : `{"cnt":${states[0]},${momentMembers(states as Moments)}}`
  const [count, ...others] = states as ListedStates
  const members = listedKinds(statistics).map((kind, index) => memberTexts[kind](others[index], statistics))
  return `{${[`"cnt":${count}`, ...members].join(',')}}`
}

/** A row's `v`: the number, or the object as text. */
export const valueText = (statistics: Statistics, states: States): string =>
  isBareNumber(statistics) ? String(states) : objectText(statistics, states)

const noMoments: Moments = [0, [], [[], []], null, null]

/** States of no value, beside their number. */
const emptyOf: Readonly<Record<StatisticKind, unknown>> = {
  COUNT: 0,
  UCOUNT: 0,
  RSTAT: noMoments,
  QUANTILES: [[], null, null] satisfies Quantiles,
  LAST: 'null',
  FIRST: 'null',
  TOPK: [[], 0] satisfies Top,
}

/** The value of an interval without events. */
export function emptyStates(statistics: Statistics): States {
  if (isPlain(statistics)) return statistics.kinds[0] === 'RSTAT' ? noMoments : 0
  return [0, ...listedKinds(statistics).map((kind) => emptyOf[kind])]
}

/** The members that a statistic has in a value object of a list. */
const memberTexts: Readonly<Record<StatisticKind, (states: unknown, statistics: Statistics) => string>> = {
  COUNT: () => '',
  UCOUNT: (states) => `"unique":${states}`,
  RSTAT: (states) => momentMembers(states as Moments),
  QUANTILES: (states, { levels = [] }) =>
    levels.map((level, index) => `"${quantileMember(level)}":${quantileText(states as Quantiles, index)}`).join(','),
  LAST: (states) => `"last":${states}`,
  FIRST: (states) => `"first":${states}`,
  TOPK: (states) => topMembers(states as Top),
}

function topMembers([values, error]: Top): string {
  const shown = values.map(([value, count]) => `{"value":${value},"cnt":${count}}`)
  return `"top":[${shown.join(',')}],"top_error":${error}`
}

function quantileText([bins, least, most]: Quantiles, index: number): string {
  if (least === null || most === null) return 'null'
  return least === most ? least : number(boundedMiddle(bins[index] ?? 0, Number(least), Number(most)))
}

const number = (value: number): string => (Number.isFinite(value) ? String(value) : 'null')

/** A whole number that a double may not hold. */
const wholeNumber = (text: string | null): bigint | undefined =>
  text !== null && /^-?\d+$/.test(text) ? BigInt(text) : undefined

/** With all its digits, as far as 64 bits hold them. */
function product(value: bigint, n: number): string {
  const exact = value * BigInt(n)
  return BigInt.asIntN(64, exact) === exact ? String(exact) : number(Number(exact))
}

/** The least pivot first. */
function sumsOf([count, near, [pivots, counts, ...powers]]: Moments): readonly PowerSums[] {
  const power = (which: number, i: number): Sum => powers[which]?.[i] ?? null
  const far = pivots.map(
    (pivot, i): PowerSums => [pivot, counts[i] ?? 0, power(0, i), power(1, i), power(2, i), power(3, i)],
  )
  const others = far.reduce((sum, [, count]) => sum + count, 0)
  if (count === others) return far
  const [first = null, second = null, third = null, fourth = null] = near
  const sums: PowerSums = [0, count - others, first, second, third, fourth]
  return far.length === 0 ? [sums] : [sums, ...far].sort((a, b) => a[0] - b[0])
}

/** The number of values, and their power sums about the mean. */
export type CentralMoments = {
  readonly n: number
  readonly second: number
  readonly third: number
  readonly fourth: number
}

/** The moments that merged states stand for; the mean is `origin` and `offset`. The ends are texts. */
export function momentsOfStates(states: Moments) {
  const [, , , min, max] = states
  const { n, pivot, shift, mean, second, third, fourth } = centralSums(sumsOf(states))
  const only = n > 0 && min !== null && min === max ? Number(min) : undefined
  const sum = n * (only ?? pivot) + (only === undefined ? shift : 0)
  const average = n > 0 && Number.isFinite(sum) ? sum / n : pivot + mean
  return { n, sum, origin: pivot, offset: mean, mean: only ?? average, second, third, fourth, min, max }
}

/**
 * Sample deviation, adjusted Fisher-Pearson skewness G1 and sample excess kurtosis G2 from central power sums
 * (Joanes and Gill, "Comparing measures of sample skewness and kurtosis", 1998). A value may not be finite.
 */
export function shapeOf({ n, second, third, fourth }: CentralMoments, areEqual: boolean) {
  const isFlat = areEqual || second <= 0
  const variance = second / n
  // A root and no power of 1.5, whose last bit differs between versions of V8.
  const spread = variance * Math.sqrt(variance)
  return {
    stdd: n < 2 || isFlat ? 0 : Math.sqrt(second / (n - 1)),
    skew: n < 3 || isFlat ? 0 : ((Math.sqrt(n * (n - 1)) / (n - 2)) * (third / n)) / spread,
    kurt:
      n < 4 || isFlat ? 0 : ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * ((n * fourth) / (second * second) - 3) + 6),
  }
}

/** All members but the number of values. A value that is not finite is null. */
function momentMembers(states: Moments): string {
  const moments = momentsOfStates(states)
  const { n, sum, mean, min, max } = moments
  const areEqual = n > 0 && min !== null && min === max
  const whole = areEqual ? wholeNumber(min) : undefined
  const { stdd, skew, kurt } = shapeOf(moments, areEqual)
  const ends = `"min":${min ?? 0},"max":${max ?? 0}`
  const shape = `"stdd":${number(stdd)},"skew":${number(skew)},"kurt":${number(kurt)}`
  return whole === undefined
    ? `"sum":${number(sum)},${ends},"avg":${number(mean)},${shape}`
    : `"sum":${product(whole, n)},${ends},"avg":${whole},${shape}`
}

/**
 * Power sums about the mean. Sums about several pivots are first brought to the mean each, which lies `mean` above the
 * first pivot.
 */
function centralSums(sums: readonly PowerSums[]) {
  const pivot = sums[0]?.[0] ?? 0
  let [n, shift] = [0, 0]
  for (const [p, count, first] of sums) {
    n += count
    shift += orNaN(first) + count * (p - pivot)
  }
  const mean = n === 0 ? 0 : shift / n
  let [second, third, fourth] = [0, 0, 0]
  for (const [p, c, s1, s2, s3, s4] of sums) {
    const d = p - pivot - mean
    const [a, b, e, f] = [orNaN(s1), orNaN(s2), orNaN(s3), orNaN(s4)]
    second += b + d * (2 * a + c * d)
    third += e + d * (3 * b + d * (3 * a + c * d))
    fourth += f + d * (4 * e + d * (6 * b + d * (4 * a + c * d)))
  }
  return { n, pivot, shift, mean, second, third, fourth }
}

const orNaN = (sum: number | null): number => sum ?? Number.NaN
