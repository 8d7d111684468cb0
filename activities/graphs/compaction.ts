/** Makes each table of a graph one part once nobody writes to it: walks over it then take two thirds of the time, or less. */
import { type ClickHouse, isAbsent } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import { allowMerges, compactTable, compileLooseTables, type Rest, stopMerges } from '../../sql/graph/index.ts'

export type CompactionDeps = {
  readonly clickhouse: ClickHouse
  /** Whether ClickHouse is in this process: then what is under way gives way, as no crash leaves it stopped. */
  readonly isEmbedded: boolean
  readonly logger: Logger
  readonly rest?: Rest
  /** Milliseconds between two looks, and after one that has failed. */
  readonly pauses?: { readonly look_ms: number; readonly failed_ms: number }
}

const usualPauses = { look_ms: 5_000, failed_ms: 60_000 }

export function createCompaction({ clickhouse, isEmbedded, logger, rest, pauses = usualPauses }: CompactionDeps) {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  /** How much work goes on that no compaction may hold up. */
  let held = 0
  let underWay: { readonly table: string; readonly ended: Promise<void> } | undefined

  async function compact(table: string): Promise<void> {
    const ended = clickhouse.run(compactTable(table))
    underWay = { table, ended: ended.catch(() => {}) }
    try {
      await ended
    } finally {
      underWay = undefined
    }
  }

  async function compactAll(): Promise<void> {
    for (const { table } of await clickhouse.rows<{ table: string }>(compileLooseTables(rest))) {
      if (held > 0 || isClosed) return
      await compact(table).catch((error) => {
        if (!isAbsent(error) && held === 0 && !isClosed) throw error
      })
    }
  }

  function later(pause_ms: number): void {
    if (!isClosed) timer = setTimeout(look, pause_ms).unref()
  }

  async function look(): Promise<void> {
    try {
      await compactAll()
      later(pauses.look_ms)
    } catch (error) {
      logger.warn({ err: error }, 'graphs at rest are not compacted, looking again later')
      later(pauses.failed_ms)
    }
  }

  async function giveWay(): Promise<void> {
    if (underWay === undefined || !isEmbedded) return
    const { table, ended } = underWay
    await clickhouse.run(stopMerges(table))
    await ended.finally(() => clickhouse.run(allowMerges(table)))
  }

  return {
    start: (): void => later(pauses.look_ms),

    /** Compacts what is at rest now. */
    compactAll,

    /** Does `work`, which a merge of the same table would keep waiting. */
    async without<Result>(work: () => Promise<Result>): Promise<Result> {
      held++
      try {
        await giveWay().catch(() => {})
        return await work()
      } finally {
        held--
      }
    },

    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await giveWay().catch(() => {})
    },
  }
}

export type Compaction = ReturnType<typeof createCompaction>
