import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { createPool } from '../../base/pool.ts'
import { hasCode } from '../buckets/folder/faults.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import { copyGrowing, linkFile, linkTree } from './link-file.ts'

const foldersAtOnce = 8
/** Tokens of a table's latest inserts, by which ClickHouse recognises an insert that comes again: a copy needs them. */
const deduplication = 'deduplication_logs'
const engine = /MergeTree$/
/** A folder that changed this shortly before the look at it may have changed again at the same time of the clock. */
const blur_s = 2
/** Passes, each over the parts that came since the one before, until one is short. */
const maxPasses = 4
const shortPass_ms = 200

type Table = {
  readonly engine: string
  readonly folders: readonly string[]
  readonly changed_s: number
  readonly isMutated: number
}

const others = "NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')"

/** `isMutated`: a mutation is under way, or was begun of late. */
const tablesOnDisk = `
  SELECT engine, data_paths AS folders, toUnixTimestamp(metadata_modification_time) AS changed_s,
    (database, name) IN (
      SELECT database, table FROM system.mutations WHERE NOT is_done OR toUnixTimestamp(create_time) >= {since:Int64}
    ) AS isMutated
  FROM system.tables WHERE notEmpty(data_paths) AND engine != 'MaterializedView' AND NOT is_temporary AND database ${others}`

export type FreezeRequest = {
  /** ClickHouse's own folder. */
  readonly from: string
  /** Takes the definitions and marks. */
  readonly to: string
  /** Takes the rows: on the file system of `from`. */
  readonly rowsTo: string
}

type Asked = Pick<ClickHouse, 'rows'>

/**
 * Copies all databases and tables as they are at one moment, by second names of their files. A part is never written
 * again, and stays for minutes after a merge has replaced it: most parts are linked while writes go on, and the parts
 * that came since while writes pause. The pause grows with the number of those parts, not with the number of tables.
 *
 * ClickHouse's BACKUP would leave the marks of deduplication out: a batch that was half-way when the copy was taken
 * would count twice. Its FREEZE knows no moment but a table's own.
 */
export function createFreeze({ from, to, rowsTo }: FreezeRequest) {
  /** Parts that are taken whole. */
  const held = new Set<string>()
  /** Folders of tables; whether changes of theirs were under way when their own files were taken. */
  const tables = new Map<string, { readonly isMutated: boolean }>()
  /** Folders of definitions, and when they had changed. */
  const definitions = new Map<string, number>()
  let since_s = 0
  let gone: readonly string[] = []
  const places = createPool(Array.from({ length: foldersAtOnce }, (_, place) => place))
  const each = async <Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> => {
    await Promise.all([...items].map((item) => places.use(() => work(item))))
  }
  const below = (path: string): string => (path.startsWith('/') ? relative(from, path) : path.replace(/\/$/, ''))

  /** The files of one folder itself; files that come and go change the folder's time. */
  async function takeDefinitions(folder: string): Promise<void> {
    const changed_ms = await changeOf(join(from, folder))
    if (definitions.get(folder) === changed_ms) return
    await rm(join(to, folder), { recursive: true, force: true })
    const isSettled = Date.now() - changed_ms > blur_s * 1000
    definitions.set(folder, isSettled ? changed_ms : Number.NaN)
    await linkFiles(join(from, folder), join(to, folder))
  }

  async function takeMarks(folder: string): Promise<void> {
    await linkFiles(join(from, folder), join(to, folder))
    for (const file of await filesIn(join(from, folder, deduplication))) {
      await copyGrowing(join(from, folder, deduplication, file), join(to, folder, deduplication, file))
    }
  }

  async function takePart(path: string): Promise<void> {
    if (await linkTree(join(from, path), join(rowsTo, path))) held.add(path)
    // ClickHouse has removed the part. While writes pause it removes no part that holds rows.
    else await rm(join(rowsTo, path), { recursive: true, force: true })
  }

  /** Answers which parts have gone since the pass before. */
  async function pass(clickhouse: Asked): Promise<string[]> {
    const began_s = Math.floor(Date.now() / 1000)
    const databases = await clickhouse.rows<{ folder: string }>({
      text: "SELECT metadata_path AS folder FROM system.databases WHERE engine = 'Atomic'",
      params: {},
    })
    const folders = ['metadata', ...databases.map(({ folder }) => below(folder))]
    await each(folders, takeDefinitions)
    await forget(definitions, new Set(folders))

    const found = await clickhouse.rows<Table>({ text: tablesOnDisk, params: { since: since_s - blur_s } })
    const strange = found.filter((table) => !engine.test(table.engine))
    if (strange.length > 0) throw new Error(`no way to copy ${strange.map(({ engine }) => engine).join(', ')}`)
    const byFolder = new Map(found.flatMap((table) => table.folders.map((folder) => [below(folder), table])))
    await forget(tables, new Set(byFolder.keys()))
    const changed: string[] = []
    for (const [folder, { changed_s, isMutated }] of byFolder) {
      const known = tables.get(folder)
      if (!known || known.isMutated || isMutated === 1 || changed_s >= since_s - blur_s) changed.push(folder)
      tables.set(folder, { isMutated: isMutated === 1 })
    }
    // Changes that were begun stand in files beside the parts: taken before these, they find parts of before, or done.
    await each(changed, async (folder) => {
      await rm(join(to, folder), { recursive: true, force: true })
      await takeMarks(folder)
    })

    const parts = await clickhouse.rows<{ path: string }>({
      text: `SELECT path FROM system.parts WHERE active AND database ${others}`,
      params: {},
    })
    const active = new Set(parts.map(({ path }) => below(path)))
    const come = [...active].filter((path) => !held.has(path))
    const left = [...held].filter((path) => !active.has(path))
    // The marks of an insert are there before its part is seen.
    const written = new Set([...come, ...left].map((path) => dirname(path)))
    await each(
      [...written].filter((folder) => byFolder.has(folder)),
      takeMarks,
    )
    await each(come, takePart)
    since_s = began_s
    return left
  }

  /** Removes from the copy the folders that are no longer there. */
  async function forget(known: Map<string, unknown>, there: ReadonlySet<string>): Promise<void> {
    for (const folder of known.keys()) {
      if (there.has(folder)) continue
      known.delete(folder)
      await rm(join(to, folder), { recursive: true, force: true })
    }
  }

  async function drop(parts: Iterable<string>): Promise<void> {
    for (const path of parts) {
      held.delete(path)
      await rm(join(rowsTo, path), { recursive: true, force: true })
    }
  }

  return {
    /** While writes go on. */
    async prepare(clickhouse: Asked): Promise<void> {
      await mkdir(rowsTo, { recursive: true })
      for (let passes = 0; passes < maxPasses; passes++) {
        const began = performance.now()
        await drop(await pass(clickhouse))
        if (performance.now() - began < shortPass_ms) return
      }
    },
    /** While nothing is written. */
    async hold(clickhouse: Asked): Promise<void> {
      gone = await pass(clickhouse)
    },
    /** After that: then the copy is of that moment. */
    finish: (): Promise<void> => drop(gone),
  }
}

/** When a folder was last changed; 0 where it is gone. */
const changeOf = (folder: string): Promise<number> =>
  stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return 0
      throw error
    },
  )

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
