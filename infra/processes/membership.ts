import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../base/faults.ts'
import { createMutex } from '../../base/mutex.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { release } from '../version.ts'
import type { Leases } from './leases.ts'
import { type Processes, type ProcessState, silence_ms } from './processes.ts'

export type MembershipDeps = {
  readonly id: string
  readonly processes: Processes
  readonly leases: Leases
  readonly clock: Clock
  readonly logger: Logger
}

const pause_ms = 100
/** How long the others may take to follow: they may have events to feed before an edit. */
const longestWait_ms = 40_000

/**
 * This process among those on one ClickHouse: its share of the clock, and the changes that the others have followed.
 */
export function createMembership({ id, processes, leases, clock, logger }: MembershipDeps) {
  const ownRelease = release()
  let slot = 0
  let slots = 1
  /** The version that this process has followed; lower than the version that it has seen while it applies one. */
  let followed = 0
  let [isStaying, hasLeft] = [false, false]
  /** No heartbeat that is under way when this process leaves comes after that: it would be a dead one's. */
  const locally = createMutex()

  const tell = (): Promise<void> =>
    locally(async () => {
      if (!hasLeft) await processes.tell({ id, release: ownRelease, slot, slots, seen: followed, reach: clock.last() })
    })
  const others = async (): Promise<ProcessState[]> => (await processes.living()).filter((other) => other.id !== id)

  function share(greatest: number): void {
    while (slots <= greatest) slots *= 2
    clock.share(slot, slots)
  }

  async function waitFor(what: string, isDone: (other: ProcessState) => boolean): Promise<void> {
    const end = performance.now() + longestWait_ms
    for (;;) {
      const waiting = (await others()).filter((other) => !isDone(other))
      if (waiting.length === 0) return
      if (performance.now() > end) {
        throw fault('late', `${waiting.length} other process(es) of the service ${what} yet; try again`)
      }
      await sleep(pause_ms)
    }
  }

  return {
    /**
     * Takes a share of the clock that no living process has; resolves once all of them leave it alone, and the clock is
     * past every value that they took of it before, or that an earlier holder of the share took.
     */
    async join<Result>(first: () => Promise<Result>): Promise<Result> {
      let result: Result
      const lease = await leases.take('processes')
      try {
        const known = await others()
        const stranger = known.find((other) => other.release !== ownRelease)
        if (stranger)
          throw new Error(
            `Weir ${stranger.release} began on this ClickHouse at the same moment as this Weir ${ownRelease}; start this one again`,
          )
        const taken = new Set(known.map((other) => other.slot))
        while (taken.has(slot)) slot++
        share(Math.max(slot, ...taken))
        clock.pass(await processes.reach())
        await tell()
        result = await first()
      } finally {
        await lease.end()
      }
      await waitFor('do not know of this one', (other) => other.slots >= slots)
      clock.pass(await processes.reach())
      logger.info({ id, slot, slots }, 'process joined the others on its ClickHouse')
      return result
    },

    /** Writes this process's heartbeat; takes note of processes that came. */
    async beat(): Promise<void> {
      const known = await others()
      share(Math.max(slot, ...known.map((other) => other.slot)))
      await tell()
    },

    /** Tells the others that this process has followed up to `version`. */
    async followedTo(version: number): Promise<void> {
      followed = Math.max(followed, version)
      await tell()
    },

    /** Resolves once every living process has followed the writes of this one, up to a version. */
    async agreed(written: number): Promise<void> {
      followed = Math.max(followed, written)
      await waitFor('have not followed the change', (other) => other.seen >= written)
    },

    others: async (): Promise<ReadonlySet<string>> => new Set((await others()).map((other) => other.id)),
    /** Whether a process has ended without leaving; true for one caller, once. */
    async wasCutOff(): Promise<boolean> {
      // The one before this one may just have ended.
      await sleep(silence_ms, undefined, { ref: false })
      const lease = await leases.take('processes')
      try {
        const dead = await processes.dead()
        for (const { id: other, reach } of dead) await processes.leave(other, reach)
        return dead.length > 0
      } finally {
        await lease.end()
      }
    },

    /** Makes `leave` do nothing: this process will count as dead once it is silent. */
    stay(): void {
      isStaying = true
    },
    async leave(): Promise<void> {
      hasLeft = true
      if (!isStaying) await locally(() => processes.leave(id, clock.last()))
    },
  }
}

export type Membership = ReturnType<typeof createMembership>
