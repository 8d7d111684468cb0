import type { WireObject } from '../decode/wire-object.ts'
import { entityTable, feedView, groupTable, intervalTable, topTable } from '../names.ts'
import type { Attribute, Entity, GroupBy } from '../schema.ts'
import { hasTop } from '../statistics.ts'
import { checkTableName } from './table-name.ts'

type Kept = {
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly groupBys: readonly GroupBy[]
  readonly entities: readonly Entity[]
}

/** The tables of values that a stream's TOPK statistics take have names of their own. */
export function checkTopTables(
  object: WireObject,
  schema: string,
  { name, attributes, groupBys, entities }: Kept,
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
