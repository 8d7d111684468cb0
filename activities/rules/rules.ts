import { fault } from '../../base/faults.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import type { EventLog, Feeder, RuleStore } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { hasQueue } from '../../sql/schema/made.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import type { Remembered } from '../ingest/computed/compile.ts'
import { type CheckRulesDeps, checkRules } from './check-rules.ts'
import type { Keepers } from './keeper.ts'
import { createLane, type Lane } from './lane/lane.ts'
import { createSeeding, type Seeding } from './lane/seeding.ts'
import type { StreamPath } from './lane/stream-path.ts'
import { createTurns, type Turns } from './lane/turns.ts'
import { createRuleMemory } from './memory.ts'
import { compileReferences } from './references/compile.ts'
import { type Ask, createOutside } from './references/outside.ts'
import { spacesIn } from './spaces.ts'
import { compileStep, type Step } from './step/compile.ts'

export type RulesDeps = {
  readonly log: EventLog
  readonly clock: Clock
  /** Absent where the log keeps no state of rules. */
  readonly store?: RuleStore
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
  readonly living: CheckRulesDeps['living']
  readonly keepers: Keepers
  readonly tableOf: Ask['tableOf']
  readonly metrics: Metrics
  readonly logger: Logger
}

/** A question of a turn waits this long for the events before it. */
const patience_ms = 10_000

/** The lanes of schemas with rules, over the memory that the log keeps. */
export function createRules({
  log,
  clock,
  store,
  clickhouse,
  feeder,
  living,
  keepers,
  tableOf,
  metrics,
  logger,
}: RulesDeps) {
  /** By schema. */
  const steps = new Map<string, Step>()
  const memory =
    store &&
    createRuleMemory({
      store,
      metrics,
      last: clock.last,
      isForgotten: (space, pk, state) =>
        steps.get(space.slice(0, space.indexOf('.')))?.isForgotten(space, pk, state) ?? false,
    })
  const turnsOf = new Map<string, Turns>()
  const seedings = new Map<string, Seeding>()

  /** Two lanes of a schema are there for a moment when it is edited. */
  function turnsFor(schema: string): Turns {
    const turns = turnsOf.get(schema) ?? createTurns()
    turnsOf.set(schema, turns)
    return turns
  }

  const isTable = (database: string, table: string): boolean => tableOf(database, table) !== undefined

  return {
    /** Throws where the rules of a schema that is registered or edited cannot be kept. */
    check: (schema: Schema): Promise<void> => checkRules(schema, { isKept: memory !== undefined, living, isTable }),

    /** Forgets all that the rules of a schema remember. */
    async forget(schema: string): Promise<void> {
      steps.delete(schema)
      seedings.delete(schema)
      turnsOf.delete(schema)
      keepers.forget(schema)
      await memory?.drop(`${schema}.`)
    },

    /** Forgets events of a stream that are erased. */
    async forgetEvents(schema: string, stream: string, isErased: (seq: number) => boolean): Promise<void> {
      await memory?.forget(schema, stream, isErased)
    },

    /** The rows before erased ones come back from ClickHouse, once it has the erased ones no more. */
    async refill(schema: string, streams: readonly string[]): Promise<void> {
      if (!memory) return
      const starts = streams.flatMap((stream) => refilled.map((kind) => `${schema}.${stream}/${kind}:`))
      const isOne = (space: string): boolean => starts.some((start) => space.startsWith(start))
      if (!memory.spaces(schema).some(isOne)) return
      await turnsFor(schema).take(async () => {
        for (const space of memory.spaces(schema).filter(isOne)) await memory.drop(space)
        seedings.get(schema)?.recheck()
      })
    },

    /**
     * Forgets what rules remember that the schema has no more: one that comes again begins with nothing. Runs where the
     * schema stands, and may be repeated.
     */
    async forgetUnused(schema: Schema): Promise<void> {
      const used = spacesIn(() => {
        compileReferences(schema)
        compileStep(schema)
      })
      for (const space of memory?.spaces(schema.name) ?? []) if (!used.has(space)) await memory?.drop(space)
    },

    /** Bytes of state, and events that went past a bound, of each stream of a schema whose events rules remember. */
    usage: (schema: string) => memory?.usage(schema) ?? new Map<string, { bytes: number; dropped: number }>(),

    /**
     * The lane of a schema; undefined where no rule has anything to do with its events. `pathOf` compiles the way of a
     * stream's events.
     */
    laneOf(schema: Schema, pathOf: (stream: Stream, remembered: Remembered) => StreamPath): Lane | undefined {
      const references = compileReferences(schema)
      const step = compileStep(schema)
      steps.set(schema.name, step)
      const observed = schema.streams.filter(
        ({ name, isMade }) => isMade === true || references.observes(name) || step.observes(name),
      )
      if (observed.length === 0) return undefined
      if (!memory) return laneWithoutMemory(schema.name)
      const rememberedOf =
        ({ name }: Stream): Remembered =>
        (attribute) =>
          references.lagged(name, attribute)?.(memory.state)
      const queues = schema.streams.filter(hasQueue).map(({ name }) => queueName(schema.name, name))
      const caughtUp = () => feeder.caughtUp(queues, patience_ms)
      const seeding = createSeeding({ spaces: references.spaces, memory, clickhouse, caughtUp })
      seedings.set(schema.name, seeding)
      return createLane({
        schema: schema.name,
        log,
        clock,
        paths: new Map(observed.map((stream) => [stream.name, pathOf(stream, rememberedOf(stream))])),
        references,
        step,
        memory,
        turns: turnsFor(schema.name),
        seeding,
        isKept: () => keepers.isKnown(schema.name),
        keep: () => keepers.keep(schema.name),
        openOutside: () => createOutside({ clickhouse, tableOf, caughtUp }),
        onHeld: (seconds) => metrics.rulesHeld.observe(seconds),
        onUnfit: (stream, error) => logger.warn({ err: error, stream }, 'a row that a rule made was not taken'),
      })
    },
  }
}

/** A process whose log keeps no memory serves all of a schema but its ingest. */
const laneWithoutMemory = (schema: string): Lane => ({
  of: () => ({
    isOneByOne: false,
    groupOf: () => 1,
    take: () =>
      Promise.reject(
        fault(
          'unavailable',
          `schema ${schema} has rules, whose memory the embedded log keeps: leave KAFKA_BROKERS out`,
        ),
      ),
  }),
})

/** Kinds of spaces that are filled from ClickHouse. */
const refilled = ['refr', 'lag']

export type Rules = ReturnType<typeof createRules>
