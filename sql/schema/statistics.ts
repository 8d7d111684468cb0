import { identifier } from '../identifier.ts'
import { columnType, rowAlias, valueOf } from './columns.ts'
import { pivotColumn, stateColumn } from './names.ts'
import type { Attribute, AttributeType, StatisticKind } from './schema.ts'

/** A statistic over `input`, kept under the name `result`. For a running statistic both are the attribute. */
export type Measure = {
  readonly result: string
  readonly input: Pick<Attribute, 'name' | 'type'>
  readonly kind: StatisticKind
}

/** A column that analysts see. `about` says what it holds of the statistic's input, and when it is NULL. */
export type ReadableColumn = { readonly value: string; readonly type: string; readonly about: string }

export type StatisticSql = {
  /** Columns of the aggregate table, as `name type`. */
  columns(measure: Measure): string[]
  /** The expressions that a view selects from the Null table for those columns. */
  feed(measure: Measure): string[]
  /** Merged states under any GROUP BY, as one value that `statistic-values.ts` finishes. */
  states(result: string): string
  /** Merges states under any GROUP BY; the fields refer to these by alias. */
  merge(result: string): string[]
  /** The members of an answer's value object (`cnt`, `sum`, ...) over the aliases of `merge`. */
  fields(result: string): Readonly<Record<string, string>>
  /** Columns that analysts see, by suffix. */
  readable(measure: Measure): Readonly<Record<string, ReadableColumn>>
  /** The state that analysts merge over rows, under any GROUP BY, where the readable columns cannot be. */
  state?(measure: Measure): ReadableColumn
  /** A row's `v` in a query without rollup 1: a number, or the object as text. */
  bareNumber: boolean
  /** Merging the states of all groups would take much more memory than those of a page. */
  largeStates: boolean
}

const column = (result: string, part: string): string => identifier(stateColumn(result, part))

const countColumn = (result: string): string => `${column(result, 'cnt')} SimpleAggregateFunction(sum, UInt64)`
const countFeed = ({ result, input }: Measure): string => `count(${valueOf(input)}) AS ${column(result, 'cnt')}`
/** How many values an aggregate has seen. */
export const mergedTotal = (result: string): string => `sum(${column(result, 'cnt')})`
const mergedCount = (result: string): string => `${mergedTotal(result)} AS ${column(result, 'n')}`

const readableCount = ({ result, input }: Measure): ReadableColumn => ({
  value: column(result, 'n'),
  type: 'UInt64',
  about: `Number of values of ${input.name}`,
})

const count: StatisticSql = {
  columns: ({ result }) => [countColumn(result)],
  feed: (measure) => [countFeed(measure)],
  states: mergedTotal,
  merge: (result) => [mergedCount(result)],
  fields: (result) => ({ cnt: column(result, 'n') }),
  readable: (measure) => ({ cnt: readableCount(measure) }),
  bareNumber: true,
  largeStates: false,
}

const mergedUnique = (result: string): string => `ifNull(uniqCombined64Merge(${column(result, 'uniq')}), 0)`

const uniqueCount: StatisticSql = {
  columns: ({ result, input }) => [
    countColumn(result),
    `${column(result, 'uniq')} AggregateFunction(uniqCombined64, ${columnType(input.type)})`,
  ],
  feed: (measure) => [
    countFeed(measure),
    `uniqCombined64State(${valueOf(measure.input)}) AS ${column(measure.result, 'uniq')}`,
  ],
  // A sketch of no values at all merges to NULL.
  states: mergedUnique,
  merge: (result) => [mergedCount(result), `${mergedUnique(result)} AS ${column(result, 'u')}`],
  fields: (result) => ({ cnt: column(result, 'u') }),
  readable: (measure) => ({
    cnt: readableCount(measure),
    unique: {
      value: column(measure.result, 'u'),
      type: 'UInt64',
      about: `Number of different values of ${measure.input.name}: exact up to about 2,000, then within about 0.5 %; adding it over rows counts values twice`,
    },
  }),
  state: ({ result, input }) => ({
    value: `uniqCombined64MergeState(${column(result, 'uniq')})`,
    type: `AggregateFunction(uniqCombined64, ${columnType(input.type)})`,
    about: `Different values of ${input.name}: uniqCombined64Merge over rows counts each once`,
  }),
  bareNumber: true,
  largeStates: false,
}

/**
 * Power sums of the values about zero, and of those that lie too far from it (activities/events/pivot.ts) in `far`, a map
 * by pivot of their count and their power sums about it. `cnt` is that of all.
 */
const powers = ['s1', 's2', 's3', 's4'] as const

