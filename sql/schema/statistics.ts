import { identifier } from '../identifier.ts'
import { columnType, valueOf } from './columns.ts'
import { pivotColumn, stateColumn } from './names.ts'
import type { Attribute, AttributeType, StatisticKind } from './schema.ts'

/** A statistic over `input`, kept under the name `result`. For a running statistic both are the attribute. */
export type Measure = {
  readonly result: string
  readonly input: Pick<Attribute, 'name' | 'type'>
  readonly kind: StatisticKind
}

export type StatisticSql = {
  /** Columns of the aggregate table, as `name type`. */
  columns(measure: Measure): string[]
  /** Columns of its sorting key. */
  keys(measure: Measure): string[]
  /** What a view selects from the Null table for those columns, under a GROUP BY of the keys. */
  feed(measure: Measure): string[]
  /** Merges states under any GROUP BY; the fields refer to these by alias. */
  merge(result: string): string[]
  /** The members of the value object (interface 2.7) over the aliases of `merge`. */
  fields(result: string): Readonly<Record<string, string>>
  /** Columns that analysts see, by suffix. */
  readable(result: string): Readonly<Record<string, string>>
  /** A row's `v` in a query without rollup 1: a number, or the object as text. */
  bareNumber: boolean
}

const column = (result: string, part: string): string => identifier(stateColumn(result, part))

const countColumn = (result: string): string => `${column(result, 'cnt')} SimpleAggregateFunction(sum, UInt64)`
const countFeed = ({ result, input }: Measure): string => `count(${valueOf(input)}) AS ${column(result, 'cnt')}`
const mergedCount = (result: string): string => `sum(${column(result, 'cnt')}) AS ${column(result, 'n')}`

const count: StatisticSql = {
  columns: ({ result }) => [countColumn(result)],
  keys: () => [],
  feed: (measure) => [countFeed(measure)],
  merge: (result) => [mergedCount(result)],
  fields: (result) => ({ cnt: column(result, 'n') }),
  readable: (result) => ({ cnt: column(result, 'n') }),
  bareNumber: true,
}

const uniqueCount: StatisticSql = {
  columns: ({ result, input }) => [
    countColumn(result),
    `${column(result, 'uniq')} AggregateFunction(uniqCombined64, ${columnType(input.type)})`,
  ],
  keys: () => [],
  feed: (measure) => [
    countFeed(measure),
    `uniqCombined64State(${valueOf(measure.input)}) AS ${column(measure.result, 'uniq')}`,
  ],
  merge: (result) => [mergedCount(result), `uniqCombined64Merge(${column(result, 'uniq')}) AS ${column(result, 'u')}`],
  fields: (result) => ({ cnt: column(result, 'u') }),
  readable: (result) => ({ cnt: column(result, 'n'), unique: column(result, 'u') }),
  bareNumber: true,
}

/** Power sums of `x - pivot`; the pivot is part of the key, so sums about different pivots never mix in storage. */
const powers = ['s1', 's2', 's3', 's4'] as const

const numericType: Readonly<Record<AttributeType, string>> = {
  LONG: 'Nullable(Int64)',
  DOUBLE: 'Nullable(Float64)',
  STRING: 'Nullable(Float64)',
  BOOL: 'Nullable(Float64)',
  OBJECT: 'Nullable(Float64)',
}

