import type { StatisticKind } from './schema.ts'

/**
 * Merged states as `StatisticSql.states` selects them. They are finished here and not in SQL, where the analysis of the
 * formulas alone costs several times what reading and merging does.
 */
export type States = number | MomentStates

/** Number of values, sums by pivot, least and greatest value as text; ClickHouse writes null for what is not finite. */
export type MomentStates = readonly [
  count: number,
  sums: readonly [
    pivots: readonly number[],
    counts: readonly number[],
    ...powers: readonly (readonly (number | null)[])[],
  ],
  least: string | null,
  most: string | null,
]

const memberNames = ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt'] as const

/** The value object of interface 2.7 as JSON text. */
export const objectText = (states: States): string =>
  typeof states === 'number' ? `{"cnt":${states}}` : momentsText(states)

/** A row's `v`: the number, or the object as text. */
export const valueText = (states: States): string => (typeof states === 'number' ? String(states) : momentsText(states))

/** The value of an interval without events. */
export const emptyStates = (kind: StatisticKind): States => (kind === 'RSTAT' ? [0, [[], []], null, null] : 0)

const number = (value: number): string => (Number.isFinite(value) ? JSON.stringify(value) : 'null')

/** One that a double may not hold. */
const wholeNumber = (text: string | null): bigint | undefined =>
  text !== null && /^-?\d+$/.test(text) ? BigInt(text) : undefined

/** With all its digits, as far as 64 bits hold them. */
function product(value: bigint, n: number): string {
  const exact = value * BigInt(n)
  return BigInt.asIntN(64, exact) === exact ? String(exact) : number(Number(exact))
}

/**
 * Sample deviation, adjusted Fisher-Pearson skewness G1 and sample excess kurtosis G2 from central power sums
 * (Joanes and Gill, "Comparing measures of sample skewness and kurtosis", 1998). What is not finite is null.
 */
function momentsText([n, sums, least, most]: MomentStates): string {
  const { pivot, shift, mean, second, third, fourth } = centralSums(n, sums)
  const only = n > 0 && least !== null && least === most ? Number(least) : undefined
  const isFlat = only !== undefined || second <= 0
  const sum = n * (only ?? pivot) + (only === undefined ? shift : 0)
  const average = n > 0 && Number.isFinite(sum) ? sum / n : pivot + mean
  const whole = only === undefined ? undefined : wholeNumber(least)
  const values = [
    String(n),
    whole === undefined ? number(sum) : product(whole, n),
    least ?? '0',
    most ?? '0',
    whole === undefined ? number(only ?? average) : String(whole),
    number(n < 2 || isFlat ? 0 : Math.sqrt(second / (n - 1))),
    number(n < 3 || isFlat ? 0 : ((Math.sqrt(n * (n - 1)) / (n - 2)) * (third / n)) / (second / n) ** 1.5),
    number(
      n < 4 || isFlat ? 0 : ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * ((n * fourth) / (second * second) - 3) + 6),
    ),
  ]
  return `{${memberNames.map((name, index) => `"${name}":${values[index]}`).join(',')}}`
}

/**
 * Power sums about the mean. Sums about several pivots are first brought to the mean each, which lies `mean` above the
 * first pivot.
 */
function centralSums(n: number, [pivots, counts, ...powers]: MomentStates[1]) {
  const pivot = pivots[0] ?? 0
  const power = (which: number, i: number): number => powers[which]?.[i] ?? Number.NaN
  let shift = 0
  pivots.forEach((p, i) => {
    shift += power(0, i) + (counts[i] ?? 0) * (p - pivot)
  })
  const mean = n === 0 ? 0 : shift / n
  let [second, third, fourth] = [0, 0, 0]
  pivots.forEach((p, i) => {
    const d = p - pivot - mean
    const [c, a, b, e, f] = [counts[i] ?? 0, power(0, i), power(1, i), power(2, i), power(3, i)]
    second += b + d * (2 * a + c * d)
    third += e + d * (3 * b + d * (3 * a + c * d))
    fourth += f + d * (4 * e + d * (6 * b + d * (4 * a + c * d)))
  })
  return { pivot, shift, mean, second, third, fourth }
}
