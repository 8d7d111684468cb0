import { createMutex, type Exclusively } from '../../base/mutex.ts'
import type { SqlStatement } from '../../sql/statement.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { createCatalogueChanges } from './catalogue-changes.ts'
import { allFollowers, type CatalogueFollower } from './catalogue-follower.ts'
import { createLeases } from './leases.ts'
import { createMembership } from './membership.ts'
import { createProcesses, hasOwnLog } from './processes.ts'
import type { Versions } from './versions.ts'

export type SharingDeps = {
  /** The id of this process. A process that starts under the id of an ended one has its leases at once. */
  readonly id: string
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'version'>
  readonly versions: Versions
  readonly clock: Clock
  readonly logger: Logger
}

/** Lets the catalogue be changed one change at a time, and other processes follow each change. */
export type Sharing = {
  /** This process. */
  readonly id: string
  /** Whether other processes of the service are on the same ClickHouse. */
  readonly isShared: boolean
  /** The others that are alive. */
  living(): Promise<ReadonlySet<string>>
  /** Other living processes that have a log of their own. */
  livingWithLogs(): Promise<ReadonlySet<string>>
  readonly changeRuns: Exclusively
  readonly mergeNodes: Exclusively
  readonly changeSchemas: Exclusively
  readonly changeTables: Exclusively
  /** Resolves once the other processes have followed the writes to the catalogue. */
  agreed(): Promise<void>
  /** Throws a fault `unavailable` where the change that is under way may be another process's by now. */
  check(): void
  /** ClickHouse as long as `check` throws nothing: for DDL. */
  readonly guarded: ClickHouse
  /**
   * Writes to the catalogue: an `INSERT ... SELECT` of constants, which ClickHouse itself refuses once another process
   * has the lease of the change.
   */
  write(insertion: SqlStatement): Promise<void>
  /** Takes a place among the processes, before the clock is used; `first` runs in one process at a time. */
  join<Result>(first: () => Promise<Result>): Promise<Result>
  /** Lets followers read the catalogue in their order, and change with it from then on. */
  start(followers: readonly CatalogueFollower[]): Promise<void>
  /** Whether a process before this one ended without stopping as it should, by a crash or a kill; true once. */
  wasCutOff(): Promise<boolean>
  /** Something is left to do after a cut: `stop` leaves the mark by which the next process finds it. */
  leaveCutOff(): void
  stop(): Promise<void>
}

export type AloneDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'processState' | 'putProcessState'>
}

/** The one process on its ClickHouse. */
export function createAlone({ clickhouse, catalogue }: AloneDeps): Sharing {
  let isNoted = false
  return {
    id: 'alone',
    isShared: false,
    living: async () => new Set(),
    livingWithLogs: async () => new Set(),
    changeRuns: createMutex(),
    mergeNodes: createMutex(),
    changeSchemas: createMutex(),
    changeTables: createMutex(),
    agreed: async () => {},
    check: () => {},
    guarded: clickhouse,
    write: clickhouse.run,
    join: (first) => first(),
    start: (followers) => allFollowers(followers).load(),
    async wasCutOff() {
      const before = await catalogue.processState()
      await catalogue.putProcessState('running')
      isNoted = true
      return before === 'running'
    },
    leaveCutOff() {
      isNoted = false
    },
    async stop() {
      if (isNoted) await catalogue.putProcessState('stopped').catch(() => {})
    },
  }
}

/** The sharing of a process that is one of several on a ClickHouse server. */
export function createShared({ id, clickhouse, catalogue, versions, clock, logger }: SharingDeps): Sharing {
  const leases = createLeases({ clickhouse, id })
  const { version } = catalogue
  const membership = createMembership({ id, processes: createProcesses(clickhouse), leases, clock, logger })
  const changes = createCatalogueChanges({ clickhouse, leases, membership, versions, version, logger })
  return {
    id,
    isShared: true,
    living: membership.others,
    livingWithLogs: async () => new Set([...(await membership.others())].filter(hasOwnLog)),
    changeRuns: leases.mutex('runs'),
    mergeNodes: leases.mutex('merges of nodes'),
    changeSchemas: changes.exclusively,
    changeTables: changes.exclusively,
    agreed: changes.agreed,
    check: changes.check,
    guarded: changes.guarded,
    write: changes.write,
    join: membership.join,
    start: (followers) => changes.start(allFollowers(followers)),
    wasCutOff: membership.wasCutOff,
    leaveCutOff: membership.stay,
    stop: changes.stop,
  }
}
