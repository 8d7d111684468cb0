import type { RuleUsage } from '../../infra/memory/state.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import type { DrainGate } from '../registry/drain-gate.ts'
import type { CompilePath } from './open-sequencer.ts'
import type { Sequencer } from './sequencer/sequencer.ts'

/** The processes on the same ClickHouse: this one, the others that live, and those of them that have logs of their own. */
export type Processes = {
  readonly id: string
  readonly living: () => Promise<ReadonlySet<string>>
  readonly livingWithLogs: () => Promise<ReadonlySet<string>>
}

/** Keeps turns away while the tables of a schema change. */
export type TurnGate = Pick<DrainGate, 'isShut' | 'pass'>

/** Where the rules of schemas have their memory, and events take their turns. */
export type RuleHost = {
  /** The schemas that are there are known, and so are tables. */
  start(processes: Processes): void
  /** No turn is taken from now on that no event asks for. */
  stop(): void
  /** Forgets all that the rules of a schema remember. */
  forget(schema: string): Promise<void>
  /** Another process has taken the schema away. */
  leave(schema: string): Promise<void>
  /** Forgets events of a stream that are erased, by their `_seq`. */
  forgetEvents(schema: string, stream: string, places: ReadonlySet<number>): Promise<void>
  /** The rows before erased ones come back from ClickHouse, once it has the erased ones no more. */
  refill(schema: string, streams: readonly string[]): Promise<void>
  /**
   * Forgets what rules remember that the schema has no more: one that comes again begins with nothing. Runs where the
   * schema stands, and may be repeated.
   */
  forgetUnused(schema: Schema): Promise<void>
  /** Bytes of state, and events that went past a bound, of each stream of a schema whose events rules remember. */
  usage(schema: string): Promise<ReadonlyMap<string, RuleUsage>>
  /**
   * The sequencer of a schema; undefined where no rule has anything to do with its events. `pathOf` compiles the way of a
   * stream's events, `version` is one text in all processes that know the schema as it is. While `gate` is shut no turn is
   * taken that no event asks for.
   */
  sequencerOf(schema: Schema, pathOf: CompilePath, version: string, gate: TurnGate): Sequencer | undefined
}
