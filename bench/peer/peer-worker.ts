import { createClient } from '@clickhouse/client'
import { createChdbConnection } from 'chdb/connection'
import { createEmbeddedClickHouse } from '../../infra/clickhouse/embedded/embedded.ts'
import { migrate } from '../../infra/clickhouse/migrate.ts'
import { createSchema } from '../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { type WorkloadName, workloads } from '../load/workloads.ts'
import { quantile } from '../quantile.ts'
import { answer } from '../queries/ask.ts'
import type { Latency, PeerMessage } from './peer.ts'

let client: ReturnType<typeof createClient> | undefined

async function create(workload: WorkloadName, path: string): Promise<void> {
  const clickhouse = createEmbeddedClickHouse({ path, connections: 1 })
  await migrate(clickhouse)
  for (const statement of createSchema(decodeSchema(workloads[workload].schemaBody))) await clickhouse.run(statement)
  await clickhouse.close()
}

async function open(path: string): Promise<void> {
  // chDB's types come from a second copy of the client's, so the compiler takes the two for different.
  client = createClient({ connection: createChdbConnection({ path }) as never })
  await query('SELECT 1', 1)
}

async function insert(workload: WorkloadName, first: number, count: number, rows: number): Promise<number> {
  const { path, row } = workloads[workload]
  const table = `${path.replace('/', '.')}__in`
  let took_ms = 0
  for (let start = first; start < first + count; start += rows) {
    const values = Array.from({ length: Math.min(rows, first + count - start) }, (_, i) => row(start + i))
    const started = performance.now()
    await client?.insert({ table, values, format: 'JSONEachRow' })
    took_ms += performance.now() - started
  }
  return took_ms / 1000
}

async function query(sql: string, times: number): Promise<Latency> {
  const times_ms: number[] = []
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    const answer = await client?.query({ query: sql, format: 'JSONEachRow' })
    await answer?.text()
    times_ms.push(performance.now() - started)
  }
  return { p50_ms: quantile(times_ms, 0.5), p99_ms: quantile(times_ms, 0.99) }
}

answer((message: PeerMessage): Promise<unknown> => {
  if (message.kind === 'create') return create(message.workload, message.path)
  if (message.kind === 'open') return open(message.path)
  if (message.kind === 'insert') return insert(message.workload, message.first, message.count, message.rows)
  return query(message.sql, message.times)
})
