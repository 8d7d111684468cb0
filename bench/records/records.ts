import { startService } from '../../test/support/service.ts'
import type { Loader } from '../load/load.ts'
import { type Figure, whole } from '../report.ts'
import type { Size } from '../size.ts'
import { filtered, filters, type Measured } from './filters.ts'
import { pointReads } from './reads.ts'
import { openRecordTable } from './table.ts'
import { upserts } from './upserts.ts'

/** Records of a table: upserts at 64 connections, reads by key, indexed filters. */
export async function records(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const { client, url, close } = await startService({ DATA_DIR: folder })
  const table = openRecordTable(folder, size.records)
  const load = { port: Number(new URL(url).port), loader, records: table, seconds: size.upsertSeconds }
  try {
    await client.ok(client.post('/db/mydb/table', { table_name: 'airports', table_type: 1, key_type: 1 }))
    console.error(`${whole(size.records)} records ...`)
    await table.fill()
    const figures = [await pointReads(url, table, 'GET by key, after the fill', size.reads)]
    const before = await filtered(client, table)
    figures.push(await upserts(load, 'upserts at 64 connections', true))
    figures.push(await pointReads(url, table, 'GET by key, after the upserts', size.reads))
    for (const index_name of ['state', 'city']) {
      await client.ok(client.post('/db/mydb/airports/index', { index_name, key_type: 1, key_size: 24 }))
    }
    figures.push(...filterFigures(before, await filtered(client, table)))
    figures.push(await upserts(load, 'the same with two indexes', false))
    figures.push(await pointReads(url, table, 'GET by key, two indexes', size.reads))
    return figures
  } finally {
    table.session.close()
    await close()
  }
}

const filterFigures = (before: readonly Measured[], after: readonly Measured[]): Figure[] =>
  after.map((indexed, i) => {
    const { rows = 0, p50_ms = 0 } = before[i] ?? {}
    const share = (100 * indexed.rows) / rows
    return {
      part: 'records',
      what: `where ${filters[i]}`,
      weir: `${indexed.rows} rows read (${share.toFixed(2)} %), ${indexed.p50_ms.toFixed(1)} ms`,
      beside: `no index: ${rows} rows, ${p50_ms.toFixed(0)} ms`,
      target: '5 % of the rows',
      isMet: share < 5,
    }
  })
