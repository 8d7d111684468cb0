import { queueStreams } from '../../../sql/schema/ddl/matches.ts'
import { takesTurns } from '../../../sql/schema/made.ts'
import { queueName, turnsQueue } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Logger } from '../../logger.ts'
import { type Delivery, drain_ms } from '../delivery.ts'
import type { Feeder } from '../port.ts'
import type { KafkaConsumers } from './consume/consumers.ts'
import type { Dormant } from './consume/dormant.ts'
import type { KafkaProgress } from './consume/progress.ts'
import { createResumption } from './consume/resumption.ts'
import type { KafkaLog } from './log.ts'
import type { KafkaRuleTasks } from './rules/tasks.ts'

export type KafkaDeliveryDeps = {
  readonly kafka: KafkaLog
  readonly consumers: KafkaConsumers
  readonly progress: KafkaProgress
  readonly tasks: Pick<KafkaRuleTasks, 'serve' | 'leave' | 'close'>
  readonly dormant: Dormant
  readonly logger: Logger
  readonly resting?: { readonly kept: number; readonly after_ms: number; readonly look_ms: number }
  /** Whether ClickHouse is a server, whose tables outlive this process and may be made by others. */
  readonly isServer: boolean
}

/** How often a server's consumers are looked at: a server that was started again has some that wait for old places. */
const watch_ms = 2_000

/** 32 idle consumers stay attached for good; each further one until nothing has come for it for ten minutes. */
const usualRest = { kept: 32, after_ms: 600_000, look_ms: 10_000 }

