import { setTimeout as sleep } from 'node:timers/promises'
import { createMutex, type Exclusively } from '../../base/mutex.ts'
import type { SqlStatement } from '../../sql/statement.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { Logger } from '../logger.ts'
import type { CatalogueFollower } from './catalogue-follower.ts'
import type { Lease, Leases } from './leases.ts'
import type { Membership } from './membership.ts'
import type { Versions } from './versions.ts'

export type CatalogueChangesDeps = {
  readonly clickhouse: ClickHouse
  readonly leases: Leases
  readonly membership: Membership
  readonly versions: Versions
  readonly version: () => Promise<number>
  readonly logger: Logger
}

const pause_ms = 1_000

/**
 * Changes of schemas and tables by several processes on one ClickHouse: one at a time under a lease, each on top of all
 * before it, and answered once every living process has followed it. In between each process looks for new changes
 * every second.
 */
export function createCatalogueChanges(deps: CatalogueChangesDeps) {
  const { clickhouse, leases, membership, versions, version, logger } = deps
  const local = createMutex()
  const oneAtATime = createMutex()
  let lease: Lease | undefined
  let known: CatalogueFollower | undefined
  let stopped = false

  function catalogue(): CatalogueFollower {
    if (known) return known
    throw new Error('the catalogue is changed before it is read')
  }

  /** Brings this process up to the catalogue. */
  const follow = (): Promise<void> =>
    oneAtATime(async () => {
      const [since, now] = [versions.seen(), await version()]
      if (now <= since) return
      await catalogue().apply(since)
      versions.saw(now)
      await membership.followedTo(now)
    })

  const exclusively: Exclusively = (work) =>
    local(async () => {
      const mine = await leases.take('catalogue')
      lease = mine
      let isDone = false
      try {
        await follow()
        await catalogue().repair()
        const result = await work()
        isDone = true
        await agreed()
        return result
      } finally {
        // A process need not follow its own writes. Once the lease is lost others have written too, and of a write that failed
        // it is not known whether it happened: then this process follows from where it was before the change, over its own
        // half-done work.
        const now = await version().catch(() => 0)
        if (!mine.isHeld())
          logger.warn('lease lost amid a change of the catalogue, following the changes of other processes')
        else if (isDone) versions.saw(now)
        lease = undefined
        await mine.end().catch((error: unknown) => logger.warn({ err: error }, 'lease not released, it will expire'))
      }
    })

  async function agreed(): Promise<void> {
    const written = await version()
    // Later versions could be another process's, which this one has not followed.
    lease?.check()
    await membership.agreed(written)
    lease?.check()
  }

  async function beat(): Promise<void> {
    while (!stopped) {
      await membership.beat().catch((error: unknown) => logger.warn({ err: error }, 'heartbeat not written'))
      await sleep(pause_ms, undefined, { ref: false })
    }
  }

  async function poll(): Promise<void> {
    while (!stopped) {
      try {
        if (lease === undefined) await follow()
        if (catalogue().hasLeftOvers() && !(await leases.isHeldElsewhere('catalogue')))
          await exclusively(async () => {})
      } catch (error) {
        logger.warn({ err: error }, 'changes by other processes not followed, retrying')
      }
      await sleep(pause_ms, undefined, { ref: false })
    }
  }

  /** Reads the catalogue under the lease; false where another process has it. */
  const load = (): Promise<boolean> =>
    local(async () => {
      const mine = await leases.tryTake('catalogue')
      if (!mine) return false
      lease = mine
      try {
        const before = await version()
        await catalogue().load()
        const now = await version()
        versions.saw(mine.isHeld() ? now : before)
        await membership.followedTo(versions.seen())
        return true
      } finally {
        lease = undefined
        await mine.end()
      }
    })

  return {
    exclusively,
    agreed,
    check: (): void => lease?.check(),
    write: (insertion: SqlStatement): Promise<void> => lease?.write(insertion) ?? clickhouse.run(insertion),
    guarded: {
      ...clickhouse,
      async run(statement) {
        lease?.check()
        return clickhouse.run(statement)
      },
      async insert(insertion) {
        lease?.check()
        return clickhouse.insert(insertion)
      },
    } satisfies ClickHouse,

    /** Reads the catalogue; ends half-done changes that no other process is at. */
    async start(whole: CatalogueFollower): Promise<void> {
      known = whole
      void beat()
      while (!(await load())) {
        await follow()
        if (!whole.isEdited()) break
        logger.info('another process is editing a schema, waiting for its end')
        await sleep(pause_ms)
      }
      void poll()
    },

    async stop(): Promise<void> {
      stopped = true
      await membership.leave().catch(() => {})
    },
  }
}

export type CatalogueChanges = ReturnType<typeof createCatalogueChanges>
