import type { Exclusively } from '../base/mutex.ts'
import type { Logger } from './logger.ts'

export type UnfinishedDeps = {
  /** The kind of thing that the work changes, as log lines and probes call it. */
  readonly noun: 'schema' | 'table' | 'graph' | 'deletion'
  readonly exclusively: Exclusively
  readonly longestPause_ms?: number
  readonly logger: Logger
}

/** Between two attempts at a change that ClickHouse did not let through. */
const firstPause_ms = 2_000

type Work = { readonly end: () => Promise<void>; readonly reason: string }

/** Work on schemas, tables, graphs or deletions that failed half-way, and is tried again until it is done. */
export function createUnfinished({ noun, exclusively, longestPause_ms = 60_000, logger }: UnfinishedDeps) {
  const shortestPause_ms = Math.min(firstPause_ms, longestPause_ms)
  const works = new Map<string, Work>()
  let timer: NodeJS.Timeout | undefined
  let pause_ms = shortestPause_ms
  let stopped = false

  /** Does now the work that is left under a name, if any. Runs exclusively. */
  async function settle(name: string): Promise<void> {
    const work = works.get(name)
    if (work === undefined) return
    try {
      await work.end()
    } catch (error) {
      if (works.get(name) === work) works.set(name, { ...work, reason: reasonOf(error) })
      throw error
    }
    if (works.get(name) !== work) return
    works.delete(name)
    logger.info({ [noun]: name }, `${noun} that was left half-changed is as it should be again`)
  }

  function plan(): void {
    if (stopped || works.size === 0) return
    timer ??= setTimeout(async () => {
      for (const name of [...works.keys()]) {
        if (stopped) return
        await exclusively(() => settle(name)).catch(() => {})
      }
      timer = undefined
      pause_ms = works.size === 0 ? shortestPause_ms : Math.min(longestPause_ms, 2 * pause_ms)
      plan()
    }, pause_ms).unref()
  }

  return {
    settle,
    /** The caller logs `error`, once: no try after it is logged but the one that ends the work. */
    later(name: string, end: () => Promise<void>, error: unknown): void {
      works.set(name, { end, reason: reasonOf(error) })
      plan()
    },
    forget: (name: string): void => {
      works.delete(name)
    },
    list: (): { name: string; reason: string }[] => [...works].map(([name, { reason }]) => ({ name, reason })),
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
  }
}

export type Unfinished = ReturnType<typeof createUnfinished>

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