/** Pivots, and by pivot counts and power sums. */
const farType = `Tuple(${Array.from({ length: 2 + powers.length }, () => 'Array(Float64)').join(', ')})`
const farFields = [1, 2, ...powers.map((_, index) => index + 3)]

/** No values far from zero. */
export const noneFar = `CAST(tuple(${farFields.map(() => '[]').join(', ')}), '${farType}')`

const numericType: Readonly<Record<AttributeType, string>> = {
  LONG: 'Nullable(Int64)',
  DOUBLE: 'Nullable(Float64)',
  STRING: 'Nullable(Float64)',
  BOOL: 'Nullable(Float64)',
  OBJECT: 'Nullable(Float64)',
}

const mergedEnds = (result: string): string =>
  `toString(min(${column(result, 'min')})), toString(max(${column(result, 'max')}))`

const moments: StatisticSql = {
  columns: ({ result, input }) => [
    countColumn(result),
    ...powers.map((power) => `${column(result, power)} SimpleAggregateFunction(sum, Float64)`),
    ...['min', 'max'].map(
      (end) => `${column(result, end)} SimpleAggregateFunction(${end}, ${numericType[input.type]})`,
    ),
    `${column(result, 'far')} SimpleAggregateFunction(sumMap, ${farType})`,
  ],
  feed: (measure) => {
    const value = valueOf(measure.input)
    const part = (name: string) => column(measure.result, name)
    const pivot = `${rowAlias}.${identifier(pivotColumn(measure.input.name))}`
    const [near, away, square] = [part('d'), part('e'), part('q')]
    const isFar = `${pivot} != 0 AND isNotNull(${value})`
    const byPivot = [
      ...[pivot, '1.', `toFloat64(assumeNotNull(${value})) - ${pivot} AS ${away}`, `${away} * ${away} AS ${square}`],
      ...[`${square} * ${away}`, `${square} * ${square}`],
    ].map((sum) => `[${sum}]`)
    return [
      countFeed(measure),
      `sum(if(${pivot} = 0, toFloat64(ifNull(${value}, 0)), 0.) AS ${near}) AS ${part('s1')}`,
      `sum(${part('d')} * ${part('d')}) AS ${part('s2')}`,
      `sum(${part('d')} * ${part('d')} * ${part('d')}) AS ${part('s3')}`,
      `sum(${part('d')} * ${part('d')} * ${part('d')} * ${part('d')}) AS ${part('s4')}`,
      `min(${value}) AS ${part('min')}`,
      `max(${value}) AS ${part('max')}`,
      // Without lambdas, which ClickHouse would analyse anew for each batch at twice the cost of all that is beside them.
      `sumMapIf(${byPivot.join(', ')}, ${isFar}) AS ${part('far')}`,
    ]
  },
  states: (result) =>
    `tuple(${mergedTotal(result)}, [${powers.map((power) => `sum(${column(result, power)})`).join(', ')}], sumMap(${column(result, 'far')}), ${mergedEnds(result)})`,
  merge: (result) => {
    const part = (name: string) => column(result, name)
    /** The part about zero, and after it the parts about each pivot. */
    const all = (near: string, field: number): string => `arrayConcat([${near}], ${part('m')}.${field})`
    const sums = powers.map((power, index) => all(`sum(${part(power)})`, index + 3))
    return [
      mergedCount(result),
      `toFloat64(${part('n')}) AS ${part('nf')}`,
      `sumMap(${part('far')}) AS ${part('m')}`,
      `${all('0.', 1)} AS ${part('p')}`,
      `${all(`${part('nf')} - arraySum(${part('m')}.2)`, 2)} AS ${part('k')}`,
      // Near the values: distances between pivots are exact where their own digits are many.
      `${part('p')}[if(${part('k')}[1] > 0 OR length(${part('k')}) = 1, 1, 2)] AS ${part('p0')}`,
      `${sums[0]} AS ${part('a')}`,
      `arraySum((p, c, a) -> a + c*(p - ${part('p0')}), ${part('p')}, ${part('k')}, ${part('a')}) AS ${part('t')}`,
      `${part('t')} / ${part('nf')} AS ${part('mu')}`,
      `arrayMap(p -> p - ${part('p0')} - ${part('mu')}, ${part('p')}) AS ${part('d')}`,
      `arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> ${centralSums}, ${part('d')}, ${part('k')}, ${part('a')}, ${sums.slice(1).join(', ')})) AS ${part('c')}`,
      `min(${part('min')}) AS ${part('least')}`,
      `max(${part('max')}) AS ${part('most')}`,
      `(${part('least')} = ${part('most')} OR ${part('c')}[1] <= 0) AS ${part('flat')}`,
    ]
  },
  fields: (result) =>
    momentFields(result, {
      unless: (tooFew, isFlat, value) => `if(${[tooFew, isFlat].filter(Boolean).join(' OR ')}, 0., ${value})`,
      end: (value) => `ifNull(${value}, 0)`,
    }),
  readable: (measure) => {
    const fields = momentFields(measure.result, {
      unless: (tooFew, isFlat, value) => {
        const finite = `arrayMap(v -> if(isFinite(v), v, NULL), [${value}])[1]`
        return isFlat === undefined
          ? `if(${tooFew}, NULL, ${finite})`
          : `multiIf(${tooFew}, NULL, ${isFlat}, 0., ${finite})`
      },
      end: (value) => value,
    })
    const { name, type } = measure.input
    const moment = (value: string, about: string): ReadableColumn => ({ value, type: 'Nullable(Float64)', about })
    return {
      cnt: readableCount(measure),
      sum: moment(fields.sum, `Sum of ${name}; NULL without a value`),
      min: { value: fields.min, type: numericType[type], about: `Least value of ${name}; NULL without a value` },
      max: { value: fields.max, type: numericType[type], about: `Greatest value of ${name}; NULL without a value` },
      avg: moment(fields.avg, `Mean of ${name}; NULL without a value`),
      stdd: moment(fields.stdd, `Sample standard deviation of ${name}; NULL below 2 values`),
      skew: moment(fields.skew, `Skewness of ${name} (adjusted Fisher-Pearson G1); NULL below 3 values`),
      kurt: moment(fields.kurt, `Excess kurtosis of ${name} (sample G2); NULL below 4 values`),
    }
  },
  bareNumber: false,
  largeStates: true,
}

