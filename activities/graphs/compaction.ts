/**
 * Makes each table of a graph one part once no client writes to it: a walk reads each part. Measured, one of three steps over a
 * million relations takes a quarter less than over tables of three and four parts.
 *
 * ClickHouse's settings for it (`min_age_to_force_merge_seconds`, `..._on_partition_only`) know no rest that grows with the table:
 * measured with 26.7, they merge a million relations anew for each one that comes every 6.5 s, 973 MB and 22 s of merges a minute.
 */
import { type ClickHouse, ClickHouseError, isAbsent } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import { allowMerges, compactTable, compileLooseTables, type Rest, stopMerges } from '../../sql/graph/index.ts'
import { graphTables } from '../../sql/schema/names.ts'

export type CompactionDeps = {
  readonly clickhouse: ClickHouse
  /** Whether ClickHouse is in this process: then a merge under way gives way, as no crash leaves its merges stopped. */
  readonly isEmbedded: boolean
  readonly logger: Logger
  readonly rest?: Rest
  /** Milliseconds from one look to the next, at least, and from one that has failed. */
  readonly pauses?: { readonly look_ms: number; readonly failed_ms: number }
}

const usualPauses = { look_ms: 5_000, failed_ms: 60_000 }

/** The pause between two looks is this many times as long as a look: a tenth of one core at most, whatever is written. */
const pauseOfWork = 9
/** ABORTED: the table was dropped, or its merges were stopped. */
const aborted = 236

const isGivenUp = (error: unknown): boolean =>
  isAbsent(error) || (error instanceof ClickHouseError && error.code === aborted)

export function createCompaction({ clickhouse, isEmbedded, logger, rest, pauses = usualPauses }: CompactionDeps) {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** Tables that are being changed, which no merge may hold up: each as often as there are such changes. */
  const held: string[] = []
  /** Tables whose merges are stopped. */
  const stopped = new Set<string>()
  let underWay: { readonly table: string; readonly ended: Promise<void> } | undefined

  async function compact(table: string): Promise<void> {
    const ended = clickhouse.run(compactTable(table))
    underWay = { table, ended: ended.catch(() => {}) }
    try {
      await ended
    } catch (error) {
      if (!isGivenUp(error)) throw error
    } finally {
      underWay = undefined
    }
  }

  /** The next table at rest that is not among those that were `tried`. */
  async function loose(tried: ReadonlySet<string>): Promise<string | undefined> {
    if (isClosed) return undefined
    const tables = await clickhouse.rows<{ table: string }>(compileLooseTables(rest))
    return tables.find(({ table }) => !tried.has(table) && !held.includes(table))?.table
  }

  /** Compacts the tables that are at rest; the first failure is thrown at the end. */
  async function compactAll(): Promise<void> {
    const tried = new Set<string>()
    const faults: unknown[] = []
    for (const table of stopped) await allow(table).catch((error) => faults.push(error))
    for (let table = await loose(tried); table !== undefined && !isClosed; table = await loose(tried)) {
      tried.add(table)
      await compact(table).catch((error) => faults.push(error))
    }
    if (faults.length > 0) throw faults[0]
  }

  async function look(): Promise<void> {
    const began = performance.now()
    let pause_ms = pauses.look_ms
    try {
      await compactAll()
    } catch (error) {
      if (!isClosed) logger.warn({ err: error }, 'a graph at rest is not compacted, trying it again')
      pause_ms = pauses.failed_ms
    }
    later(Math.max(pause_ms, pauseOfWork * (performance.now() - began)))
  }

  function later(pause_ms: number): void {
    if (!isClosed) timer = setTimeout(look, pause_ms).unref()
  }

  async function allow(table: string): Promise<void> {
    await clickhouse.run(allowMerges(table)).catch((error) => {
      if (!isAbsent(error)) throw error
    })
    stopped.delete(table)
  }

  /** Breaks off the merge of one of these tables. */
  async function giveWay(isMeant: (table: string) => boolean): Promise<void> {
    if (!isEmbedded || underWay === undefined || !isMeant(underWay.table)) return
    const { table, ended } = underWay
    stopped.add(table)
    try {
      await clickhouse.run(stopMerges(table))
      await ended
    } finally {
      await allow(table)
    }
  }

  const giveWayIfPossible = (isMeant: (table: string) => boolean): Promise<void> =>
    giveWay(isMeant).catch((error) => logger.warn({ err: error }, 'a merge of a graph did not give way'))

  return {
    start: (): void => later(pauses.look_ms),

    compactAll,

    /** Does `work`, which a merge of the graph's tables would keep waiting. */
    async without<Result>(graph: string, work: () => Promise<Result>): Promise<Result> {
      const tables = graphTables(graph)
      held.push(...tables)
      try {
        await giveWayIfPossible((table) => tables.includes(table))
        return await work()
      } finally {
        for (const table of tables) held.splice(held.indexOf(table), 1)
      }
    },

    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await giveWayIfPossible(() => true)
    },
  }
}

export type Compaction = ReturnType<typeof createCompaction>
