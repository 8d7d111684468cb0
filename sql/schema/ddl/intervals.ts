import { rowAlias, timeOf } from '../columns.ts'
import { intervalTable, intervalView, statesView } from '../names.ts'
import type { Attribute, Schema, Statistics, Stream } from '../schema.ts'
import {
  type Aggregate,
  type AggregateKey,
  createReadableView,
  createStatesViews,
  type ReadableKey,
} from './aggregate.ts'
import type { DerivedTable } from './derived.ts'
import { withTops } from './tops.ts'

/** The column that holds an interval's start, in microseconds; a multiple of the interval's length. */
export const intervalColumn = '_interval'

export const intervalKey = (granularity: number): AggregateKey => ({
  name: intervalColumn,
  type: 'Int64',
  value: `intDiv(${rowAlias}._pk, ${granularity * 1_000_000}) * ${granularity * 1_000_000}`,
})

export const intervalStart = (granularity: number): ReadableKey => ({
  name: 'interval_start',
  value: timeOf(intervalColumn),
  type: 'DateTime64(6)',
  comment: `Start of the interval of ${granularity} s; a condition on it reads those intervals alone`,
})

/** The running statistics of a stream: one aggregate a granularity, each with its view for analysts. */
export function intervalTables(schema: Schema, stream: Stream): DerivedTable[] {
  const granularities = new Set(stream.attributes.filter(isMeasured).map(({ granularity }) => granularity))
  return [...granularities]
    .sort((a, b) => a - b)
    .flatMap((granularity) => {
      const aggregate = intervalAggregate(schema, stream, granularity)
      const { keys, measures } = aggregate
      return withTops({
        aggregate,
        sources: [{ stream: stream.name, aggregate, keys, measures }],
        views: [
          createReadableView(aggregate, {
            name: intervalView(stream.name, granularity),
            comment: `Running statistics of ${schema.name}.${stream.name}: a row an interval of ${granularity} s`,
            keys: [intervalStart(granularity)],
            countedAlone: true,
          }),
          ...createStatesViews(aggregate, {
            name: statesView(stream.name, granularity),
            comment: `States of ${schema.name}.${stream.name} to be merged: a row an interval of ${granularity} s`,
            keys: [intervalStart(granularity)],
          }),
        ],
      })
    })
}

const isMeasured = (attribute: Attribute): attribute is Attribute & { statistics: Statistics } =>
  attribute.statistics !== undefined

const intervalAggregate = (schema: Schema, stream: Stream, granularity: number): Aggregate => ({
  database: schema.name,
  redelivered: schema.redelivered,
  table: intervalTable(stream.name, granularity),
  keys: [intervalKey(granularity)],
  measures: stream.attributes
    .filter(isMeasured)
    .filter((attribute) => attribute.granularity === granularity)
    .map((input) => ({ result: input.name, input, statistics: input.statistics })),
})
