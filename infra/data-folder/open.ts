import { randomBytes } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { Config } from '../config.ts'
import { fileName } from '../log/embedded/copy-log.ts'
import { takeSoleWriter } from '../log/embedded/sole-writer.ts'
import type { Logger } from '../logger.ts'
import { release } from '../version.ts'
import { needAccess, warnOfFewHandles } from './access.ts'
import { type Mark, type Part, readMark, syncFolder, writeMark } from './mark.ts'
import { type Found, findClickHouse, findLog } from './parts.ts'
import { isEmptyLog, isForeign, isMissing, type Refusal, refusalOf } from './refusals.ts'

type FolderConfig = Pick<Config, 'DATA_DIR' | 'CLICKHOUSE_URL' | 'KAFKA_BROKERS' | 'ROLE' | 'START_WITHOUT'>

/** The fault of parts that are to come together, if they have one. */
type Amiss = { readonly kind: 'missing'; readonly part: Part } | { readonly kind: 'foreign' } | undefined

/**
 * The parts under DATA_DIR, which belong together: events that the log acknowledged and has given away are in
 * ClickHouse, and events that it still has are of ClickHouse's schemas. Each part bears the same id once a start has
 * had both; a start that finds one of them without the other is refused.
 *
 * This reads, and changes nothing but by START_WITHOUT. Throws where the folder is not to be used.
 */
export function openDataFolder(config: FolderConfig, logger: Logger) {
  const folder = resolve(config.DATA_DIR)
  const isNew = !existsSync(folder)
  needAccess(folder)
  warnOfFewHandles(logger)
  if (isNew) logger.warn({ folder }, 'DATA_DIR was not there: made it, and begin with nothing')
  const root = readMark(folder)
  const places = { clickhouse: join(folder, 'clickhouse'), log: join(folder, 'log') }
  const isServer = config.CLICKHOUSE_URL !== undefined
  const clickhouse = isServer ? undefined : findClickHouse(places.clickhouse)
  const hasOwnLog = config.KAFKA_BROKERS === undefined && config.ROLE !== 'worker'
  const log = hasOwnLog ? findLog(places.log) : undefined
  const { START_WITHOUT: without } = config
  const server = isServer ? config.CLICKHOUSE_URL : undefined
  let wasPassed: Amiss
  sayUpgrade(root, [clickhouse, log], logger)
  pass(amissOf(root, clickhouse, log))

  /** Goes on where the settings say so; else throws. */
  function pass(amiss: Amiss): void {
    if (!amiss) return
    const refusal: Refusal = { folder, places, server, clickhouse, log }
    const isAllowed =
      amiss.kind === 'missing' ? without === amiss.part : without === 'log' || (without === 'clickhouse' && !isServer)
    if (!isAllowed) throw refusalOf(amiss.kind === 'missing' ? isMissing(amiss.part) : isForeign, refusal)
    wasPassed = amiss
    logger.warn({ without }, refusalOf(amiss.kind === 'missing' ? isMissing(amiss.part) : isForeign, refusal).message)
    if (amiss.kind !== 'foreign' || without !== 'clickhouse') return
    const aside = `${places.clickhouse}-${clickhouse?.mark?.id}-${Date.now()}`
    renameSync(places.clickhouse, aside)
    logger.warn({ aside }, 'ClickHouse of another id was set aside')
  }

  /** Takes a log out of the way that has nothing to do with ClickHouse; its clock stays, so that no `_pk` comes twice. */
  async function setLogAside(): Promise<void> {
    const file = join(places.log, fileName)
    if (!existsSync(file)) return
    const writer = await takeSoleWriter(places.log)
    try {
      const aside = join(places.log, `aside-${log?.mark?.id ?? 'unknown'}-${Date.now()}.mdb`)
      renameSync(file, aside)
      syncFolder(places.log)
      logger.warn({ aside }, 'the log that does not belong to this ClickHouse was set aside')
    } finally {
      writer.release()
    }
  }

  /** An id that the server has and the log has not: it joins. The other way round the server's data is gone, or has none yet. */
  async function meetServer(client: Pick<ClickHouse, 'rows'>, own: Found): Promise<void> {
    const { id, hasData } = await askData(client)
    const mine = own.mark?.id
    if (id !== undefined && mine !== undefined && id !== mine) return pass({ kind: 'foreign' })
    if (id === undefined && !hasData && (mine !== undefined || (own.hasData && !isEmptyLog(places.log)))) {
      pass({ kind: 'missing', part: 'clickhouse' })
    }
  }

  return {
    /** Looks at ClickHouse, which is open, before anything is written to it; throws where it is not the log's. */
    async meet(client: Pick<ClickHouse, 'rows'>): Promise<void> {
      if (!log) return
      if (!clickhouse) await meetServer(client, log)
      else if (!root && !log.hasData && clickhouse.hasData && !wasPassed && (await askData(client)).hasData) {
        // No mark yet: an earlier version's folder without its log, or a first start that was cut off before any schema.
        pass({ kind: 'missing', part: 'log' })
      }
      if (
        log.damage !== undefined ||
        wasPassed?.kind === 'foreign' ||
        (wasPassed?.kind === 'missing' && wasPassed.part === 'clickhouse')
      ) {
        await setLogAside()
      }
      if (without !== undefined && !wasPassed) {
        logger.warn(
          { without },
          'START_WITHOUT is set and nothing is missing: unset it, so that a start that misses something is refused',
        )
      }
    },

    /** Marks the parts, which are open, as belonging together. */
    async settle(client: Pick<ClickHouse, 'rows' | 'insert'>): Promise<void> {
      if (config.ROLE === 'worker') return
      const parts: Part[] = [...(clickhouse ? (['clickhouse'] as const) : []), ...(log ? (['log'] as const) : [])]
      if (!log) return writeMark(folder, { ...(root?.id !== undefined && { id: root.id }), parts }, root)
      const known = without === 'log' ? (clickhouse?.mark?.id ?? log.mark?.id) : (log.mark?.id ?? clickhouse?.mark?.id)
      const wanted = known ?? randomBytes(9).toString('base64url')
      const id = clickhouse ? wanted : await giveId(client, wanted)
      writeMark(places.log, { id }, log.mark)
      if (clickhouse) {
        writeMark(places.clickhouse, { id }, wasPassed?.kind === 'foreign' ? undefined : clickhouse.mark)
      }
      writeMark(folder, { id, parts }, root)
    },

    /** Whether this start goes on without the log of before: batches that were half done are in some tables only. */
    hasLostLog: (): boolean => wasPassed !== undefined && without === 'log',
  }
}

