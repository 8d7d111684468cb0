import { join } from 'node:path'
import { createClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../logger.ts'
import { createSteadyWall } from '../../steady-wall.ts'
import type { DeliveryDeps, OpenedLog } from '../opened.ts'
import { createKeptClock } from '../shared/kept-clock.ts'
import { createKafkaClient } from './client.ts'
import { createKafkaConsumers } from './consume/consumers.ts'
import { createDormant } from './consume/dormant.ts'
import { createKafkaProgress, type KafkaProgress } from './consume/progress.ts'
import { createKafkaDelivery } from './feeder.ts'
import { createKafkaLog } from './log.ts'
import { createReach } from './reach.ts'
import { createTaskNotes } from './rules/task-notes.ts'
import { createRuleTasks } from './rules/tasks.ts'
import type { KafkaSettings } from './settings.ts'
import { createKafkaTopics } from './topics.ts'

const megabyte = 1024 * 1024

/** The log in Kafka: this process produces, ClickHouse consumes. */
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

  function deliver({ clickhouse, catalogue, versions, leases }: DeliveryDeps) {
    const broker = brokerOf(settings)
    const consumers = createKafkaConsumers({ clickhouse, catalogue, versions, topics, clock, logger, broker, leases })
    const { produced } = kafka
    const dormant = createDormant({ topics, logger })
    progress = createKafkaProgress({
      topics,
      consumers,
      behind: dormant.wake,
      produced,
      reach: kafka.reach,
      notes,
      troubleOfTasks: tasks.trouble,
      logger,
    })
    return createKafkaDelivery({ kafka, consumers, progress, tasks, dormant, logger, isServer: leases !== undefined })
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
