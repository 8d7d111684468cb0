import { createParams } from '../../sql/query/compile/condition.ts'
import { parse } from '../../sql/query/index.ts'
import { bind } from '../../sql/statement.ts'
import { scopesOf } from '../../sql/table/narrow.ts'
import { compileRecords } from '../../sql/table/select.ts'
import type { Client } from '../../test/support/requests/client.ts'
import { quantile } from '../quantile.ts'
import { timed } from '../timed.ts'
import type { RecordTable } from './table.ts'

async function rowsRead({ clickhouse, table }: RecordTable, where: string): Promise<number> {
  const statement = parse(`select * from airports where ${where}`)
  if (statement.kind !== 'rows') throw new Error('no select')
  const [params, now] = [createParams(), await table()]
  const [scope] = scopesOf(now, statement.where, params)
  if (!scope) throw new Error('no scope')
  const request = { ...(statement.where && { where: statement.where }), limit: 1e6, pageBytes: 1e9, blockRows: 1024 }
  return JSON.parse(await clickhouse(bind(compileRecords(now, { scope, params }, request)), 'JSON')).statistics
    .rows_read
}

export const filters = ['state = "s7"', 'city = "c77"', 'city = "c77" and runways > 4'] as const
export type Measured = { readonly rows: number; readonly p50_ms: number }

/** Each filter's rows and time, with whatever indexes there are. */
export async function filtered(client: Client, records: RecordTable): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const where of filters) {
    const taken: number[] = []
    for (let n = 0; n < 5; n++) {
      taken.push(await timed(() => client.ok(client.query(`select count(*) from airports where ${where}`))))
    }
    measured.push({ rows: await rowsRead(records, where), p50_ms: quantile(taken, 0.5) })
  }
  return measured
}
