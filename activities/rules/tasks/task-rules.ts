import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { rejectInto } from '../../../infra/clickhouse/feed.ts'
import { createElapsedClock } from '../../../infra/elapsed-clock.ts'
import type { Arrivals } from '../../../infra/log/arrivals.ts'
import type { RuleTask, RuleTasks, TurnTaker } from '../../../infra/log/rule-tasks.ts'
import type { Logger } from '../../../infra/logger.ts'
import { createRuleMemory } from '../../../infra/memory/memory.ts'
import { spacesIn } from '../../../infra/memory/spaces.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import { takesTurns } from '../../../sql/schema/made.ts'
import { queueNames, turnsName } from '../../../sql/schema/names.ts'
import type { RuleHost, TurnGate } from '../host.ts'
import { type CompiledRules, type CompilePath, compileRules, openSequencer } from '../open-sequencer.ts'
import type { Ask } from '../references/outside.ts'
import type { RecordMemory } from '../references/record-memory.ts'
import type { StreamPath } from '../sequencer/stream-path.ts'
import { createTurns } from '../sequencer/turns.ts'
import { erasedSpace, routingSpace } from './forgetting.ts'
import { createFront } from './front.ts'
import { compileOwnKeys, routingsOf } from './partition-keys.ts'
import { tellLine } from './turn-lines.ts'
import { createTurnTaker, type TaskSequencer, Unanswered } from './turn-taker.ts'

export type TaskRulesDeps = {
  readonly tasks: RuleTasks
  readonly arrivals: Arrivals
  readonly clickhouse: Pick<ClickHouse, 'rows' | 'run' | 'insert'>
  readonly tableOf: Ask['tableOf']
  readonly records: RecordMemory
  readonly metrics: Metrics
  readonly logger: Logger
}

/** A version of a schema's rules. */
type Version = {
  readonly of: string
  readonly compiled: CompiledRules
  readonly pathOf: CompilePath
  /** By stream, as this process takes its events in. */
  readonly paths: ReadonlyMap<string, StreamPath>
  readonly gate: TurnGate
}

const answered = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
  asked.catch((cause: unknown) => Promise.reject(new Unanswered(cause)))

/** Clocks of processes differ by so much: an event that came later than now came now. */
const clocks_us = 1_000_000
/** Places of erased events in one line. */
const placesAtOnce = 20_000

/** Rules over a log that other processes share: whichever process has the task of a partition takes its events. */
export function createTaskRules({
  tasks,
  arrivals,
  clickhouse,
  tableOf,
  records,
  metrics,
  logger,
}: TaskRulesDeps): RuleHost {
  const versions = new Map<string, Version>()
  metrics.watchRules(tasks.bytes)
  const reject = rejectInto(clickhouse, true)

  function open(task: RuleTask): TurnTaker {
    const { schema } = task
    let came_us = Number.NEGATIVE_INFINITY
    /** The time of the last event, or of the latest moment since at which none waited: by the clock of this process none is later. */
    let quiet_us = Number.NEGATIVE_INFINITY
    const elapsed = createElapsedClock()
    const pass = (us: number): void => {
      quiet_us = Math.max(quiet_us, us)
    }
    const memory = createRuleMemory({
      store: task.store,
      metrics,
      last: task.clock.last,
      share: task.share,
      // Events may wait long for their turn: it is the time at which they came to wait that counts.
      now: () => came_us,
      came: () => quiet_us,
      isForgotten: (space, event, state) => versions.get(schema)?.compiled.isForgotten(space, event, state) ?? false,
    })
    const turns = createTurns()

    function openVersion({ of, compiled, pathOf }: Version): TaskSequencer {
      const { schema: known } = compiled
      const off = new Set<string>()
      const ofTask: CompilePath = (stream, remembered) => ({
        ...pathOf(stream, remembered),
        isOn: () => !off.has(stream.name),
      })
      const opened = openSequencer(compiled, ofTask, {
        ...{ log: task.log, clock: task.clock, memory, turns, tableOf, records, metrics, logger },
        clickhouse: { rows: (question) => answered(clickhouse.rows(question)) },
        caughtUp: () => answered(task.caughtUp()),
        isOwned: () => true,
        own: async () => {},
        ...(task.partitions > 1 && { ownIn: compileOwnKeys(known, task.isOwn) }),
      })
      return { of, off, ...opened, queues: queueNames(known), routings: routingsOf(known) }
    }

    return createTurnTaker({
      task,
      memory,
      onMessage(appended_us) {
        came_us = Math.max(came_us, appended_us)
        pass(Math.min(appended_us, elapsed() + clocks_us))
      },
      onQuiet: (quiet_ms) => pass(elapsed() - 1000 * (performance.now() - quiet_ms)),
      versionNow() {
        const version = versions.get(schema)
        if (!version) return undefined
        const { of, compiled, paths, gate } = version
        const { step } = compiled
        return {
          ...{ of, gate, open: () => openVersion(version) },
          isDue: () => step.awaits && step.due(memory.state, memory.waits, () => true, 1).length > 0,
          off: () => [...paths].flatMap(([name, { isOn }]) => (isOn() ? [] : [name])),
        }
      },
      asideWith: () => versions.get(schema)?.compiled.observed[0]?.name ?? turnsName,
      arrivals,
      reject: (queue, line, reason, token) => reject(queue, [Buffer.from(line)], reason, token),
      metrics,
      logger,
    })
  }

  return {
    start: (processes) => tasks.start({ ...processes, open }),

    /** The sequencer by which this process takes events in; that of a task is made where the task is. */
    stop() {},

    sequencerOf(schema, pathOf, of, gate) {
      const compiled = compileRules(schema)
      if (compiled.observed.length === 0) {
        versions.delete(schema.name)
        return undefined
      }
      // The last values are with the task, which makes the predictions.
      const paths = new Map(compiled.observed.map((stream) => [stream.name, pathOf(stream, () => undefined)]))
      versions.set(schema.name, { of, compiled, pathOf, paths, gate })
      return createFront({ schema, of, paths, tasks })
    },

    async forget(schema) {
      versions.delete(schema)
      await tasks.forget(schema)
    },

    async leave(schema) {
      versions.delete(schema)
      await tasks.leave(schema)
    },

    async forgetEvents(schema, stream, places) {
      if (!versions.has(schema)) return
      const all = [...places]
      const lines: string[] = []
      for (let at = 0; at < all.length; at += placesAtOnce) {
        const places = all.slice(at, at + placesAtOnce)
        const goesOn = at + placesAtOnce < all.length
        lines.push(tellLine({ kind: 'forget', stream, places, ...(goesOn && { goesOn }) }))
      }
      await tasks.tell(schema, lines, true)
    },

    async refill(schema, streams) {
      if (versions.has(schema)) await tasks.tell(schema, [tellLine({ kind: 'refill', streams })], true)
    },

    async forgetUnused(schema) {
      if (!takesTurns(schema)) return tasks.forget(schema.name)
      const spaces = [...spacesIn(() => compileRules(schema)), routingSpace(schema.name), erasedSpace(schema.name)]
      // A task may be in a process that follows the edit once this one is through with it.
      await tasks.tell(schema.name, [tellLine({ kind: 'keep', spaces })], false)
    },

    usage: tasks.usage,
  }
}
