import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { createParams } from '../../sql/query/compile/condition.ts'
import type { Condition } from '../../sql/query/index.ts'
import { scopesOf } from '../../sql/table/narrow.ts'
import { compileEstimate, type Scoped } from '../../sql/table/select.ts'
import type { Table } from '../../sql/table/table.ts'

/** An index that leaves more of the table than this is no help: its rows have to be sorted. */
const worthwhileShare = 0.1

/** Chooses the scope that a condition is answered from: an index, or the records in their order. */
export async function chooseScope(table: Table, where: Condition | undefined, on: QueryClickHouse): Promise<Scoped> {
  const params = createParams()
  const [first, ...others] = scopesOf(table, where, params).map((scope) => ({ scope, params }))
  if (!first) throw new Error('a table has no scope')
  if (first.scope.inOrder || others.length === 0) return first
  const sizes = await Promise.all(
    [first, ...others].map(async (each) => {
      const [row] = await on.rows<{ rows: number }>(compileEstimate(table, each))
      return { each, rows: Number(row?.rows ?? 0) }
    }),
  )
  const records = sizes.at(-1)
  const [min] = sizes.slice(0, -1).sort((a, b) => a.rows - b.rows)
  return min && records && min.rows > records.rows * worthwhileShare ? records.each : (min?.each ?? first)
}
