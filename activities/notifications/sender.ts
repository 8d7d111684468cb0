import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../infra/logger.ts'
import type { Lease, Leases } from '../../infra/processes/leases.ts'
import type { Deliveries } from './delivery/deliveries.ts'
import { type Rounds, Superseded } from './rounds.ts'
import type { Timeline } from './timeline.ts'

export type SenderDeps = {
  /** Undefined where no other process is on this ClickHouse. */
  readonly leases: Leases | undefined
  readonly rounds: Rounds
  readonly deliveries: Pick<Deliveries, 'start' | 'stop'>
  readonly timeline: Timeline
  /** Whether a schema has a filter that matches a notification. */
  readonly hasNotices: () => boolean
  readonly logger: Logger
}

const pause_ms = 250
const again_ms = 1_000
/** How often it is asked whether another process has changed a template, or has left the sends. */
const follow_ms = 1_000

const alone: Pick<Lease, 'number' | 'isHeld' | 'end'> = { number: 0, isHeld: () => true, end: async () => {} }

/** Makes sends of matches, and delivers them, until it is asked to stop: in one process at a time, the one that has the lease. */
export function createSender({ leases, rounds, deliveries, timeline, hasNotices, logger }: SenderDeps) {
  const isWanted = (): boolean => hasNotices() || !timeline.isEmpty()
  const pause = (time_ms: number, signal: AbortSignal): Promise<void> =>
    sleep(time_ms, undefined, { ref: false, signal }).catch(() => {})

  async function send(lease: typeof alone, stopped: AbortSignal): Promise<void> {
    let followed = performance.now()
    try {
      await timeline.refresh()
      await rounds.load()
      await deliveries.start(lease)
      while (!stopped.aborted && lease.isHeld()) {
        try {
          if (leases && performance.now() - followed > follow_ms) {
            await timeline.refresh()
            await rounds.check()
            followed = performance.now()
          }
          const hasMore = isWanted() && (await rounds.run())
          if (!hasMore) await pause(pause_ms, stopped)
        } catch (error) {
          // The next round takes this one up. Deliveries go on: one that began anew would be made again.
          if (stopped.aborted || error instanceof Superseded) throw error
          logger.error({ err: error }, 'notifications not sent, retrying')
          await pause(again_ms, stopped)
        }
      }
    } finally {
      await deliveries.stop()
      await lease.end()
    }
  }

  async function run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      try {
        if (leases) await timeline.refresh()
        const lease = isWanted() ? await (leases?.tryTake('notifications') ?? alone) : undefined
        if (lease) await send(lease, stopped)
        else await pause(leases ? follow_ms : pause_ms, stopped)
      } catch (error) {
        if (stopped.aborted) return
        if (error instanceof Superseded) logger.warn('another process sends notifications, leaving it to that one')
        else logger.error({ err: error }, 'notifications not sent, retrying')
        await pause(again_ms, stopped)
      }
    }
  }

  return { run }
}

export type Sender = ReturnType<typeof createSender>
