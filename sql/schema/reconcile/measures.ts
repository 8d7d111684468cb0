import { identifier } from '../../identifier.ts'
import { rowAlias, valueOf } from '../columns.ts'
import { stateColumn } from '../names.ts'
import type { StatisticKind } from '../schema.ts'
import { binSql } from '../statistics/quantiles.ts'
import type { Measure } from '../statistics.ts'

/** A figure that states and events both give: `held` over an aggregate's rows, `there` over those of its events. */
export type Figure = {
  readonly by: 'count' | 'value' | 'sum'
  readonly held: string
  readonly there: string
  /** The size that a sum's rounding grows with. */
  readonly size?: { readonly held: string; readonly there: string }
}

const column = (result: string, part: string): string => identifier(stateColumn(result, part))

const number = (value: string): string => `ifNull(toFloat64(${value}), 0.)`

const count = ({ result, input }: Measure): Figure => ({
  by: 'count',
  held: `toInt64(sum(${column(result, 'cnt')}))`,
  there: `toInt64(count(${valueOf(input)}))`,
})

const end = ({ result, input }: Measure, which: 'min' | 'max'): Figure => ({
  by: 'value',
  held: number(`${which}(${column(result, which)})`),
  there: number(`${which}(${valueOf(input)})`),
})

const sum = ({ result, input }: Measure): Figure => {
  const far = column(result, 'far')
  const farSum = `arraySum((p, c, a) -> c * p + a, ${far}.1, ${far}.2, ${far}.3)`
  return {
    by: 'sum',
    held: number(`sum(${column(result, 's1')} + ${farSum})`),
    there: number(`sum(toFloat64(${valueOf(input)}))`),
    size: { held: '0.', there: number(`sum(abs(toFloat64(${valueOf(input)})))`) },
  }
}

const unique = ({ result, input }: Measure): Figure => ({
  by: 'value',
  held: number(`uniqCombined64Merge(${column(result, 'uniq')})`),
  there: number(`uniqCombined64(${valueOf(input)})`),
})

/** Values are compared by a checksum of 52 bits, which a double holds. */
const checksum = (value: string): string => number(`if(isNull(${value}), 0, sipHash64(${value}) % 4503599627370496)`)

const lastOrFirst = (measure: Measure, which: 'last' | 'first'): Figure => {
  const name = which === 'last' ? 'argMax' : 'argMin'
  return {
    by: 'value',
    held: checksum(`${name}Merge(${column(measure.result, which)})`),
    there: checksum(`${name}(${valueOf(measure.input)}, (${rowAlias}._pk, ${rowAlias}._seq))`),
  }
}

/** The sum of the bins, each as often as it holds a value. */
const bins = (measure: Measure): Figure => {
  const map = column(measure.result, 'bins')
  const value = `assumeNotNull(toFloat64(${valueOf(measure.input)}))`
  return {
    by: 'value',
    held: number(`sum(arraySum(arrayMap((bin, count) -> bin * toFloat64(count), mapKeys(${map}), mapValues(${map}))))`),
    there: number(`sumIf(${binSql(value)}, isNotNull(${valueOf(measure.input)}))`),
  }
}

const figures: Readonly<Record<StatisticKind, (measure: Measure) => Figure[]>> = {
  COUNT: () => [],
  UCOUNT: (measure) => [unique(measure)],
  RSTAT: (measure) => [end(measure, 'min'), end(measure, 'max'), sum(measure)],
  QUANTILES: (measure) => [bins(measure)],
  LAST: (measure) => [lastOrFirst(measure, 'last')],
  FIRST: (measure) => [lastOrFirst(measure, 'first')],
  TOPK: () => [],
}

export const figuresOf = (measure: Measure): Figure[] => [
  count(measure),
  ...measure.statistics.kinds.flatMap((kind) => figures[kind](measure)),
]

export const zeroOf = ({ by }: Figure): string => (by === 'count' ? 'toInt64(0)' : 'toFloat64(0)')

/** Whether the figures under these names differ by more than rounding. */
const differences: Readonly<Record<Figure['by'], (held: string, there: string, size: string) => string>> = {
  count: (held, there) => `${held} != ${there}`,
  value: (held, there) => `(${held} != ${there} AND NOT (isNaN(${held}) AND isNaN(${there})))`,
  sum: (held, there, size) => `abs(${held} - ${there}) > 1e-9 * ${size}`,
}

export const differs = ({ by }: Figure, index: number): string =>
  differences[by](`sum(_h${index})`, `sum(_t${index})`, `sum(_s${index})`)
