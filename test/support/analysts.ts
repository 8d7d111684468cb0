import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createClickHouseListener } from '../../api/analysts/listener.ts'
import { type AnalystOptions, createAnalysts } from '../../infra/clickhouse/analysts/analysts.ts'
import { createEmbeddedClickHouse } from '../../infra/clickhouse/embedded/client.ts'
import { createBodyBudget } from '../../infra/limits/body-budget.ts'
import { silentLogger } from '../../infra/logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The tables of a schema `air` with a stream and its interval view, and of a table of records; and a secret. */
const tables = [
  'CREATE DATABASE weir',
  'CREATE TABLE weir.secrets (name String, value String) ENGINE = MergeTree ORDER BY name',
  "INSERT INTO weir.secrets VALUES ('cursor', 'TOP SECRET')",
  'CREATE DATABASE air',
  'CREATE TABLE air.flights (a Int64, b Nullable(String)) ENGINE = MergeTree ORDER BY a',
  'INSERT INTO air.flights SELECT number, toString(number % 7) FROM numbers(1000)',
  'CREATE TABLE air.flights__in (a Int64, b Nullable(String)) ENGINE = Null',
  'CREATE TABLE air.flights__60 (a Int64) ENGINE = MergeTree ORDER BY a',
  'CREATE VIEW air.flights_by_60s AS SELECT a FROM air.flights__60',
  'CREATE DATABASE weir_records',
  'CREATE TABLE weir_records.t1 (_pk Int64, doc String) ENGINE = MergeTree ORDER BY _pk',
  "INSERT INTO weir_records.t1 VALUES (1, 'one')",
  'CREATE DATABASE mydb',
  'CREATE VIEW mydb.things AS SELECT _pk, doc FROM weir_records.t1',
]

export type Asked = { readonly status: number; readonly text: string; readonly headers: Headers }

/** The analysts' port over embedded ClickHouse with these tables, without the rest of the service. */
export async function startAnalysts(options: Omit<AnalystOptions, 'path' | 'pipes'> = {}) {
  const path = temporaryFolder()
  const clickhouse = createEmbeddedClickHouse({ path })
  for (const statement of tables) await clickhouse.run(statement)
  const runner = await createAnalysts({ path, pipes: join(path, 'answers'), ...options })
  const server = createClickHouseListener({
    runner,
    logger: silentLogger(),
    bodies: createBodyBudget(64 * 1024 * 1024),
    bodyLimit: 4 * 1024 * 1024,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    path,
    clickhouse,
    async ask(statement: string, parameters: Readonly<Record<string, string>> = {}): Promise<Asked> {
      const response = await fetch(`${url}/?${new URLSearchParams(parameters)}`, { method: 'POST', body: statement })
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      await runner.close()
      server.closeAllConnections()
      await closed
      await clickhouse.close()
    },
  }
}

export type Analysts = Awaited<ReturnType<typeof startAnalysts>>