const moments: StatisticSql = {
  columns: ({ result, input }) => [
    `${column(result, 'pivot')} Float64`,
    countColumn(result),
    ...powers.map((power) => `${column(result, power)} SimpleAggregateFunction(sum, Float64)`),
    ...['min', 'max'].map(
      (end) => `${column(result, end)} SimpleAggregateFunction(${end}, ${numericType[input.type]})`,
    ),
  ],
  keys: ({ result }) => [column(result, 'pivot')],
  feed: (measure) => {
    const value = valueOf(measure.input)
    const part = (name: string) => column(measure.result, name)
    const distance = `ifNull(${value} - ${identifier(pivotColumn(measure.input.name))}, 0)`
    return [
      `${identifier(pivotColumn(measure.input.name))} AS ${part('pivot')}`,
      countFeed(measure),
      `sum(${distance} AS ${part('d')}) AS ${part('s1')}`,
      `sum(${part('d')} * ${part('d')}) AS ${part('s2')}`,
      `sum(${part('d')} * ${part('d')} * ${part('d')}) AS ${part('s3')}`,
      `sum(${part('d')} * ${part('d')} * ${part('d')} * ${part('d')}) AS ${part('s4')}`,
      `min(${value}) AS ${part('min')}`,
      `max(${value}) AS ${part('max')}`,
    ]
  },
  merge: (result) => {
    const part = (name: string) => column(result, name)
    const sums = powers.map((power) => `[${part(power)}]`).join(', ')
    const recentred = (terms: string): string =>
      `arraySum((p, c, a, b, e, f) -> ${terms.replaceAll('d', `(p - ${part('p0')})`)}, ${[1, 2, 3, 4, 5, 6].map((i) => `${part('m')}.${i}`).join(', ')})`
    return [
      mergedCount(result),
      `toFloat64(${part('n')}) AS ${part('nf')}`,
      `sumMap([${part('pivot')}], [toFloat64(${part('cnt')})], ${sums}) AS ${part('m')}`,
      `${part('m')}.1[1] AS ${part('p0')}`,
      `${recentred('a + c*d')} AS ${part('t1')}`,
      `${recentred('b + 2*d*a + c*d*d')} AS ${part('t2')}`,
      `${recentred('e + 3*d*b + 3*d*d*a + c*d*d*d')} AS ${part('t3')}`,
      `${recentred('f + 4*d*e + 6*d*d*b + 4*d*d*d*a + c*d*d*d*d')} AS ${part('t4')}`,
      `min(${part('min')}) AS ${part('least')}`,
      `max(${part('max')}) AS ${part('most')}`,
      `${part('t1')} / ${part('nf')} AS ${part('mu')}`,
      `greatest(0, ${part('t2')} - ${part('t1')} * ${part('mu')}) AS ${part('m2')}`,
      `${part('t3')} - 3*${part('mu')}*${part('t2')} + 2*${part('t1')}*${part('mu')}*${part('mu')} AS ${part('m3')}`,
      `${part('t4')} - 4*${part('mu')}*${part('t3')} + 6*${part('mu')}*${part('mu')}*${part('t2')} - 3*${part('t1')}*${part('mu')}*${part('mu')}*${part('mu')} AS ${part('m4')}`,
      `(${part('least')} = ${part('most')} OR ${part('m2')} = 0) AS ${part('flat')}`,
    ]
  },
  fields: (result) => momentFields(result),
  readable: (result) => momentFields(result),
  bareNumber: false,
}

/**
 * Sample deviation, adjusted Fisher-Pearson skewness G1 and sample excess kurtosis G2 from central moments
 * (Joanes and Gill, "Comparing measures of sample skewness and kurtosis", 1998).
 */
function momentFields(result: string): Readonly<Record<string, string>> {
  const part = (name: string) => column(result, name)
  const n = part('nf')
  const finite = (value: string) => `if(isFinite(${value}), ${value}, NULL)`
  const unless = (condition: string, value: string) => `if(${condition}, 0., ${finite(value)})`
  return {
    cnt: part('n'),
    sum: unless(`${n} = 0`, `(${n} * ${part('p0')} + ${part('t1')})`),
    min: `ifNull(${part('least')}, 0)`,
    max: `ifNull(${part('most')}, 0)`,
    avg: unless(`${n} = 0`, `(${part('p0')} + ${part('mu')})`),
    stdd: unless(`${n} < 2 OR ${part('flat')}`, `sqrt(${part('m2')} / (${n} - 1))`),
    skew: unless(
      `${n} < 3 OR ${part('flat')}`,
      `(sqrt(${n} * (${n} - 1)) / (${n} - 2) * (${part('m3')} / ${n}) / pow(${part('m2')} / ${n}, 1.5))`,
    ),
    kurt: unless(
      `${n} < 4 OR ${part('flat')}`,
      `((${n} - 1) / ((${n} - 2) * (${n} - 3)) * ((${n} + 1) * (${n} * ${part('m4')} / (${part('m2')} * ${part('m2')}) - 3) + 6))`,
    ),
  }
}

export const statistics: Readonly<Record<StatisticKind, StatisticSql>> = {
  COUNT: count,
  UCOUNT: uniqueCount,
  RSTAT: moments,
}

/** The value object of interface 2.7 as JSON text, over the aliases of `merge`. */
export function valueObject({ kind, result }: Pick<Measure, 'kind' | 'result'>): string {
  const members = Object.entries(statistics[kind].fields(result)).map(
    ([name, value], index) => `'${index === 0 ? '{' : ','}"${name}":', toJSONString(${value})`,
  )
  return `concat(${members.join(', ')}, '}')`
}

/** A row's `v`: a number where the statistic is one, else the object as text. */
export const valueExpression = (measure: Pick<Measure, 'kind' | 'result'>): string =>
  statistics[measure.kind].bareNumber
    ? (statistics[measure.kind].fields(measure.result).cnt ?? '0')
    : valueObject(measure)
