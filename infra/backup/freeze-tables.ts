import { mkdir, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { qualified } from '../../sql/identifier.ts'
import { literal } from '../../sql/literal.ts'
import { hasCode } from '../buckets/folder/faults.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { createPool } from '../clickhouse/embedded/pool.ts'
import { copyGrowing, linkFile } from './link-file.ts'

const tablesAtOnce = 4
/** What tells an insert that comes again from a new one: a table's copy is whole with it alone. */
const deduplication = 'deduplication_logs'
const engine = /MergeTree$/

type Table = {
  readonly database: string
  readonly name: string
  readonly engine: string
  readonly folders: readonly string[]
  readonly isFilled: number
}

const tablesOnDisk = `
  SELECT database, name, engine, data_paths AS folders,
    (database, name) IN (SELECT database, table FROM system.parts WHERE active) AS isFilled
  FROM system.tables WHERE notEmpty(data_paths) AND engine != 'MaterializedView' AND NOT is_temporary
    AND database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')`

export type FreezeRequest = {
  readonly clickhouse: Pick<ClickHouse, 'rows' | 'run'>
  /** ClickHouse's own folder. */
  readonly from: string
  /** Takes the definitions and marks. */
  readonly to: string
  /** Of the freeze: below `from`, `shadow/<name>` takes the rows. Nothing stands in `shadow` before. */
  readonly name: string
}

/**
 * Takes hold of all databases and tables as they are, by second names of their files, while nothing writes. ClickHouse's
 * BACKUP would leave the marks of deduplication out: a batch that was half-way when the copy was taken would count twice.
 */
export async function freezeTables({ clickhouse, from, to, name }: FreezeRequest): Promise<void> {
  const tables = await clickhouse.rows<Table>({ text: tablesOnDisk, params: {} })
  const strange = tables.filter((table) => !engine.test(table.engine))
  if (strange.length > 0) throw new Error(`no way to copy ${strange.map(({ engine }) => engine).join(', ')}`)
  const databases = await clickhouse.rows<{ folder: string }>({
    text: "SELECT metadata_path AS folder FROM system.databases WHERE engine = 'Atomic'",
    params: {},
  })
  await linkFiles(join(from, 'metadata'), join(to, 'metadata'))
  for (const { folder } of databases) {
    const path = folder.startsWith('/') ? relative(from, folder) : folder
    await linkFiles(join(from, path), join(to, path))
  }
  const places = createPool(Array.from({ length: tablesAtOnce }, (_, place) => place))
  const freeze = async ({ database, name: table, folders, isFilled }: Table): Promise<void> => {
    for (const folder of folders) {
      const path = relative(from, folder)
      // Changes that were begun stand in files beside the parts: taken first, they find parts of before, or done.
      await linkFiles(join(from, path), join(to, path))
      for (const file of await filesIn(join(from, path, deduplication))) {
        await copyGrowing(join(from, path, deduplication, file), join(to, path, deduplication, file))
      }
    }
    if (isFilled === 0) return
    await clickhouse.run(`ALTER TABLE ${qualified(database, table)} FREEZE WITH NAME ${literal(name, 'String')}`)
  }
  // ClickHouse counts freezes in a file, which those that come together find empty while the first one makes it.
  const [first, ...others] = tables.toSorted((a, b) => b.isFilled - a.isFilled)
  if (first) await freeze(first)
  await Promise.all(others.map((table) => places.use(() => freeze(table))))
}

/** The files of a folder itself. */
async function linkFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const file of await filesIn(from)) await linkFile(join(from, file), join(to, file))
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
