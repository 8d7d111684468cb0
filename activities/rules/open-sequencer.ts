import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import type { TurnLog } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/logger.ts'
import type { RuleMemory } from '../../infra/memory/memory.ts'
import type { EventRecord, RuleState } from '../../infra/memory/state.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import type { Remembered } from '../events/computed/compile.ts'
import { compileReferences, type References } from './references/compile.ts'
import { type Ask, createOutside } from './references/outside.ts'
import type { RecordMemory } from './references/record-memory.ts'
import type { IsOwn, MemorySpace } from './references/seed.ts'
import { isPast } from './rule-event.ts'
import { createSeeding } from './sequencer/seeding.ts'
import { createSequencer } from './sequencer/sequencer.ts'
import type { StreamPath } from './sequencer/stream-path.ts'
import type { Turns } from './sequencer/turns.ts'
import { compileStep, type Step } from './step/compile.ts'

/** The rules of a schema, over whatever memory. */
export type CompiledRules = {
  readonly schema: Schema
  readonly references: References
  readonly step: Step
  /** The streams whose events rules observe or make. */
  readonly observed: readonly Stream[]
  /** Whether nothing has a use any more for what a space remembers of an event. */
  readonly isForgotten: (space: string, record: EventRecord, state: RuleState) => boolean
}

/** Compiles the way of a stream's events; `remembered` is where a prediction finds the last values. */
export type CompilePath = (stream: Stream, remembered: Remembered) => StreamPath

export function compileRules(schema: Schema): CompiledRules {
  const references = compileReferences(schema)
  const step = compileStep(schema)
  const observed = schema.streams.filter(
    ({ name, isMade }) => isMade === true || references.observes(name) || step.observes(name),
  )
  const windows = new Map(references.spaces.map(({ name, window_us }) => [name, window_us]))
  return {
    ...{ schema, references, step, observed },
    isForgotten(space, record, state) {
      const window_us = windows.get(space)
      return window_us === undefined ? step.isForgotten(space, record, state) : isPast(record, window_us, state.now())
    },
  }
}

export type OpenSequencerDeps = {
  readonly log: TurnLog
  readonly clock: Clock
  readonly memory: RuleMemory
  readonly turns: Turns
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  readonly tableOf: Ask['tableOf']
  readonly records: RecordMemory
  /** Resolves once all events before are in ClickHouse. */
  readonly caughtUp: () => Promise<void>
  readonly isOwned: () => boolean
  readonly own: () => Promise<void>
  /** Which keys the memory is for, where other memories have the rest. */
  readonly ownIn?: (space: MemorySpace) => IsOwn | undefined
  readonly metrics: Pick<Metrics, 'rulesHeld' | 'rulesLate'>
  readonly logger: Logger
}

/** A sequencer over a memory, and the filling of what that lacks. */
export function openSequencer(
  { schema, references, step, observed }: CompiledRules,
  pathOf: CompilePath,
  deps: OpenSequencerDeps,
) {
  const { memory, clickhouse, tableOf, records, caughtUp, ownIn, metrics, logger, ...rest } = deps
  const rememberedOf =
    ({ name }: Stream): Remembered =>
    (attribute) =>
      references.lagged(name, attribute)?.(memory.state)
  const { log, clock } = rest
  const seeding = createSeeding({
    ...{ spaces: [...references.spaces, ...step.spaces], memory, clickhouse, caughtUp, ownIn },
    last: clock.last,
    commit: (changes) => log.commit({ lines: [], ...changes }),
  })
  const sequencer = createSequencer({
    ...rest,
    schema: schema.name,
    paths: new Map(observed.map((stream) => [stream.name, pathOf(stream, rememberedOf(stream))])),
    references,
    step,
    memory,
    seeding,
    onHeld: (seconds) => metrics.rulesHeld.observe(seconds),
    onDue: (late_s) => metrics.rulesLate.observe(late_s),
    openOutside: () => createOutside({ clickhouse, tableOf, records, caughtUp }),
    onUnfit: (stream, error) => logger.warn({ err: error, stream }, 'a row that a rule made was not taken'),
  })
  return { sequencer, seeding }
}
