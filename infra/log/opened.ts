import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { RuleStore } from '../memory/store.ts'
import type { Metrics } from '../metrics.ts'
import type { Leases } from '../processes/leases.ts'
import type { Versions } from '../processes/versions.ts'
import type { Delivery } from './delivery.ts'
import type { LmdbLog } from './embedded/log.ts'
import type { EventLog, Feeder, TurnLog } from './port.ts'
import type { RuleTasks } from './rule-tasks.ts'

/** Why no events are taken, and why none that were taken come into ClickHouse; absent where they are, or do. */
export type LogTrouble = { readonly takes?: string; readonly answers?: string }

/** A log, and how its events come into ClickHouse. */
export type OpenedLog = {
  readonly log: EventLog
  readonly clock: Clock
  /** The state of rules, and the turns by which it changes with the lines that follow from it. Only where the log is embedded. */
  readonly rules?: { readonly store: RuleStore; readonly log: TurnLog }
  /** Where other processes share the log, the tasks that keep the state of rules instead. */
  readonly tasks?: RuleTasks
  /**
   * The folder's own id, where one process at a time writes to it: a process that has it has succeeded the one before.
   */
  readonly id?: string
  /** Why it does not do its work at the moment. */
  trouble(): LogTrouble | Promise<LogTrouble>
  /** Bytes that are not yet where they are safe, or not yet in ClickHouse, as the log counts them. */
  waitingBytes(): number
  /** The feeder and the delivery that bring the log's events into ClickHouse. */
  deliver(deps: DeliveryDeps): { readonly feeder: Feeder; readonly delivery: Delivery }
  /**
   * Writes the events that the log holds at one moment into a folder, as a log of its own. Only where the log is
   * embedded.
   */
  copy?(folder: string): Promise<void>
  /** The commits that are to be shipped, and notes that stay with the folder. Only where the log is embedded. */
  readonly shipping?: LmdbLog['shipping']
  readonly notes?: LmdbLog['notes']
  close(): Promise<void>
}

export type DeliveryDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly logger: Logger
  readonly metrics: Metrics
  readonly versions: Versions
  /** Undefined where no other process is on this ClickHouse, which runs in this one. */
  readonly leases: Leases | undefined
}
