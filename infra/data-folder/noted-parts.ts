import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { Logger } from '../logger.ts'
import { type Lost, lostParts, type Part, type PartsOfTables } from './lost-parts.ts'

/** The note in the folder of ClickHouse. */
const noteName = 'weir-parts.json'
const every_ms = 60_000
/** Tables and parts of one start that are told by name. */
const [toldTables, toldParts] = [20, 5]

const note = z.record(
  z.string(),
  z.object({
    name: z.string(),
    parts: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()])),
  }),
)

type Row = {
  readonly path: string
  readonly partition: string
  readonly min: string
  readonly max: string
  readonly rows: string
  readonly ends: string
}

/**
 * Parts without a row stand in for those whose rows were all deleted; ClickHouse takes them out of use within seconds and
 * lists them for some minutes. A TTL with a condition leaves rows that do not meet it: the part may be gone once all that do
 * have expired.
 */
const partsInUse = `
  SELECT path, partition_id AS partition, toString(min_block_number) AS min,
    toString(max_block_number) AS max, toString(p.rows) AS rows,
    toString(arrayMin(arrayConcat(
      if(toUInt32(delete_ttl_info_max) = 0, [4294967296], [toUInt64(toUInt32(delete_ttl_info_max))]),
      arrayMap(at -> if(toUInt32(at) = 0, 4294967296, toUInt64(toUInt32(at))), rows_where_ttl_info.max)
    )) % 4294967296) AS ends
  FROM system.parts AS p
  WHERE (active OR p.rows = 0) AND database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')`

/** Includes tables without a part: their parts may be the lost ones. */
const ownTables = `
  SELECT data_paths[1] AS path, concat(database, '.', name) AS name
  FROM system.tables
  WHERE engine LIKE '%MergeTree' AND database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')`

export type NotedPartsDeps = {
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  /** The folder of ClickHouse. */
  readonly folder: string
  readonly logger: Logger
  /** How many parts are gone. */
  readonly found: (parts: number) => void
}

/**
 * Notes which parts the tables have, each minute and at a clean stop, and tells at the next start of those that are gone.
 * ClickHouse itself loads what it finds: a part that somebody removed, or that a repair of the file system took, is
 * missing without a word.
 */
export function createNotedParts({ clickhouse, folder, logger, found }: NotedPartsDeps) {
  const file = join(folder, noteName)
  let [written, isClosed] = ['', false]
  let timer: NodeJS.Timeout | undefined
  let noting: Promise<void> | undefined

  async function present(): Promise<PartsOfTables> {
    const tables: Record<string, { name: string; parts: Part[] }> = {}
    const own = await clickhouse.rows<{ path: string; name: string }>({ text: ownTables, params: {} })
    for (const { path, name } of own) tables[relative(folder, path)] = { name, parts: [] }
    for (const { path, partition, min, max, rows, ends } of await clickhouse.rows<Row>({
      text: partsInUse,
      params: {},
    })) {
      tables[relative(folder, join(path, '..'))]?.parts.push({
        partition,
        min: Number(min),
        max: Number(max),
        rows: Number(rows),
        ends_s: Number(ends),
      })
    }
    return tables
  }

  function write(tables: PartsOfTables): void {
    const noted = Object.entries(tables).flatMap(([of, { name, parts }]) => {
      const full = parts.filter(({ rows }) => rows > 0)
      if (full.length === 0) return []
      return [
        [of, { name, parts: full.map(({ partition, min, max, rows, ends_s }) => [partition, min, max, rows, ends_s]) }],
      ]
    })
    const text = JSON.stringify(Object.fromEntries(noted))
    if (text === written) return
    // Where the machine goes down amid this the next start has nothing to compare with.
    writeFileSync(`${file}.next`, text)
    renameSync(`${file}.next`, file)
    written = text
  }

  /** A note that cannot be written (a full disk), or a statement that fails, is made up for by the next one. */
  async function noteNow(): Promise<void> {
    try {
      write(await present())
    } catch (error) {
      logger.debug({ err: error }, 'parts could not be noted')
    }
  }

  function tell(lost: readonly Lost[]): void {
    for (const { folder: of, table, parts, rows } of lost.slice(0, toldTables)) {
      const names = parts.slice(0, toldParts).map(({ partition, min, max }) => `${partition}_${min}_${max}`)
      const aside = namesIn(join(folder, of, 'detached')).filter((name) => names.some((one) => name.includes(one)))
      logger.error(
        { table, parts: parts.length, rows, names, ...(aside.length > 0 && { aside }), folder: join(folder, of) },
        'parts of a table are gone that were there before: restore a backup, or put them back. A repair by reconcile would take what they held out of statistics too',
      )
    }
    if (lost.length > toldTables) logger.error({ tables: lost.length }, 'parts of more tables are gone')
    found(lost.reduce((sum, { parts }) => sum + parts.length, 0))
  }

  return {
    /**
     * Compares with the note of before, then goes on noting. Resolves once it has looked: an insert before that may get the
     * number of a part that is gone.
     */
    async open(): Promise<void> {
      try {
        const before = readNote(file)
        const now = await present()
        tell(before ? lostParts(before, now, Date.now() / 1000) : [])
        write(now)
      } catch (error) {
        logger.warn({ err: error }, 'parts of tables could not be looked at')
      }
      if (isClosed) return
      timer = setInterval(() => {
        noting ??= noteNow().finally(() => {
          noting = undefined
        })
      }, every_ms).unref()
    },
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await noting
      if (timer) await noteNow()
    },
  }
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

function readNote(file: string): PartsOfTables | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const read = note.safeParse(jsonOf(text))
  if (!read.success) return undefined
  return Object.fromEntries(
    Object.entries(read.data).map(([of, { name, parts }]) => [
      of,
      { name, parts: parts.map(([partition, min, max, rows, ends_s]) => ({ partition, min, max, rows, ends_s })) },
    ]),
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
