import type { Schema } from '../../sql/schema/schema.ts'
import type { Clock } from '../clock.ts'
import type { RuleUsage } from '../memory/state.ts'
import type { RuleStore } from '../memory/store.ts'
import type { KeyedAnswer, TurnLog, TurnPlace } from './port.ts'

/** A partition of the events of a schema with rules, which this process has to itself until another one fences it. */
export type RuleTask = {
  readonly schema: string
  readonly partition: number
  readonly partitions: number
  /** Whether lines of this key come to the partition. */
  readonly isOwn: (key: string) => boolean
  readonly store: RuleStore
  /** The part of what rules may take up of the process that is this task's. */
  readonly share: () => number
  /** Takes turns with the places of their events; a turn without one is of no event, and stands where the task is. */
  readonly log: TurnLog
  readonly clock: Clock
  /** Everything before this place has been taken, and made nothing. */
  pass(place: TurnPlace): void
  /** Resolves once a turn with this place has been taken, or a later one. */
  reached(place: TurnPlace): Promise<void>
  /** Resolves when all turns that were taken are committed. */
  caughtUpHere(): Promise<void>
  /** Resolves when all that the task has committed is in ClickHouse. */
  caughtUp(): Promise<void>
  /** Whether the task has ended, or something of it could not be committed: it is begun anew elsewhere. */
  isOver(): boolean
  /** Why an event does not get its turn for now; undefined once it has had it. */
  troubled(reason: string | undefined): void
}

/** Where a message of a partition is, and when it came there. */
export type TakenMessage = { readonly offset: number; readonly appended_us: number }

/** Takes the lines of a partition in their order. */
export type TurnTaker = {
  /** Takes the lines of a message behind the first `from`. Resolves once it can take the next; rejects where the task has to begin anew. */
  take(lines: Buffer, message: TakenMessage, from: number): Promise<void>
  /**
   * Ends waits of events that have waited long enough, in a turn behind the place. `quiet_ms`: everything that came before that
   * moment, by performance.now(), has had its turn. Resolves to whether there may be more.
   */
  endWaits(place: TurnPlace, quiet_ms: number | undefined): Promise<boolean>
  /** Nothing comes for a while. */
  rest(): void
  /** Bytes of state, and events that went past a bound, of each stream. */
  usage(): ReadonlyMap<string, RuleUsage>
}

export type StartTasks = {
  /** This process, and the others that live. */
  readonly id: string
  readonly living: () => Promise<ReadonlySet<string>>
  readonly open: (task: RuleTask) => TurnTaker
}

/** Rules over a log that other processes share: events wait in partitions, each of which is one process's task. */
export type RuleTasks = {
  /** From now on this process takes its share of the partitions of schemas that are there, and of those that come. */
  start(how: StartTasks): void
  /** The schema is there; it has tasks where its events take turns. `isAwaited`: resolves once its topics are there. */
  serve(schema: Schema, isAwaited: boolean): Promise<void>
  /** The schema is gone, as another process has said. */
  leave(schema: string): Promise<void>
  /** Deletes events that wait and all that is remembered. */
  forget(schema: string): Promise<void>
  /** Puts lines at the end; `keys` has one for each, those of one key keep their order. */
  append(
    schema: string,
    lines: Buffer,
    rows: number,
    answers: readonly KeyedAnswer[],
    keys: readonly string[],
  ): Promise<unknown>
  answered(schema: string, key: string): string | undefined
  /** Puts lines at the end of each partition; with `isAwaited` it resolves once all of them have taken those. */
  tell(schema: string, lines: readonly string[], isAwaited: boolean): Promise<void>
  /** Resolves once what this process has put at the end has been taken, or after `most_ms`. */
  taken(schema: string, most_ms: number): Promise<void>
  /** The usage of all partitions, whichever processes have them. */
  usage(schema: string): Promise<ReadonlyMap<string, RuleUsage>>
  /** Bytes of state in this process. */
  bytes(): number
}
