import { fault } from '../../base/faults.ts'
import type { GroupAggregation } from '../../sql/query/compile/groups.ts'
import type { Aggregation } from '../../sql/query/compile/intervals.ts'
import { attributeOf } from '../../sql/schema/columns.ts'
import { groupTable, intervalTable } from '../../sql/schema/names.ts'
import type { RegisteredStream } from '../registry/registry.ts'

/** The running statistic that `aggr(name)` asks for. */
export function intervalAggregation({ schema, stream }: RegisteredStream, name: string): Aggregation {
  const attribute = attributeOf(stream, name)
  if (attribute?.statistics) {
    const { statistics, granularity } = attribute
    const table = intervalTable(stream.name, granularity)
    return { database: schema.name, table, result: name, input: attribute, statistics, granularity }
  }
  const measured = stream.attributes.filter(({ statistics }) => statistics).map((each) => each.name)
  const there =
    measured.length > 0 ? `running statistics are kept for ${measured.join(', ')}` : 'it has no running statistics'
  throw fault('invalid', `aggr(${name}): ${schema.name}.${stream.name} keeps no running statistic of ${name}; ${there}`)
}

/** The group-by that `aggr(input) groupby a:b` asks for. */
export function groupAggregation(
  { schema, stream }: RegisteredStream,
  input: string,
  names: readonly string[],
): GroupAggregation {
  const found = stream.groupBys.find(
    (groupBy) =>
      groupBy.input === input &&
      groupBy.pattern.length === names.length &&
      groupBy.pattern.every((name, i) => name === names[i]),
  )
  if (found) {
    return {
      database: schema.name,
      table: groupTable(stream.name, found.granularity, found.pattern),
      result: input,
      input: attributeOf(stream, input) ?? { name: input, type: 'LONG' },
      statistics: found.statistics,
      granularity: found.granularity,
      ...(found.window !== undefined && { window: found.window }),
      pattern: found.pattern.map((name) => ({ name, type: attributeOf(stream, name)?.type ?? 'STRING' })),
    }
  }
  const defined = stream.groupBys.map((groupBy) => `aggr(${groupBy.input}) groupby ${groupBy.pattern.join(':')}`)
  const there = defined.length > 0 ? `defined are ${defined.join(', ')}` : 'none is defined'
  throw fault(
    'invalid',
    `${schema.name}.${stream.name} has no group-by for aggr(${input}) groupby ${names.join(':')}; ${there}`,
  )
}
