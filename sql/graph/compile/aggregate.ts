/**
 * One aggregate: the states gathered from the rows of a group, and the value made of them. Deviation, skewness and kurtosis are
 * those of statistics.ts (Joanes and Gill, "Comparing measures of sample skewness and kurtosis", 1998), in two passes.
 */
import type { AggregateKind } from '../ast.ts'
import { amountOf, type Cell, isThere, jsonOf } from './values/cell.ts'

export type CompiledAggregate = {
  /** Columns of the grouping. */
  readonly parts: readonly string[]
  /** Over those columns: a UInt64 for COUNT and UCOUNT, JSON text for MIN and MAX, else a Nullable(Float64). */
  readonly value: string
}

const gathering = {
  SUM: (value: string, condition: string, weight: string) => `sumIf(${value} * ${weight}, ${condition})`,
  // With a whole weight ClickHouse takes the products for whole numbers without a sign.
  AVG: (value: string, condition: string, weight: string) =>
    `avgWeightedIf(${value}, toFloat64(${weight}), ${condition})`,
}

/**
 * `condition`: which rows count; all if absent. Without an operand rows are counted. `weight`: the column that says how
 * often a row counts.
 */
export function compileAggregate(
  kind: AggregateKind,
  operand: Cell | undefined,
  condition: string | undefined,
  alias: string,
  weight = '1',
): CompiledAggregate {
  const countOf = (which: string): string => `sumIf(${weight}, ${which}) AS ${alias}`
  const both = (what: string): string => (condition === undefined ? what : `(${what}) AND ${condition}`)
  if (operand === undefined) return { parts: [countOf(both('1'))], value: alias }
  if (kind === 'COUNT') return { parts: [countOf(both(isThere(operand)))], value: alias }
  if (kind === 'UCOUNT') {
    return { parts: [`uniqExactIf(${jsonOf(operand)}, ${both(isThere(operand))}) AS ${alias}`], value: alias }
  }
  const amount = amountOf(operand)
  const value = `assumeNotNull(${amount})`
  const isCounted = both(`isNotNull(${amount})`)
  if (kind === 'MIN' || kind === 'MAX') {
    // Beyond 2^53 doubles are some apart: the digits of a whole number stand beside its double.
    const whole = operand.kind === 'json' ? `toInt256OrZero(${operand.sql})` : 'toInt256(0)'
    const gathered = `${kind.toLowerCase()}If((${value}, ${whole}), ${isCounted}) AS ${alias}`
    return { parts: [gathered], value: exact(`${alias}.1`, `${alias}.2`) }
  }
  if (kind === 'SUM' || kind === 'AVG') {
    return { parts: [`${gathering[kind](value, isCounted, weight)} AS ${alias}`], value: number(alias) }
  }
  const gathered = `groupArrayIf((${value}, toFloat64(${weight})), ${isCounted}) AS ${alias}`
  return { parts: [gathered], value: number(moment(kind, alias)) }
}

/** Nothing to aggregate, or nothing finite, is 0. */
const number = (value: string): string => `CAST(ifNull(if(isFinite(${value}), ${value}, 0), 0), 'Nullable(Float64)')`

/** A number as JSON text: `whole`, by `toInt256OrZero`, as far as that holds it. */
const exact = (value: string, whole: string): string =>
  `if(${whole} != 0 AND abs(${value}) < 1e76, toString(${whole}), toString(assumeNotNull(${number(value)})))`

/** The number of values with weights, and their k-th power sum about the mean. */
const count = (values: string): string => `arraySum(v -> v.2, ${values})`
const power = (values: string, k: number): string =>
  `arrayMap(m -> arraySum(v -> v.2 * pow(v.1 - m, ${k}), ${values}), [arraySum(v -> v.1 * v.2, ${values}) / ${count(values)}])[1]`

const unlessFlat = (values: string, min: number, value: string): string =>
  `if(${count(values)} < ${min} OR arrayMin(v -> v.1, ${values}) = arrayMax(v -> v.1, ${values}), 0., ${value})`

/** `body` where `name` stands for `value`, which is computed once. */
const bound = (name: string, value: string, body: string): string => `arrayMap(${name} -> ${body}, [${value}])[1]`

/** `formula` over `xs`: the values' distances from one of them, in units of the longest, `unit`. So an offset costs no digits, and a power overflows only where a distance does. */
const scaled = (values: string, formula: string): string =>
  bound(
    'origin',
    `${values}[1].1`,
    bound(
      'distances',
      `arrayMap(v -> (v.1 - origin, v.2), ${values})`,
      bound(
        'unit',
        'arrayMax(v -> abs(v.1), distances)',
        bound('xs', 'arrayMap(v -> (v.1 / unit, v.2), distances)', formula),
      ),
    ),
  )

const n = count('xs')
const formulas = {
  STD: { min: 2, formula: `unit * sqrt(${power('xs', 2)} / (${n} - 1))` },
  SKEW: {
    min: 3,
    formula: `sqrt(${n} * (${n} - 1)) / (${n} - 2) * (${power('xs', 3)} / ${n}) / pow(${power('xs', 2)} / ${n}, 1.5)`,
  },
  EXKURT: {
    min: 4,
    formula: `(${n} - 1) / ((${n} - 2) * (${n} - 3)) * ((${n} + 1) * (${n} * ${power('xs', 4)} / pow(${power('xs', 2)}, 2) - 3) + 6)`,
  },
} as const

function moment(kind: keyof typeof formulas, values: string): string {
  const { min, formula } = formulas[kind]
  return unlessFlat(values, min, scaled(values, formula))
}
