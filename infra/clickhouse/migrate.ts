import { readdirSync, readFileSync } from 'node:fs'
import type { Exclusively } from '../../base/mutex.ts'
import type { ClickHouse } from './clickhouse.ts'

const folder = new URL('../../sql/migrations/', import.meta.url)
/** The one that makes the table of leases. */
const leases = '0004_processes.sql'

/**
 * Brings the static objects up to date: numbered files, each applied once, each of them safe to repeat.
 * @param alone lets one of the processes that start together do it while the others wait; processes that start on a
 *   server without leases, which is nearly always an empty one, apply the files beside each other
 */
export async function migrate(clickhouse: ClickHouse, alone: Exclusively = (work) => work()): Promise<void> {
  await clickhouse.run('CREATE DATABASE IF NOT EXISTS weir')
  await clickhouse.run(
    'CREATE TABLE IF NOT EXISTS weir.migrations (name String, at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY name',
  )
  const missing = await missingFiles(clickhouse)
  if (missing.length === 0) return
  await (missing.includes(leases) ? applyMissing(clickhouse) : alone(() => applyMissing(clickhouse)))
}

async function missingFiles(clickhouse: ClickHouse): Promise<string[]> {
  const applied = await clickhouse.rows<{ name: string }>({ text: 'SELECT name FROM weir.migrations', params: {} })
  const done = new Set(applied.map(({ name }) => name))
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return files.filter((name) => !done.has(name)).sort()
}

async function applyMissing(clickhouse: ClickHouse): Promise<void> {
  for (const name of await missingFiles(clickhouse)) {
    for (const text of statementsOf(readFileSync(new URL(name, folder), 'utf8'))) await clickhouse.run(text)
    await clickhouse.run({ text: 'INSERT INTO weir.migrations (name) VALUES ({name:String})', params: { name } })
  }
}

export const statementsOf = (file: string): string[] =>
  file
    .split(/;\s*$/m)
    .map((text) => text.trim())
    .filter((text) => text !== '')
