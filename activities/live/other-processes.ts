import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalogue, Horizon } from '../../infra/catalogue/catalogue.ts'
import type { Arrivals } from '../../infra/log/arrivals.ts'
import type { Feeder } from '../../infra/log/port.ts'
import { createLogOncePerOutage, type Logger } from '../../infra/logger.ts'
import type { Sharing } from '../../infra/processes/sharing.ts'
import type { Registry } from '../registry/registry.ts'

export type OtherProcessesDeps = {
  readonly catalogue: Pick<Catalogue, 'putHorizon' | 'horizons' | 'forgetHorizons'>
  readonly sharing: Pick<Sharing, 'id' | 'living'>
  readonly arrivals: Pick<Arrivals, 'settled'>
  readonly feeder: Pick<Feeder, 'followed' | 'failures'>
  readonly registry: Pick<Registry, 'queues'>
  readonly logger: Logger
}

const pause_ms = 1_000
const day_us = 86_400_000_000
const patience_ms = 5_000
/** A queue that is not fed by then is written down as behind. */
const slow_ms = 300
/** An answer of ClickHouse serves all streams that are looked at meanwhile. */
const believed_ms = 300

/**
 * Processes on one ClickHouse write down how far their own events are in it, and read that of the others: an event that
 * another process has acknowledged, and not fed yet, may belong before those that are there.
 */
export function createOtherProcesses(deps: OtherProcessesDeps) {
  const { catalogue, sharing, arrivals, feeder, registry, logger } = deps
  /** By process, its position in a queue when it last fed it. */
  let known = new Map<string, Map<string, number>>()
  /** How far the own events of a queue are in ClickHouse; those that are followed may be further soon. */
  const fed = new Map<string, number>()
  const following = new Map<string, Promise<void>>()
  let isClosed = false
  let asked: { readonly at_ms: number; readonly answer: Promise<readonly [string, Horizon][]> } | undefined

  function follow(queue: string): Promise<void> {
    const settled = arrivals.settled([queue])
    const followed = feeder.followed([queue], patience_ms).then(
      () => {
        fed.set(queue, settled)
      },
      // It is followed anew, from where it is then.
      () => {},
    )
    return followed.finally(() => following.delete(queue))
  }

  /** A queue that is slow, or whose events wait for long before they are in the log, holds up no other. */
  async function publish(): Promise<void> {
    const queues = new Set(registry.queues())
    const failing = new Set(feeder.failures().map(({ queue }) => queue))
    const settled = arrivals.settled([])
    for (const queue of queues) {
      if (!failing.has(queue) && !following.has(queue)) following.set(queue, follow(queue))
    }
    await Promise.race([Promise.all(following.values()), sleep(slow_ms, undefined, { ref: false })])
    for (const queue of fed.keys()) if (!queues.has(queue)) fed.delete(queue)
    const behind = [...queues].filter((queue) => (fed.get(queue) ?? 0) < settled)
    const settledOf = Object.fromEntries(behind.map((queue) => [queue, fed.get(queue) ?? 0]))
    await catalogue.putHorizon(sharing.id, { settled, behind, ...(behind.length > 0 && { settledOf }) })
  }

  const publishing = createLogOncePerOutage({
    logger,
    begins: 'how far events are fed not written down, live streams of other processes wait',
    ended: 'how far events are fed written down again',
  })

  async function look(): Promise<readonly [string, Horizon][]> {
    const [living, horizons] = [await sharing.living(), await catalogue.horizons()]
    return [...living].map((id) => [id, horizons.get(id) ?? { settled: 0, behind: [] }])
  }

  function others(): Promise<readonly [string, Horizon][]> {
    if (!asked || performance.now() - asked.at_ms > believed_ms) asked = { at_ms: performance.now(), answer: look() }
    return asked.answer
  }

  return {
    /** Up to here all events of these queues that other living processes have acknowledged are in ClickHouse; undefined where no other lives. */
    async settled(queues: readonly string[]): Promise<number | undefined> {
      const found = await others()
      let min: number | undefined
      // Processes that are gone take along all that is known of them.
      known = new Map(found.map(([id]) => [id, known.get(id) ?? new Map()]))
      for (const [id, { settled, behind, settledOf }] of found) {
        const ofProcess = known.get(id)
        for (const queue of queues) {
          const now = settledOf?.[queue] ?? (behind.includes(queue) ? undefined : settled)
          if (now !== undefined) ofProcess?.set(queue, Math.max(now, ofProcess.get(queue) ?? 0))
          min = Math.min(min ?? Number.MAX_SAFE_INTEGER, ofProcess?.get(queue) ?? 0)
        }
      }
      return min
    },

    async run(): Promise<void> {
      await catalogue
        .forgetHorizons(Date.now() * 1000 - day_us)
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'processes that are gone not forgotten, the next start does'),
        )
      while (!isClosed) {
        await publishing(publish)
        await sleep(pause_ms, undefined, { ref: false })
      }
    },

    close(): void {
      isClosed = true
    },
  }
}

export type OtherProcesses = ReturnType<typeof createOtherProcesses>