/**
 * Second to fourth power sum about the mean, from the count `c` and the power sums `a b e f` about a pivot that lies `d`
 * above the mean. Few operations, each once: ClickHouse analyses a query anew each time, and most of the cost is that.
 */
const centralSums = '[b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))]'

type MomentField = 'cnt' | 'sum' | 'min' | 'max' | 'avg' | 'stdd' | 'skew' | 'kurt'

/** How a statistic reads that has too few values, and one of values without a spread; and a least or greatest value. */
type Absent = {
  readonly unless: (tooFew: string, isFlat: string | undefined, value: string) => string
  readonly end: (value: string) => string
}

/**
 * Sample deviation, adjusted Fisher-Pearson skewness G1 and sample excess kurtosis G2 from central power sums
 * (Joanes and Gill, "Comparing measures of sample skewness and kurtosis", 1998).
 */
function momentFields(result: string, { unless, end }: Absent): Readonly<Record<MomentField, string>> {
  const part = (name: string) => column(result, name)
  const [n, c] = [part('nf'), part('c')]
  /** Equal values have their mean exactly, whatever the pivot. */
  const unlessEqual = (equal: string, value: string) => `if(${part('least')} = ${part('most')}, ${equal}, ${value})`
  return {
    cnt: part('n'),
    sum: unless(`${n} = 0`, undefined, unlessEqual(`${n} * ${part('least')}`, `${n} * ${part('p0')} + ${part('t')}`)),
    min: end(part('least')),
    max: end(part('most')),
    avg: unless(`${n} = 0`, undefined, unlessEqual(`toFloat64(${part('least')})`, `${part('p0')} + ${part('mu')}`)),
    stdd: unless(`${n} < 2`, part('flat'), `sqrt(${c}[1] / (${n} - 1))`),
    skew: unless(
      `${n} < 3`,
      part('flat'),
      `sqrt(${n} * (${n} - 1)) / (${n} - 2) * (${c}[2] / ${n}) / pow(${c}[1] / ${n}, 1.5)`,
    ),
    kurt: unless(
      `${n} < 4`,
      part('flat'),
      `(${n} - 1) / ((${n} - 2) * (${n} - 3)) * ((${n} + 1) * (${n} * ${c}[3] / (${c}[1] * ${c}[1]) - 3) + 6)`,
    ),
  }
}

export const statistics: Readonly<Record<StatisticKind, StatisticSql>> = {
  COUNT: count,
  UCOUNT: uniqueCount,
  RSTAT: moments,
}

/** An answer's value object as JSON text, over the aliases of `merge`; a number that no double holds is null. */
export function valueObject({ kind, result }: Pick<Measure, 'kind' | 'result'>): string {
  const members = Object.entries(statistics[kind].fields(result)).map(
    ([name, value], index) => `'${index === 0 ? '{' : ','}"${name}":', toJSONString(${value})`,
  )
  return `concat(${members.join(', ')}, '}')`
}
