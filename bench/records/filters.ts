import { createParams } from '../../sql/query/compile/condition.ts'
import { parse } from '../../sql/query/index.ts'
import { bind } from '../../sql/statement.ts'
import { scopesOf } from '../../sql/table/narrow.ts'
import { compileRecords } from '../../sql/table/select.ts'
import { timed } from '../timed.ts'
import type { RecordStorage } from './table.ts'

export const filters = ['state = "s7"', 'city = "c77"', 'city = "c77" and runways > 4'] as const
const times = 100

/** The statement of a filter, with whatever indexes there are. */
export async function rowsRead({ table, rowsRead }: RecordStorage, where: string): Promise<number> {
  const statement = parse(`select * from airports where ${where}`)
  if (statement.kind !== 'rows') throw new Error('no select')
  const params = createParams()
  const [scope] = scopesOf(table, statement.where, params)
  if (!scope) throw new Error('no scope')
  const request = { ...(statement.where && { where: statement.where }), limit: 1e6, pageBytes: 1e9, blockRows: 1024 }
  return rowsRead(bind(compileRecords(table, { scope, params }, request)))
}

/** The times that counts of a filter take over HTTP, one after the other, in ms. */
export async function filtered(base: string, where: string, asks: number): Promise<number[]> {
  const body = JSON.stringify({ sql: `select count(*) from airports where ${where}` })
  const taken: number[] = []
  for (let n = 0; n < Math.min(times, asks); n++) {
    taken.push(
      await timed(async () => {
        const response = await fetch(`${base}/db/mydb/query`, { method: 'POST', body })
        if (!response.ok) throw new Error(await response.text())
        await response.text()
      }),
    )
  }
  return taken
}
