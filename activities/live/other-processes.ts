import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalogue, Horizon } from '../../infra/catalogue/catalogue.ts'
import type { Arrivals } from '../../infra/log/arrivals.ts'
import type { Feeder } from '../../infra/log/port.ts'
import { createLogOncePerOutage, type Logger } from '../../infra/logger.ts'
import type { Sharing } from '../../infra/processes/sharing.ts'
import type { Registry } from '../schemas/registry.ts'

export type OtherProcessesDeps = {
  readonly catalogue: Pick<Catalogue, 'putHorizon' | 'horizons'>
  readonly sharing: Pick<Sharing, 'id' | 'living'>
  readonly arrivals: Pick<Arrivals, 'settled'>
  readonly feeder: Pick<Feeder, 'followed' | 'failures'>
  readonly registry: Pick<Registry, 'queues'>
  readonly logger: Logger
}

const pause_ms = 1_000
const patience_ms = 5_000
/** An answer of ClickHouse serves all streams that are looked at meanwhile. */
const believed_ms = 300

/**
 * Processes on one ClickHouse write down how far their own events are in it, and read that of the others: an event that
 * another process has acknowledged, and not fed yet, may belong before those that are there.
 */
export function createOtherProcesses(deps: OtherProcessesDeps) {
  const { catalogue, sharing, arrivals, feeder, registry, logger } = deps
  /** How far a process was with a queue when it last fed it. */
  const known = new Map<string, number>()
  let isClosed = false
  let asked: { readonly at_ms: number; readonly answer: Promise<readonly [string, Horizon][]> } | undefined

  async function publish(): Promise<void> {
    const queues = [...new Set(registry.queues())]
    const failing = new Set(feeder.failures().map(({ queue }) => queue))
    const settled = arrivals.settled(queues)
    await feeder.followed(
      queues.filter((queue) => !failing.has(queue)),
      patience_ms,
    )
    await catalogue.putHorizon(sharing.id, { settled, behind: queues.filter((queue) => failing.has(queue)) })
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
      let least: number | undefined
      for (const [id, { settled, behind }] of found) {
        for (const queue of queues) {
          const name = `${id} ${queue}`
          if (!behind.includes(queue)) known.set(name, settled)
          least = Math.min(least ?? Number.MAX_SAFE_INTEGER, known.get(name) ?? 0)
        }
      }
      return least
    },

    async run(): Promise<void> {
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
