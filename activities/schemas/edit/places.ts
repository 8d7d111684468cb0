import { strict as assert } from 'node:assert'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Edit } from '../../../sql/schema/ddl/edit/edit.ts'
import { compileMarked } from '../../../sql/schema/ddl/edit/swap.ts'

export type Places = {
  readonly schema: string
  /** The edit's, which its tables bear. */
  readonly id: string
  readonly replaced: Edit['replaced']
}

/** The tables of all databases that bear the mark, as `database.table`. */
export async function markedTables(clickhouse: Pick<ClickHouse, 'rows'>, mark: string): Promise<Set<string>> {
  return new Set((await clickhouse.rows<{ at: string }>(compileMarked(mark))).map(({ at }) => at))
}

/**
 * Throws unless the tables of an edit have (`areIn`) all the places that it gives them, or none. A table beside its place
 * may be dropped after that: the one in place is the one that stays.
 */
export async function assertPlaces(
  clickhouse: Pick<ClickHouse, 'rows'>,
  { schema, id, replaced }: Places,
  areIn: boolean,
): Promise<void> {
  if (replaced.length === 0) return
  const marked = await markedTables(clickhouse, id)
  for (const table of replaced) {
    const isIn = marked.has(`${schema}.${table}`)
    const place = `${schema}.${table}`
    assert.ok(isIn === areIn, `${place} ${isIn ? 'is still' : 'is not'} the table that the edit of the schema has made`)
  }
}
