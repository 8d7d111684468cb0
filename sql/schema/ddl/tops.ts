import { valueOf, valueType } from '../columns.ts'
import { topTable, valueColumn } from '../names.ts'
import type { Attribute } from '../schema.ts'
import { besideTop, hasTop, type Measure } from '../statistics.ts'
import type { Aggregate, AggregateKey, AggregateSource } from './aggregate.ts'
import type { DerivedTable } from './derived.ts'

/** Values of a key that are kept of one block of events: with more, those that came more often than the next one. */
const maxValues = 1000

const valueKey = (input: Pick<Attribute, 'name' | 'type'>): AggregateKey => ({
  name: valueColumn,
  type: valueType(input.type),
  value: `assumeNotNull(${valueOf(input)})`,
})

/**
 * An aggregate whose measures may have TOPK, as the tables that keep it: one of all other statistics, and for each TOPK one
 * with a row a key and value (docs/adr/0031-most-frequent-values-are-rows.md).
 */
export function withTops({ aggregate, sources, views }: DerivedTable): DerivedTable[] {
  const plain = { ...aggregate, measures: aggregate.measures.map(besideTop) }
  return [
    {
      aggregate: plain,
      sources: sources.map((source) => ({
        ...source,
        aggregate: plain,
        measures: source.measures.map(besideTop),
      })),
      views,
    },
    ...aggregate.measures.filter(hasTop).map((measure) => tableOfValues(aggregate, sources, measure)),
  ]
}

const allOf = (condition: string | undefined, other: string): string =>
  condition === undefined ? other : `${condition} AND ${other}`

function tableOfValues(whole: Aggregate, sources: readonly AggregateSource[], measure: Measure): DerivedTable {
  const counted: Measure = { ...measure, statistics: { kinds: ['TOPK'] } }
  const aggregate: Aggregate = {
    ...whole,
    table: topTable(whole.table, measure.result),
    keys: [...whole.keys, valueKey(measure.input)],
    measures: [counted],
    manyKeys: true,
    maxValues,
  }
  return {
    aggregate,
    sources: sources
      .filter(({ measures }) => measures.some(({ result }) => result === measure.result))
      .map((source) => ({
        ...source,
        aggregate,
        keys: [...source.keys, valueKey(measure.input)],
        measures: [counted],
        condition: allOf(source.condition, `isNotNull(${valueOf(measure.input)})`),
      })),
    views: [],
  }
}
