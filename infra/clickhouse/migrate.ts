import { readdirSync, readFileSync } from 'node:fs'
import type { Exclusively } from '../../base/mutex.ts'
import { synced } from '../../sql/synced.ts'
import { release } from '../version.ts'
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
    `CREATE TABLE IF NOT EXISTS weir.migrations (name String, at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY name SETTINGS ${synced}`,
  )
  const missing = await missingFiles(clickhouse)
  if (missing.length === 0) return
  await (missing.includes(leases) ? applyMissing(clickhouse) : alone(() => applyMissing(clickhouse)))
}

const ownFiles = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()

async function applied(clickhouse: Pick<ClickHouse, 'rows'>): Promise<ReadonlySet<string>> {
  const rows = await clickhouse.rows<{ name: string }>({ text: 'SELECT name FROM weir.migrations', params: {} })
  return new Set(rows.map(({ name }) => name))
}

async function missingFiles(clickhouse: ClickHouse): Promise<string[]> {
  const done = await applied(clickhouse)
  return ownFiles().filter((name) => !done.has(name))
}

/** Throws, before anything is written, where the tables are of a version that this one cannot go on from. */
export async function refuseOtherTables(clickhouse: Pick<ClickHouse, 'rows'>): Promise<void> {
  const [known] = await clickhouse.rows<{ name: string }>({
    text: "SELECT name FROM system.tables WHERE database = 'weir' AND name = 'migrations'",
    params: {},
  })
  if (!known) return
  const own = ownFiles()
  const [latest = ''] = own.slice(-1)
  const numberOf = (name: string): number => Number.parseInt(name, 10)
  const strange = [...(await applied(clickhouse))].filter((name) => !own.includes(name)).sort()
  const [newer] = strange.filter((name) => numberOf(name) > numberOf(latest))
  if (newer !== undefined && strange.every((name) => numberOf(name) > numberOf(latest))) {
    throw new Error(
      `the data in ClickHouse was made by a newer Weir (it has ${newer}), this is Weir ${release()}: start that version or a newer one, or restore a backup of this version; nothing was changed`,
    )
  }
  if (strange.length > 0) {
    throw new Error(
      `the data in ClickHouse was made by a version of Weir before 0.1.0 (it has ${strange[0]}), which Weir ${release()} does not read: load the data anew into another DATA_DIR, or go on with the version that made it; nothing was changed`,
    )
  }
}

async function applyMissing(clickhouse: ClickHouse): Promise<void> {
  // Folders of 0.1.0 have the table without them.
  await clickhouse.run(`ALTER TABLE weir.migrations MODIFY SETTING ${synced}`)
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
