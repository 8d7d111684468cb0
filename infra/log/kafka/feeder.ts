import { queueStreams } from '../../../sql/schema/ddl/matches.ts'
import { takesTurns } from '../../../sql/schema/made.ts'
import { queueName, turnsQueue } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Logger } from '../../logger.ts'
import { type Delivery, drain_ms } from '../delivery.ts'
import type { Feeder } from '../port.ts'
import type { KafkaConsumers } from './consume/consuming.ts'
import type { KafkaProgress } from './consume/progress.ts'
import { createResumption } from './consume/resumption.ts'
import type { KafkaLog } from './log.ts'
import type { KafkaRuleTasks } from './rules/tasks.ts'

export type KafkaDeliveryDeps = {
  readonly kafka: KafkaLog
  readonly consumers: KafkaConsumers
  readonly progress: KafkaProgress
  readonly tasks: Pick<KafkaRuleTasks, 'serve' | 'leave' | 'close'>
  readonly logger: Logger
}

/** How often a server's consumers are looked at: a server that was started again has some that wait for old places. */
const watch_ms = 2_000

/** The events of registered schemas come from their topics into ClickHouse, and go on doing so. */
export function createKafkaDelivery({ kafka, consumers, progress, tasks, logger }: KafkaDeliveryDeps) {
  const attached = new Map<string, Schema>()
  const resumption = createResumption({ attach: resume, logger })

  /** Looks before each step whether another change of the schema has come in between. */
  async function resume(name: string): Promise<void> {
    const present = attached.get(name)
    if (!present || !resumption.isDue(name)) return
    if (takesTurns(present)) await kafka.reach(turnsQueue(name))
    await consumers.resume(name, () => (resumption.isDue(name) ? attached.get(name) : undefined))
    const still = resumption.isDue(name) && attached.get(name)
    if (still) await tasks.serve(still, true)
  }

  const delivery: Delivery = {
    redelivers: true,
    async attach(schema) {
      resumption.end(schema.name)
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
      await consumers.detach(schema)
    },
  }

  function detachStream(queue: string): void {
    const [name = '', stream = ''] = queue.split('.')
    const schema = attached.get(name)
    if (!schema) return
    const streams = schema.streams.filter((each) => each.name !== stream)
    if (streams.length === 0) attached.delete(name)
    else attached.set(name, { ...schema, streams })
  }

  const watch = async (): Promise<void> =>
    consumers
      .mendGone?.([...attached.values()], (name) => attached.get(name))
      .catch((error: unknown) => logger.warn({ err: error }, 'ClickHouse gives no status of its consumers, retrying'))

  let watching: Promise<void> | undefined
  const timer = setInterval(() => {
    watching ??= watch().finally(() => {
      watching = undefined
    })
  }, watch_ms)
  timer.unref()
  if (!consumers.mendGone) clearInterval(timer)

  const feeder: Feeder = {
    ...progress,
    caughtUp(queues, timeout_ms) {
      for (const queue of queues) resumption.hurry(schemaNameOf(queue))
      return progress.caughtUp(queues, timeout_ms)
    },
    followed: progress.followed,
    // Tables pass over what they have: nothing of a batch is in doubt.
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
      await resumption.close()
      await consumers.close()
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
