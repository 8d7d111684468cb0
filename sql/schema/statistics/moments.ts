import { identifier } from '../../identifier.ts'
import { rowAlias, valueOf } from '../columns.ts'
import { pivotColumn } from '../names.ts'
import { column, mergedTotal, numericType, type ReadableColumn, type StatisticSql } from './part.ts'

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

const mergedEnds = (result: string): string =>
  `toString(min(${column(result, 'min')})), toString(max(${column(result, 'max')}))`

export const moments: StatisticSql = {
  columns: ({ result, input }) => [
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
  states: ({ result }) =>
    `tuple(${mergedTotal(result)}, [${powers.map((power) => `sum(${column(result, power)})`).join(', ')}], sumMap(${column(result, 'far')}), ${mergedEnds(result)})`,
  merge: ({ result }) => {
    const part = (name: string) => column(result, name)
    /** The part about zero, and after it the parts about each pivot. */
    const all = (near: string, field: number): string => `arrayConcat([${near}], ${part('m')}.${field})`
    const sums = powers.map((power, index) => all(`sum(${part(power)})`, index + 3))
    return [
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
  members: ({ result }) => {
    const { cnt: _, ...fields } = momentFields(result, {
      unless: (tooFew, isFlat, value) => `if(${[tooFew, isFlat].filter(Boolean).join(' OR ')}, 0., ${value})`,
      end: (value) => `ifNull(${value}, 0)`,
    })
    return fields
  },
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
      sum: moment(fields.sum, `Sum of ${name}; NULL without a value`),
      min: { value: fields.min, type: numericType[type], about: `Least value of ${name}; NULL without a value` },
      max: { value: fields.max, type: numericType[type], about: `Greatest value of ${name}; NULL without a value` },
      avg: moment(fields.avg, `Mean of ${name}; NULL without a value`),
      stdd: moment(fields.stdd, `Sample standard deviation of ${name}; NULL below 2 values`),
      skew: moment(fields.skew, `Skewness of ${name} (adjusted Fisher-Pearson G1); NULL below 3 values`),
      kurt: moment(fields.kurt, `Excess kurtosis of ${name} (sample G2); NULL below 4 values`),
    }
  },
  shownStates: ({ result, input }) => {
    const part = (name: string) => column(result, name)
    const { avg } = momentFields(result, { unless: (tooFew, _, value) => `if(${tooFew}, 0., ${value})`, end: String })
    const centralOf = (power: number): string => `if(ifNull(${part('flat')}, 1), 0., ${part('c')}[${power}])`
    return {
      min: { value: part('least'), type: numericType[input.type], about: `Least value of ${input.name}` },
      max: { value: part('most'), type: numericType[input.type], about: `Greatest value of ${input.name}` },
      moments: {
        value: `if(${part('nf')} = 0, [0., 0., 0., 0., 0.], [${part('nf')}, ifNull(${avg}, 0.), ${[1, 2, 3].map(centralOf).join(', ')}])`,
        type: 'Array(Float64)',
        about: `Of ${input.name}: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)`,
      },
    }
  },
  asked: (of) => {
    const sum = `sum(${of('moments')}[1] * ${of('moments')}[2])`
    return { sum, min: `min(${of('min')})`, max: `max(${of('max')})`, avg: `${sum} / sum(${of('cnt')})` }
  },
  askedAtLength: (of) => ({
    withs: [
      `groupArray(${of('moments')}) AS _parts`,
      'arraySum(p -> p[1], _parts) AS _n',
      'arraySum(p -> p[1] * p[2], _parts) / _n AS _mean',
      'arraySum(p -> p[3] + p[1] * pow(p[2] - _mean, 2), _parts) AS _m2',
      'arraySum(p -> p[4] + 3 * (p[2] - _mean) * p[3] + p[1] * pow(p[2] - _mean, 3), _parts) AS _m3',
      'arraySum(p -> p[5] + 4 * (p[2] - _mean) * p[4] + 6 * pow(p[2] - _mean, 2) * p[3] + p[1] * pow(p[2] - _mean, 4), _parts) AS _m4',
    ],
    results: {
      stdd: 'sqrt(_m2 / (_n - 1))',
      skew: 'sqrt(_n * (_n - 1)) / (_n - 2) * (_m3 / _n) / pow(_m2 / _n, 1.5)',
      kurt: '(_n - 1) / ((_n - 2) * (_n - 3)) * ((_n + 1) * (_n * _m4 / (_m2 * _m2) - 3) + 6)',
    },
  }),
  hasLargeStates: true,
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
