import type { WireObject } from '../../../base/decode/wire-object.ts'
import { entityTable, feedView, groupTable, intervalTable, topTable } from '../names.ts'
import type { Attribute, Entity, GroupBy } from '../schema.ts'
import { hasTop } from '../statistics.ts'

/**
 * Why ClickHouse would not take a table of that name, measured with 26.7: a dropped table's file holds the names of
 * database and table, and has 255 bytes. A dot takes three there.
 */
export const checkTableName = (database: string, table: string): string | undefined => {
  const length = table.replaceAll('.', '%2E').length
  const max = 213 - database.length
  return length > max
    ? `makes a table name of ${length} bytes, over the ${max} there are; shorten the names`
    : undefined
}

type StreamTables = {
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly groupBys: readonly GroupBy[]
  readonly entities: readonly Entity[]
}

/** The tables of values that a stream's TOPK statistics take have names of their own. */
export function checkTopTables(
  object: WireObject,
  schema: string,
  { name, attributes, groupBys, entities }: StreamTables,
): void {
  const tables = [
    ...attributes
      .filter(hasTop)
      .map((each) => ({ member: 'attr', table: topTable(intervalTable(name, each.granularity), each.name) })),
    ...groupBys.filter(hasTop).map(({ pattern, input, granularity }) => ({
      member: 'gpby',
      table: topTable(groupTable(name, granularity, pattern), input),
    })),
    ...entities
      .filter(hasTop)
      .flatMap(({ target, results }) =>
        results.map((result) => ({ member: 'enty', table: topTable(entityTable(target), result) })),
      ),
  ]
  for (const { member, table } of tables) {
    const tooLong = checkTableName(schema, feedView(table, name))
    if (tooLong !== undefined) object.fail(member, `TOPK ${tooLong}`)
  }
}
