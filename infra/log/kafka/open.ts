import { join } from 'node:path'
import { createClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../logger.ts'
import { createSteadyWall } from '../../steady-wall.ts'
import type { DeliveryDeps, OpenedLog } from '../opened.ts'
import { createKeptClock } from '../shared/kept-clock.ts'
import { createKafkaClient } from './client.ts'
import { createKafkaConsumers } from './consume/consumers.ts'
import { createKafkaProgress, greatest, type KafkaProgress } from './consume/progress.ts'
import { createTopicReaders, type TopicReadersDeps } from './consume/readers.ts'
import { createKafkaDelivery } from './feeder.ts'
import { createKafkaLog } from './log.ts'
import { createReach } from './reach.ts'
import { createTaskNotes } from './rules/task-notes.ts'
import { createRuleTasks } from './rules/tasks.ts'
import type { KafkaSettings } from './settings.ts'
import { createKafkaTopics, type Offsets } from './topics.ts'

const megabyte = 1024 * 1024

/** The log in Kafka: this process produces, and a ClickHouse server consumes, or this process for one that runs in it. */
export async function openKafkaLog(config: Config, settings: KafkaSettings, logger: Logger): Promise<OpenedLog> {
  const client = createKafkaClient(settings, logger)
  const topics = createKafkaTopics({
    client,
    logger,
    prefix: config.KAFKA_TOPIC_PREFIX,
    partitions: config.KAFKA_PARTITIONS,
    replication: config.KAFKA_REPLICATION,
    retentionHours: config.KAFKA_RETENTION_HOURS,
    maxEventBytes: config.MAX_BODY_MB * megabyte,
  })
  const path = join(config.DATA_DIR, 'log')
  const wall_us = createSteadyWall({ logger })
  const clock =
    config.ROLE === 'worker' ? { ...createClock(), close() {} } : createKeptClock(join(path, 'clock'), 0, wall_us)
  const known_us = clock.last()
  const kafka = createKafkaLog({
    ...{ client, topics, logger, path, known_us, wall_us },
    maxBytes: config.MAX_LOG_MB * megabyte,
    maxKeys: config.MAX_KEYS,
  })

  const reach = createReach(topics.reach, logger)

  const notes = createTaskNotes()
  /** Progress is there once ClickHouse is. */
  let progress: KafkaProgress | undefined
  const known = (): KafkaProgress => {
    if (!progress) throw new Error('tasks of rules wait for ClickHouse')
    return progress
  }
  const tasks = createRuleTasks({
    ...{ client, topics, kafka, notes, clock, logger },
    path: join(path, 'tasks'),
    maxBytes: config.MAX_RULES_MB * megabyte,
    consumed: (...asked) => known().consumed(...asked),
    processed: (...asked) => known().processed(...asked),
    forgotten: async (queue) => progress?.forget(queue),
  })

  return {
    log: kafka.log,
    clock,
    tasks,
    waitingBytes: kafka.waiting,
    trouble: reach.trouble,
    async close() {
      reach.close()
      await kafka.log.close()
      await topics.close()
      clock.close()
    },
    deliver,
  }

  function deliver(deps: DeliveryDeps) {
    const { leases } = deps
    const { reach } = kafka
    const broker = brokerOf(settings)
    const consumers = leases
      ? createKafkaConsumers({ ...deps, leases, topics, clock, logger, broker, reach })
      : readers(deps)
    progress = createKafkaProgress({
      ...{ topics, consumers, notes, logger },
      produced: kafka.produced,
      reach: kafka.reach,
      troubleOfTasks: tasks.trouble,
    })
    return createKafkaDelivery({ kafka, consumers, progress, tasks, logger })
  }

  function readers(deps: Pick<TopicReadersDeps, 'clickhouse' | 'catalogue' | 'metrics'>) {
    const known = (queue: string): Offsets => greatest(kafka.produced(queue), notes.made(queue))
    const made = createTopicReaders({ ...deps, client, topics, clock, logger, known, reach: kafka.reach })
    kafka.onProduced(made.seeKnown)
    notes.onMade(made.seeKnown)
    return made
  }
}

/** The same settings in the terms of ClickHouse's Kafka tables. */
function brokerOf({ brokers, tls, sasl }: KafkaSettings) {
  const protocol = `${sasl ? 'sasl_' : ''}${tls ? 'ssl' : 'plaintext'}`
  return {
    brokers: brokers.join(','),
    settings: {
      ...((tls || sasl) && { kafka_security_protocol: protocol }),
      ...(sasl && {
        kafka_sasl_mechanism: sasl.mechanism.toUpperCase(),
        kafka_sasl_username: sasl.username,
        kafka_sasl_password: sasl.password,
      }),
    },
  }
}
