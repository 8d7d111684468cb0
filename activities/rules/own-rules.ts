import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { createElapsedClock, type ElapsedClockDeps } from '../../infra/elapsed-clock.ts'
import type { Arrivals } from '../../infra/log/arrivals.ts'
import type { Feeder, TurnLog } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/logger.ts'
import { createRuleMemory } from '../../infra/memory/memory.ts'
import { spacesIn } from '../../infra/memory/spaces.ts'
import type { RuleStore } from '../../infra/memory/store.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { hasQueue } from '../../sql/schema/made.ts'
import { queueName, queueNames } from '../../sql/schema/names.ts'
import type { RuleHost } from './host.ts'
import { type CompiledRules, compileRules, openSequencer } from './open-sequencer.ts'
import type { OrderOwners } from './order-owners.ts'
import type { Ask } from './references/outside.ts'
import type { RecordMemory } from './references/record-memory.ts'
import { refillStarts } from './references/seed.ts'
import { storedPlace } from './rule-event.ts'
import type { Seeding } from './sequencer/seeding.ts'
import { createSilence, type Repeat, type TakeDue, takeQuietly } from './sequencer/silence.ts'
import { createTurns, type Turns } from './sequencer/turns.ts'

export type OwnRulesDeps = {
  readonly log: TurnLog
  readonly clock: Clock
  readonly store: RuleStore
  readonly clickhouse: Pick<ClickHouse, 'rows' | 'run' | 'insert'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
  readonly owners: OrderOwners
  readonly arrivals: Arrivals
  readonly tableOf: Ask['tableOf']
  readonly records: RecordMemory
  readonly metrics: Metrics
  readonly logger: Logger
  /** The clocks by which silence is measured, and what asks them: tests turn them. */
  readonly time?: Pick<ElapsedClockDeps, 'wall_us' | 'passed_us'> & { readonly repeat?: Repeat }
}

/** Time in which this process stood still, and no event came to it, counts as so much of their silence. */
const maxStep_us = 1_000_000
/** A question of a turn waits this long for the events before it. */
const patience_ms = 10_000

/** The sequencers of schemas with rules, over the memory that the process's own log keeps. */
export function createOwnRules(deps: OwnRulesDeps): RuleHost {
  const { log, clock, store, clickhouse, feeder, owners, tableOf, records, arrivals, metrics, logger, time = {} } = deps
  const { repeat, ...clocks } = time
  /** The compiled rules of each schema, by its name. */
  const rulesOf = new Map<string, CompiledRules>()
  const elapsed = createElapsedClock({ maxStep_us, ...clocks })
  const memory = createRuleMemory({
    store,
    metrics,
    last: clock.last,
    came: elapsed,
    isForgotten: (space, event, state) =>
      rulesOf.get(space.slice(0, space.indexOf('.')))?.isForgotten(space, event, state) ?? false,
  })
  metrics.watchRules(store.bytes)
  const turnsOf = new Map<string, Turns>()
  const seedings = new Map<string, Seeding>()

  /** Two sequencers of a schema are there for a moment when it is edited. */
  function turnsFor(schema: string): Turns {
    const turns = turnsOf.get(schema) ?? createTurns()
    turnsOf.set(schema, turns)
    return turns
  }

  /** The sequencers of schemas whose events wait for others. */
  const waiting = new Map<string, TakeDue>()
  const silence = createSilence({
    logger,
    now: elapsed,
    takers: () => waiting.values(),
    ...(repeat && { repeat }),
  })

  return {
    start: silence.start,
    stop: silence.stop,

    async forget(schema) {
      rulesOf.delete(schema)
      waiting.delete(schema)
      seedings.delete(schema)
      turnsOf.delete(schema)
      owners.forget(schema)
      await memory.drop(`${schema}.`)
    },

    async leave() {},

    async forgetEvents(schema, stream, places) {
      await memory.forget(schema, stream, (seq) => places.has(storedPlace(seq)))
    },

    async refill(schema, streams) {
      const starts = refillStarts(schema, streams)
      const isOne = (space: string): boolean => starts.some((start) => space.startsWith(start))
      if (!memory.spaces(schema).some(isOne)) return
      await turnsFor(schema).take(async () => {
        for (const space of memory.spaces(schema).filter(isOne)) await memory.drop(space)
        seedings.get(schema)?.recheck()
      })
    },

    async forgetUnused(schema) {
      const used = spacesIn(() => compileRules(schema))
      for (const space of memory.spaces(schema.name)) if (!used.has(space)) await memory.drop(space)
    },

    usage: async (schema) => memory.usage(schema),

    sequencerOf(schema, pathOf, _version, gate) {
      const compiled = compileRules(schema)
      rulesOf.set(schema.name, compiled)
      waiting.delete(schema.name)
      if (compiled.observed.length === 0) return undefined
      const queues = schema.streams.filter(hasQueue).map(({ name }) => queueName(schema.name, name))
      const { sequencer, seeding } = openSequencer(compiled, pathOf, {
        ...{ log, clock, memory, turns: turnsFor(schema.name), clickhouse, tableOf, records, metrics, logger },
        caughtUp: () => feeder.caughtUp(queues, patience_ms),
        isOwned: () => owners.isKnown(schema.name),
        own: () =>
          owners.own(schema.name, () =>
            // A turn may be under way that began before the other process took the schema over.
            turnsFor(schema.name).take(async () => {
              await memory.drop(`${schema.name}.`)
              seedings.get(schema.name)?.recheck()
            }),
          ),
      })
      seedings.set(schema.name, seeding)
      const { takeDue } = sequencer
      if (takeDue)
        waiting.set(schema.name, (most) => takeQuietly({ takeDue, gate, arrivals, queues: queueNames(schema) }, most))
      return sequencer
    },
  }
}
