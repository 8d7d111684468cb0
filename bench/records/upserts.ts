import { recordLine } from '../../sql/table/records.ts'
import type { Loader } from '../load/load.ts'
import type { Figure } from '../report.ts'
import { document, type RecordTable } from './table.ts'

/** Records that are put one by one over 64 connections, beside the same rows put straight into ClickHouse. */
export async function upserts(
  { port, loader, records, seconds }: { port: number; loader: Loader; records: RecordTable; seconds: number },
  what: string,
  hasTarget: boolean,
): Promise<Figure> {
  const { keyOf, parts } = records
  const bodies = Array.from({ length: 20_000 }, (_, n) => `{"_pk":"${keyOf(n * 31)}","doc":${document(n)}}`)
  let most = 0
  const watch = setInterval(async () => {
    most = Math.max(most, await parts())
  }, 250)
  const load = {
    port,
    path: '/db/mydb/airports/doc',
    contentType: 'application/json',
    bodies,
    connections: 64,
    until: { seconds },
  }
  const { requests, seconds: took, p50_ms, p99_ms } = await loader.run(load)
  clearInterval(watch)
  const rate = requests / took
  return {
    part: 'records',
    what,
    weir: `${rate.toFixed(0)}/s, p50 ${p50_ms.toFixed(1)} ms, p99 ${p99_ms.toFixed(1)} ms, at most ${most} parts`,
    beside: `ready inserts of 64 rows: ${(await inserts(records, Math.min(3, seconds))).toFixed(0)}/s`,
    ...(hasTarget ? { target: '5000/s, p99 100 ms', isMet: rate >= 5_000 && p99_ms < 100 } : { target: '' }),
  }
}

/** The floor: the same rows straight into ClickHouse, 64 a statement, one statement after the other. */
async function inserts({ session, table, keyOf }: RecordTable, seconds: number): Promise<number> {
  const now = { ...(await table()), indexes: [] }
  const end = performance.now() + seconds * 1000
  const started = performance.now()
  let written = 0
  while (performance.now() < end) {
    const rows = Array.from({ length: 64 }, (_, n) => ({
      ...{ index: 0, text: '', number: 0, key: keyOf(written + n), seq: 0, document: document(n), v: 1 },
      ...{ version: 1, deleted: false },
    }))
    const body = rows.map((row) => recordLine(now, row)).join('')
    await session.insert({ table: `weir_records.${now.storage}`, values: Buffer.from(body), format: 'JSONEachRow' })
    written += 64
  }
  return written / ((performance.now() - started) / 1000)
}
