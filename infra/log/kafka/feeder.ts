import { queueStreams } from '../../../sql/schema/ddl/matches.ts'
import { takesTurns } from '../../../sql/schema/made.ts'
import { queueName, turnsQueue } from '../../../sql/schema/names.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Logger } from '../../logger.ts'
import { type Delivery, drain_ms } from '../delivery.ts'
import type { Feeder } from '../port.ts'
import type { KafkaConsumers } from './consume/consumers.ts'
import type { KafkaProgress } from './consume/progress.ts'
import type { KafkaLog } from './log.ts'
import type { KafkaRuleTasks } from './rules/tasks.ts'

export type KafkaDeliveryDeps = {
  readonly kafka: KafkaLog
  readonly consumers: KafkaConsumers
  readonly progress: KafkaProgress
  readonly tasks: Pick<KafkaRuleTasks, 'serve' | 'leave' | 'close'>
  readonly logger: Logger
  /** Whether ClickHouse is a server, whose tables outlive this process and may be made by others. */
  readonly isServer: boolean
}

/** How often a server's consumers are looked at: a server that was started again has some that wait for old places. */
const watch_ms = 2_000

/** ClickHouse takes the events of registered schemas from their topics, and goes on doing so. */
export function createKafkaDelivery({ kafka, consumers, progress, tasks, logger, isServer }: KafkaDeliveryDeps) {
  const attached = new Map<string, Schema>()

  const delivery: Delivery = {
    redelivers: true,
    async attach(schema) {
      await Promise.all(queuesOf(schema).map(kafka.open))
      queuesOf(schema).forEach(progress.know)
      if (takesTurns(schema)) {
        await kafka.open(turnsQueue(schema.name))
        progress.know(turnsQueue(schema.name))
      }
      await consumers.attach(schema)
      await tasks.serve(schema, true)
      attached.set(schema.name, schema)
    },
    drained: (schema) => progress.drained(queuesOf(schema), drain_ms),
    follow(schema, isChanging) {
      if (isChanging) attached.delete(schema.name)
      else attached.set(schema.name, schema)
      queuesOf(schema).forEach(progress.know)
      if (isChanging) return
      if (takesTurns(schema)) progress.know(turnsQueue(schema.name))
      void tasks.serve(schema, false)
    },
    async detach(schema) {
      attached.delete(schema.name)
      await delivery.drained(schema)
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
      await consumers.idle()
      await tasks.close()
      await progress.close()
    },
  }
  return { feeder, delivery }
}

const queuesOf = (schema: Schema): string[] => queueStreams(schema).map((stream) => queueName(schema.name, stream.name))
