import { readdirSync, readFileSync } from 'node:fs'
import type { ClickHouse } from './clickhouse.ts'

const folder = new URL('../../sql/migrations/', import.meta.url)

/** Brings the static objects up to date: numbered files, each applied once, each of them safe to repeat. */
export async function migrate(clickhouse: ClickHouse): Promise<void> {
  await clickhouse.run('CREATE DATABASE IF NOT EXISTS weir')
  await clickhouse.run(
    'CREATE TABLE IF NOT EXISTS weir.migrations (name String, at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY name',
  )
  const applied = await clickhouse.rows<{ name: string }>({ text: 'SELECT name FROM weir.migrations', params: {} })
  const done = new Set(applied.map(({ name }) => name))
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  for (const name of files.sort()) {
    if (done.has(name)) continue
    for (const text of statementsOf(readFileSync(new URL(name, folder), 'utf8'))) await clickhouse.run(text)
    await clickhouse.run({ text: 'INSERT INTO weir.migrations (name) VALUES ({name:String})', params: { name } })
  }
}

export const statementsOf = (file: string): string[] =>
  file
    .split(/;\s*$/m)
    .map((text) => text.trim())
    .filter((text) => text !== '')
