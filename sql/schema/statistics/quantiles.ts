import { valueOf } from '../columns.ts'
import { fractionBits } from './bins.ts'
import { column, type Measure, numericType, type StatisticSql } from './part.ts'
import { quantileMember } from './quantile-member.ts'

/**
 * Numbers of values by bin. A bin is the sign, the exponent and the six leading bits of the fraction of a double, so that its
 * bounds are at most 1.6 % apart, and its middle is within 0.8 % of each value in it, however large or small. Bins add up
 * whatever they are merged over. The least and the greatest value bound what is said: of one value it is that value.
 * Figures beside other sketches: docs/adr/0030-quantiles-are-counts-of-bins.md.
 */
export const binSql = (value: string): string =>
  `toInt32(sign(${value}) * bitShiftRight(reinterpretAsInt64(abs(${value})), ${fractionBits}))`

/** The middle of a bin. */
const middleOf = (bin: string): string =>
  `if(${bin} = 0, 0., sign(${bin}) * reinterpretAsFloat64(bitShiftLeft(toInt64(abs(${bin})), ${fractionBits}) + ${2 ** (fractionBits - 1)}))`

/** The middles of the bins in an array, within the bounds. */
const middles = (bins: string, low: string, high: string): string => {
  const [least, most] = [low, high].map((bound) => `assumeNotNull(toFloat64(${bound}))`)
  return `arrayMap(bin -> if(isNull(${low}), NULL, least(greatest(${middleOf('bin')}, ${least}), ${most})), ${bins})`
}

const levelsOf = ({ statistics }: Measure): readonly number[] => statistics.levels ?? []

const merged = (measure: Measure): string => {
  const bins = column(measure.result, 'bins')
  return `quantilesExactWeightedArray(${levelsOf(measure).join(', ')})(mapKeys(${bins}), mapValues(${bins}))`
}

const bound = ({ result }: Measure, which: 'min' | 'max'): string =>
  `${which}(${column(result, which === 'min' ? 'low' : 'high')})`

export const quantiles: StatisticSql = {
  columns: ({ result, input }) => [
    `${column(result, 'bins')} SimpleAggregateFunction(sumMap, Map(Int32, UInt64))`,
    `${column(result, 'low')} SimpleAggregateFunction(min, ${numericType[input.type]})`,
    `${column(result, 'high')} SimpleAggregateFunction(max, ${numericType[input.type]})`,
  ],
  feed: ({ result, input }) => {
    const value = valueOf(input)
    const bin = binSql(`assumeNotNull(toFloat64(${value}))`)
    return [
      `sumMapIf(map(${bin}, toUInt64(1)), isNotNull(${value})) AS ${column(result, 'bins')}`,
      `min(${value}) AS ${column(result, 'low')}`,
      `max(${value}) AS ${column(result, 'high')}`,
    ]
  },
  states: (measure) =>
    `tuple(${merged(measure)}, toString(${bound(measure, 'min')}), toString(${bound(measure, 'max')}))`,
  /** All bins. */
  sketch: ({ result }) =>
    `toJSONString(arrayZip(mapKeys(sumMap(${column(result, 'bins')}) AS ${column(result, 'all')}), mapValues(${column(result, 'all')})))`,
  merge: (measure) => {
    const part = (name: string) => column(measure.result, name)
    return [
      `${bound(measure, 'min')} AS ${part('lo')}`,
      `${bound(measure, 'max')} AS ${part('hi')}`,
      `${middles(merged(measure), part('lo'), part('hi'))} AS ${part('qs')}`,
    ]
  },
  members: (measure) =>
    Object.fromEntries(
      levelsOf(measure).map((level, index) => [quantileMember(level), `${column(measure.result, 'qs')}[${index + 1}]`]),
    ),
  readable: (measure) =>
    Object.fromEntries(
      levelsOf(measure).map((level, index) => [
        quantileMember(level),
        {
          value: `${column(measure.result, 'qs')}[${index + 1}]`,
          type: 'Nullable(Float64)',
          about: `Quantile ${level} of ${measure.input.name}: within 1 % of the least value that this share of the values does not exceed; NULL without a value`,
        },
      ]),
    ),
  shownStates: ({ result, input }) => {
    const merged = `sumMap(${column(result, 'bins')})`
    return {
      bins: {
        value: `CAST((arrayMap(bin -> ${middleOf('bin')}, mapKeys(${merged})), mapValues(${merged})), 'Map(Float64, UInt64)')`,
        type: 'Map(Float64, UInt64)',
        about: `Values of ${input.name}, each within 0.8 %, and how many: quantilesExactWeightedArray(0.5, 0.95)(mapKeys(b), mapValues(b)) over rows`,
      },
    }
  },
  asked: (of, { statistics: { levels = [] } }) => {
    const bins = of('bins')
    const all = `quantilesExactWeightedArray(${levels.join(', ')})(mapKeys(${bins}), mapValues(${bins}))`
    return { [`quantiles_${levels.map((level) => quantileMember(level)).join('_')}`]: all }
  },
  hasLargeStates: true,
}
