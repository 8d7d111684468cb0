import { setTimeout as after } from 'node:timers/promises'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Membership } from '../../infra/processes/membership.ts'
import type { Leases, Turn } from '../../infra/processes/turns.ts'
import type { Versions } from '../../infra/processes/versions.ts'
import { createTurns, type InTurn } from './schema-turns.ts'

export type SharedTurnsDeps = {
  readonly leases: Leases
  readonly membership: Membership
  readonly versions: Versions
  readonly version: () => Promise<number>
  readonly followed: Followed
  readonly logger: Logger
}

/** The catalogue as this process has it in memory. */
export type Followed = {
  /** Reads all of it, and undoes or ends what a crash left half-done; runs in a turn, before any event is fed. */
  load(): Promise<void>
  /** Applies what the others have done since a version. */
  apply(since: number): Promise<void>
  /** Ends what another process left half-done; runs in a turn. */
  repair(): Promise<void>
  hasLeftOvers(): boolean
  /** Whether another process is at work on tables into which this one would feed. */
  isEdited(): boolean
}

const pause_ms = 1_000

/**
 * Changes of schemas and tables by several processes on one ClickHouse: one at a time, each on what all before it left,
 * and answered once every living process has followed it. In between each process asks every second what is new.
 */
export function createSharedTurns(deps: SharedTurnsDeps) {
  const { leases, membership, versions, version, followed, logger } = deps
  const local = createTurns()
  const oneAtATime = createTurns()
  let turn: Turn | undefined
  let stopped = false

  /** Brings this process up to what the catalogue says. */
  const follow = (): Promise<void> =>
    oneAtATime(async () => {
      const [since, now] = [versions.seen(), await version()]
      if (now <= since) return
      await followed.apply(since)
      versions.saw(now)
      await membership.followedTo(now)
    })

  const inTurn: InTurn = (work) =>
    local(async () => {
      turn = await leases.take('catalogue')
      try {
        await follow()
        await followed.repair()
        const result = await work()
        await membership.agreed()
        return result
      } finally {
        const mine = turn
        versions.saw(await version().catch(() => 0))
        turn = undefined
        await mine.end().catch((error: unknown) => logger.warn({ err: error }, 'turn not given back, it expires'))
      }
    })

  async function beat(): Promise<void> {
    while (!stopped) {
      await membership.beat().catch((error: unknown) => logger.warn({ err: error }, 'no sign of life given'))
      await after(pause_ms, undefined, { ref: false })
    }
  }

  async function poll(): Promise<void> {
    while (!stopped) {
      try {
        if (turn === undefined) await follow()
        if (followed.hasLeftOvers() && !(await leases.isHeldElsewhere('catalogue'))) await inTurn(async () => {})
      } catch (error) {
        logger.warn({ err: error }, 'the catalogue could not be followed')
      }
      await after(pause_ms, undefined, { ref: false })
    }
  }

  return {
    inTurn,
    /** A ClickHouse that runs a statement of this process's turn only while it has the turn. */
    guarded: (clickhouse: ClickHouse): ClickHouse => ({
      ...clickhouse,
      async run(statement) {
        turn?.check()
        return clickhouse.run(statement)
      },
    }),

    /** Reads the catalogue; ends what is half-done, where no other process is at it. */
    async start(): Promise<void> {
      void beat()
      for (;;) {
        const mine = await leases.tryTake('catalogue')
        if (mine) {
          turn = mine
          try {
            await followed.load()
            versions.saw(await version())
            await membership.followedTo(versions.seen())
          } finally {
            turn = undefined
            await mine.end()
          }
          break
        }
        await follow()
        if (!followed.isEdited()) break
        logger.info('a schema is being edited by another process, waiting')
        await after(pause_ms)
      }
      void poll()
    },

    async stop(): Promise<void> {
      stopped = true
      await membership.leave().catch(() => {})
    },
  }
}

export type SharedTurns = ReturnType<typeof createSharedTurns>