export type DataFolder = ReturnType<typeof openDataFolder>

function amissOf(root: Mark | undefined, clickhouse: Found | undefined, log: Found | undefined): Amiss {
  const isPaired = [clickhouse, log].some((part) => part?.mark?.id !== undefined)
  const had = (part: Part): boolean => isPaired || root?.parts?.includes(part) === true
  if (log?.damage !== undefined && (!clickhouse || clickhouse.hasData)) return { kind: 'missing', part: 'log' }
  if (clickhouse && log) {
    const [ofClickHouse, ofLog] = [clickhouse.mark?.id, log.mark?.id]
    if (clickhouse.hasData && log.hasData) {
      return ofClickHouse !== undefined && ofLog !== undefined && ofClickHouse !== ofLog
        ? { kind: 'foreign' }
        : undefined
    }
    if (!clickhouse.hasData)
      return log.hasData || had('clickhouse') ? { kind: 'missing', part: 'clickhouse' } : undefined
    return had('log') ? { kind: 'missing', part: 'log' } : undefined
  }
  if (clickhouse && !clickhouse.hasData && root?.parts?.includes('clickhouse'))
    return { kind: 'missing', part: 'clickhouse' }
  if (log && !log.hasData && had('log')) return { kind: 'missing', part: 'log' }
  return undefined
}

function sayUpgrade(root: Mark | undefined, parts: readonly (Found | undefined)[], logger: Logger): void {
  const now = release()
  const before = root?.by ?? parts.find((part) => part?.mark?.by !== undefined)?.mark?.by
  if (before === now) return
  if (before !== undefined) logger.info({ before, now }, 'another version wrote this data folder before')
  else if (parts.some((part) => part?.hasData)) {
    logger.info({ now }, 'an earlier version, which left no mark, wrote this data folder before')
  }
}

type Asked = Pick<ClickHouse, 'rows'>

async function tablesOf(clickhouse: Asked): Promise<ReadonlySet<string>> {
  const found = await clickhouse.rows<{ name: string }>({
    text: "SELECT name FROM system.tables WHERE database = 'weir' AND name IN ('schemas', 'tables', 'data_id')",
    params: {},
  })
  return new Set(found.map(({ name }) => name))
}

/** The id of the data in ClickHouse, where it has one, and whether it knows any schema or table. */
async function askData(clickhouse: Asked): Promise<{ readonly id: string | undefined; readonly hasData: boolean }> {
  const tables = await tablesOf(clickhouse)
  const counts = ['schemas', 'tables']
    .filter((name) => tables.has(name))
    .map((name) => `(SELECT count() FROM weir.${name})`)
  const ids = tables.has('data_id') ? await clickhouse.rows<{ id: string }>({ text: oneId, params: {} }) : []
  if (counts.length === 0) return { id: ids[0]?.id, hasData: false }
  const [row] = await clickhouse.rows<{ n: string | number }>({ text: `SELECT ${counts.join(' + ')} AS n`, params: {} })
  return { id: ids[0]?.id, hasData: Number(row?.n) > 0 }
}

const oneId = 'SELECT id FROM weir.data_id ORDER BY at LIMIT 1'

/** Gives the data in ClickHouse an id, unless another process has: all inserts bear one token, so one of them is kept. */
async function giveId(clickhouse: Pick<ClickHouse, 'rows' | 'insert'>, wanted: string): Promise<string> {
  const [known] = await clickhouse.rows<{ id: string }>({ text: oneId, params: {} })
  if (known) return known.id
  await clickhouse.insert({
    table: '`weir`.`data_id`',
    rows: Buffer.from(`${JSON.stringify({ id: wanted })}\n`),
    token: 'the id of this data',
  })
  const [kept] = await clickhouse.rows<{ id: string }>({ text: oneId, params: {} })
  return kept?.id ?? wanted
}
