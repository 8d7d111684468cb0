import { intervalTable, intervalView } from '../names.ts'
import type { Attribute, Schema, StatisticKind, Stream } from '../schema.ts'
import { type Aggregate, createReadableView } from './aggregate.ts'

/** The column that holds an interval's start, in microseconds; a multiple of the interval's length. */
export const intervalColumn = '_interval'

export const intervalKey = (granularity: number): Aggregate['keys'][number] => ({
  name: intervalColumn,
  type: 'Int64',
  value: `intDiv(_pk, ${granularity * 1_000_000}) * ${granularity * 1_000_000}`,
})

/** The running statistics of a stream: one aggregate a granularity, each with its view for analysts. */
export function intervalAggregates(schema: Schema, stream: Stream): { aggregate: Aggregate; view: string }[] {
  const granularities = new Set(stream.attributes.filter(isMeasured).map(({ granularity }) => granularity))
  return [...granularities]
    .sort((a, b) => a - b)
    .map((granularity) => {
      const aggregate = intervalAggregate(schema, stream, granularity)
      const start = { name: 'interval_start', value: `fromUnixTimestamp64Micro(${intervalColumn})` }
      return { aggregate, view: createReadableView(aggregate, intervalView(stream.name, granularity), [start]) }
    })
}

const isMeasured = (attribute: Attribute): attribute is Attribute & { statistic: StatisticKind } =>
  attribute.statistic !== undefined

const intervalAggregate = (schema: Schema, stream: Stream, granularity: number): Aggregate => ({
  database: schema.name,
  table: intervalTable(stream.name, granularity),
  keys: [intervalKey(granularity)],
  measures: stream.attributes
    .filter(isMeasured)
    .filter((attribute) => attribute.granularity === granularity)
    .map((input) => ({ result: input.name, input, kind: input.statistic })),
})
