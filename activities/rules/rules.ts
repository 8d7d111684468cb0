import { fault } from '../../base/faults.ts'
import type { Arrivals } from '../../infra/log/arrivals.ts'
import type { RuleTasks } from '../../infra/log/rule-tasks.ts'
import type { RuleUsage } from '../../infra/memory/state.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import { type Before, checkRules } from './check-rules.ts'
import type { Processes, RuleHost } from './host.ts'
import { compileRules } from './open-sequencer.ts'
import { createOwnRules, type OwnRulesDeps } from './own-rules.ts'
import { createTaskRules } from './tasks/task-rules.ts'

export type RulesDeps = Omit<OwnRulesDeps, 'store' | 'log'> & {
  /** The state in the process's own log; absent over Kafka, where the tasks have it. */
  readonly own?: Pick<OwnRulesDeps, 'store' | 'log'>
  /** Over Kafka, the tasks of partitions that have the state. */
  readonly tasks?: RuleTasks
  readonly arrivals: Arrivals
  readonly processes: Processes
}

/** Rules with memory: over the process's own log, or over one that processes share. */
export function createRules({ own, tasks, processes, ...deps }: RulesDeps) {
  const { tableOf } = deps
  const host = tasks ? createTaskRules({ ...deps, tasks }) : own ? createOwnRules({ ...deps, ...own }) : withoutMemory
  /** Processes with logs of their own keep no common order. */
  const livingWithLogs = tasks ? async () => new Set<string>() : processes.livingWithLogs

  return {
    ...host,
    start: (): void => host.start(processes),
    /** Throws where the rules of a schema that is registered or edited cannot be kept. */
    check: (schema: Schema, before?: Before): Promise<void> =>
      checkRules(schema, { hasMemory: host !== withoutMemory, livingWithLogs, tableOf }, before),
  }
}

/** A process without a log serves all of a schema but its ingest. */
const withoutMemory: RuleHost = {
  start() {},
  stop() {},
  async forget() {},
  async leave() {},
  async forgetEvents() {},
  async refill() {},
  async forgetUnused() {},
  usage: async () => new Map<string, RuleUsage>(),
  sequencerOf(schema) {
    if (compileRules(schema).observed.length === 0) return undefined
    const refused = (): Promise<never> =>
      Promise.reject(fault('unavailable', `this process has no log for events of ${schema.name}, whose rules need one`))
    return { of: () => ({ isOneByOne: false, groupOf: () => 1, take: refused }) }
  },
}

export type Rules = ReturnType<typeof createRules>
