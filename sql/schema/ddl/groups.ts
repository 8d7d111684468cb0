import { identifier } from '../../identifier.ts'
import { attributeOf, valueOf, valueType } from '../columns.ts'
import { groupTable, groupView, statesView } from '../names.ts'
import type { GroupBy, Schema, Stream } from '../schema.ts'
import type { Measure } from '../statistics.ts'
import { type Aggregate, type AggregateKey, createReadableView, createStatesViews } from './aggregate.ts'
import type { DerivedTable } from './derived.ts'
import { intervalColumn, intervalKey, intervalStart } from './intervals.ts'
import { withTops } from './tops.ts'

/** The group-bys of a stream: one aggregate a (pattern, granularity), all its inputs together. */
export function groupTables(schema: Schema, stream: Stream): DerivedTable[] {
  const together = new Map<string, GroupBy[]>()
  for (const groupBy of stream.groupBys) {
    const table = groupTable(stream.name, groupBy.granularity, groupBy.pattern)
    together.set(table, [...(together.get(table) ?? []), groupBy])
  }
  return [...together].flatMap(([table, groupBys]) => withTops(groupTableOf(schema, stream, table, groupBys)))
}

function groupTableOf(schema: Schema, stream: Stream, table: string, groupBys: readonly GroupBy[]): DerivedTable {
  const { pattern, granularity } = groupBys[0] ?? { pattern: [], granularity: 60 }
  const attributes = pattern.flatMap((name) => attributeOf(stream, name) ?? [])
  const groups = attributes.map(
    (attribute): AggregateKey => ({
      name: attribute.name,
      type: valueType(attribute.type),
      value: `assumeNotNull(${valueOf(attribute)})`,
    }),
  )
  const aggregate: Aggregate = {
    database: schema.name,
    redelivered: schema.redelivered,
    table,
    keys: [...groups, intervalKey(granularity)],
    measures: groupBys.flatMap(({ input: name, statistics }): Measure[] => {
      const input = attributeOf(stream, name)
      return input ? [{ result: name, input, statistics }] : []
    }),
    manyKeys: true,
    indexes: [`INDEX _by_time ${intervalColumn} TYPE minmax`],
    ...expiry(groupBys),
  }
  const { keys, measures } = aggregate
  const condition = attributes.map((attribute) => `isNotNull(${valueOf(attribute)})`).join(' AND ')
  const shown = [
    ...groups.map(({ name, type }) => ({
      name,
      type,
      value: identifier(name),
      comment: `Value of ${name}, by which events are grouped`,
    })),
    intervalStart(granularity),
  ]
  const rows = `by ${pattern.join(', ')}: a row an interval of ${granularity} s and group`
  return {
    aggregate,
    sources: [{ stream: stream.name, aggregate, keys, measures, condition }],
    views: [
      createReadableView(aggregate, {
        name: groupView(stream.name, granularity, pattern),
        comment: `Statistics of ${schema.name}.${stream.name} ${rows}`,
        keys: shown,
        countedAlone: true,
      }),
      ...createStatesViews(aggregate, {
        name: statesView(stream.name, granularity, pattern),
        comment: `States of ${schema.name}.${stream.name} to be merged, ${rows}`,
        keys: shown,
      }),
    ],
  }
}

/** An interval stays as long as the longest window of the streams in the table, counted from its end. */
function expiry(groupBys: readonly GroupBy[]): Pick<Aggregate, 'ttl' | 'window'> {
  const windows = groupBys.map(({ window }) => window ?? 0)
  if (windows.includes(0)) return {}
  const window = Math.max(...windows) + (groupBys[0]?.granularity ?? 0)
  return { window, ttl: `toDateTime(least(intDiv(${intervalColumn}, 1000000) + ${window}, 4294967295))` }
}