/** ClickHouse takes the events of registered schemas from their topics, and goes on doing so. */
export function createKafkaDelivery(deps: KafkaDeliveryDeps) {
  const { kafka, consumers, progress, tasks, dormant, logger, isServer, resting = usualRest } = deps
  const attached = new Map<string, Schema>()
  const resumption = createResumption({ attach: resume, logger })
  dormant.onWake((queue) => {
    const name = schemaNameOf(queue)
    if (!attached.has(name)) return
    resumption.begin(name)
    resumption.hurry(name)
  })

  /** Looks before each step whether another change of the schema has come in between. */
  async function resume(name: string): Promise<void> {
    const present = attached.get(name)
    if (!present || !resumption.isDue(name)) return
    if (!isServer) await decide()
    const isWanted = (queue: string): boolean => !dormant.has(queue)
    await Promise.all(
      allQueuesOf(present)
        .filter(isWanted)
        .map((queue) => kafka.reach(queue)),
    )
    await consumers.resume(name, () => (resumption.isDue(name) ? attached.get(name) : undefined), isWanted)
    const still = resumption.isDue(name) && attached.get(name)
    if (still) await tasks.serve(still, true)
  }

  /** Which queues need no consumer yet. The tables of a server outlive this process, and keep theirs. */
  async function decide(): Promise<void> {
    if (dormant.areDecided(queuesOfAll())) return
    await consumers.refresh()
    await dormant.decide(queuesOfAll, consumers, (queue) => {
      const schema = attached.get(schemaNameOf(queue))
      return schema !== undefined && takesTurns(schema)
    })
  }

  /** Lets the consumers of streams go into which nothing came for long, where there are many. */
  async function rest(): Promise<void> {
    const now_ms = performance.now()
    const made = consumers.made()
    const atRest = [...made]
      .map(([queue, made_ms]) => ({ queue, since_ms: Math.max(made_ms, progress.restingSince(queue) ?? now_ms) }))
      .filter(({ since_ms }) => now_ms - since_ms > resting.after_ms)
      .toSorted((a, b) => a.since_ms - b.since_ms)
    for (const { queue } of atRest.slice(0, Math.max(0, made.size - resting.kept))) {
      const name = schemaNameOf(queue)
      if (resumption.isDue(name) || !attached.has(name)) continue
      await consumers
        .rest(queue)
        .catch((error: unknown) => logger.warn({ err: error, queue }, 'consumer at rest not dropped'))
      dormant.reconsider(queue)
      await decide().catch(() => {})
      // Something has come in between, or Kafka or ClickHouse has failed.
      if (!dormant.has(queue) && attached.has(name)) resumption.begin(name)
    }
  }

  let dropping: Promise<void> | undefined
  const restTimer = setInterval(() => {
    dropping ??= rest()
      .catch((error: unknown) => logger.debug({ err: error }, 'consumers at rest not dropped'))
      .finally(() => {
        dropping = undefined
      })
  }, resting.look_ms)
  restTimer.unref()
  if (isServer) clearInterval(restTimer)

  const queuesOfAll = (): string[] => [...attached.values()].flatMap(queuesOf)

  const delivery: Delivery = {
    redelivers: true,
    async attach(schema) {
      resumption.end(schema.name)
      queuesOf(schema).forEach(dormant.end)
      await Promise.all(allQueuesOf(schema).map(kafka.open))
      allQueuesOf(schema).forEach(progress.know)
      await consumers.attach(schema)
      await tasks.serve(schema, true)
      attached.set(schema.name, schema)
    },
    resume(schema) {
      for (const queue of allQueuesOf(schema)) {
        kafka.expect(queue)
        progress.know(queue)
      }
      attached.set(schema.name, schema)
      resumption.begin(schema.name)
    },
    resuming: resumption.list,
    drained: (schema) => progress.drained(queuesOf(schema), drain_ms),
    follow(schema, isChanging) {
      resumption.end(schema.name)
      if (isChanging) attached.delete(schema.name)
      else attached.set(schema.name, schema)
      queuesOf(schema).forEach(progress.know)
      if (isChanging) return
      if (takesTurns(schema)) progress.know(turnsQueue(schema.name))
      void tasks.serve(schema, false)
    },
    async detach(schema) {
      // Events that wait need the consumers that are on their way.
      await delivery.drained(schema)
      attached.delete(schema.name)
      resumption.end(schema.name)
      queuesOf(schema).forEach(dormant.end)
      await consumers.detach(schema)
    },
  }

  function detachStream(queue: string): void {
    const [name = '', stream = ''] = queue.split('.')
    dormant.end(queue)
    const schema = attached.get(name)
    if (!schema) return
    const streams = schema.streams.filter((each) => each.name !== stream)
    if (streams.length === 0) attached.delete(name)
    else attached.set(name, { ...schema, streams })
  }

  const watch = (): Promise<void> =>
    consumers
      .mendGone([...attached.values()], (name) => attached.get(name))
      .catch((error: unknown) => logger.warn({ err: error }, 'ClickHouse gives no status of its consumers, retrying'))

  let watching: Promise<void> | undefined
  const timer = setInterval(() => {
    watching ??= watch().finally(() => {
      watching = undefined
    })
  }, watch_ms)
  timer.unref()
  if (!isServer) clearInterval(timer)

  const feeder: Feeder = {
    ...progress,
    caughtUp(queues, timeout_ms) {
      for (const queue of queues) resumption.hurry(schemaNameOf(queue))
      return progress.caughtUp(queues, timeout_ms)
    },
    followed: progress.caughtUp,
    // ClickHouse takes its batches itself.
    doubts: () => [],
    settle: async () => {},
    leftBehind: () => [],
    queues: () => [],
    hold: (_, work) => work(),
    async forget(queue: string): Promise<void> {
      detachStream(queue)
      await kafka.forget(queue)
      await progress.forget(queue)
      await consumers.forget(queue)
    },
    failures: () => [...kafka.failures(), ...progress.failures()],
    async close(): Promise<void> {
      clearInterval(timer)
      await watching
      dormant.close()
      clearInterval(restTimer)
      await dropping
      await resumption.close()
      await consumers.idle()
      consumers.close()
      await tasks.close()
      await progress.close()
    },
  }
  return { feeder, delivery }
}

/** The queues of its events, and the one in which they take turns first, where they do. */
const allQueuesOf = (schema: Schema): string[] => [
  ...queuesOf(schema),
  ...(takesTurns(schema) ? [turnsQueue(schema.name)] : []),
]

const schemaNameOf = (queue: string): string => queue.slice(0, queue.indexOf('.'))

const queuesOf = (schema: Schema): string[] => queueStreams(schema).map((stream) => queueName(schema.name, stream.name))
