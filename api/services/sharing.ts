import type { Catalogue } from '../../infra/catalogue.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import type { Logger } from '../../infra/logger.ts'
import { createMembership } from '../../infra/processes/membership.ts'
import { createProcesses } from '../../infra/processes/processes.ts'
import { createLeases } from '../../infra/processes/turns.ts'
import type { Versions } from '../../infra/processes/versions.ts'
import { createTurns, type InTurn } from './schema-turns.ts'
import { createSharedTurns, type Followed } from './shared-turns.ts'

export type SharingDeps = {
  /** This process; one that succeeds another under its name takes up its turns at once. */
  readonly id: string
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly versions: Versions
  readonly clock: Clock
  readonly logger: Logger
  readonly followed: Followed
}

/** How changes of the catalogue are put in turn, and who has to hear of them. */
export type Sharing = {
  readonly schemasInTurn: InTurn
  readonly tablesInTurn: InTurn
  /** Resolves once the other processes have followed what was written to the catalogue. */
  agreed(): Promise<void>
  guarded(clickhouse: ClickHouse): ClickHouse
  /** Takes a place among the processes, before the clock is used; `first` runs in one process at a time. */
  join<Result>(first: () => Promise<Result>): Promise<Result>
  /** Reads the catalogue. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The one process on its ClickHouse. */
export const createAlone = ({ load }: Pick<Followed, 'load'>): Sharing => ({
  schemasInTurn: createTurns(),
  tablesInTurn: createTurns(),
  agreed: async () => {},
  guarded: (clickhouse) => clickhouse,
  join: (first) => first(),
  start: load,
  stop: async () => {},
})

/** One of several processes on a ClickHouse server. */
export function createShared({ id, clickhouse, catalogue, versions, clock, logger, followed }: SharingDeps): Sharing {
  const leases = createLeases({ clickhouse, id })
  const { version } = catalogue
  const processes = createProcesses(clickhouse)
  const membership = createMembership({ id, processes, leases, version, clock, logger })
  const turns = createSharedTurns({ leases, membership, versions, version, followed, logger })
  return {
    schemasInTurn: turns.inTurn,
    tablesInTurn: turns.inTurn,
    agreed: membership.agreed,
    guarded: turns.guarded,
    join: membership.join,
    start: turns.start,
    stop: turns.stop,
  }
}
