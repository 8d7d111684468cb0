import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { queueName } from '../../sql/schema/names.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import { createClock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Delivery } from '../delivery.ts'
import { createKeptClock } from '../kept-clock.ts'
import type { Logger } from '../logger.ts'
import { createKafkaClient, type KafkaSettings } from './kafka-client.ts'
import { createKafkaConsumers } from './kafka-consumers.ts'
import { createKafkaLog } from './kafka-log.ts'
import { createKafkaProgress } from './kafka-progress.ts'
import { createKafkaTopics } from './kafka-topics.ts'
import { createLmdbLog } from './lmdb-log.ts'
import type { DeliveryDeps, OpenedLog } from './opened-log.ts'

const megabyte = 1024 * 1024
/** How long the rest of a topic may take before its feeds change. */
const drain_ms = 30_000
/** How often it is looked whether a server's consumers still consume. */
const watch_ms = 2_000

/** The log in Kafka: this process produces, ClickHouse consumes. */
export function openKafkaLog(config: Config, settings: KafkaSettings, logger: Logger): OpenedLog {
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
  refuseLeftover(config)
  const kafka = createKafkaLog({ client, topics, logger, path, maxBytes: config.MAX_LOG_MB * megabyte })
  const clock = config.ROLE === 'worker' ? { ...createClock(), close() {} } : createKeptClock(join(path, 'clock'))

  return {
    log: kafka.log,
    clock,
    waitingBytes: kafka.waiting,
    async close() {
      await kafka.log.close()
      await topics.close()
      clock.close()
    },
    deliver: (deps) => deliver(deps),
  }

  function deliver({ clickhouse, catalogue }: DeliveryDeps) {
    const isEmbedded = config.CLICKHOUSE_URL === undefined
    const consumers = createKafkaConsumers({
      clickhouse,
      catalogue,
      topics,
      clock,
      logger,
      broker: brokerOf(settings),
      isEmbedded,
    })
    const progress = createKafkaProgress({ topics, consumers, produced: kafka.produced, logger })
    const attached = new Map<string, Schema>()
    let loading: Promise<void> | undefined

    const delivery: Delivery = {
      redelivers: true,
      async attach(schema) {
        loading ??= consumers.load()
        await loading
        await Promise.all(queuesOf(schema).map(kafka.open))
        queuesOf(schema).forEach(progress.know)
        await consumers.attach(schema)
        attached.set(schema.name, schema)
      },
      async drained(schema) {
        for (const queue of queuesOf(schema)) await progress.drained(queue, drain_ms)
      },
      follow(schema, isChanging) {
        if (isChanging) attached.delete(schema.name)
        else attached.set(schema.name, schema)
        queuesOf(schema).forEach(progress.know)
      },
      async detach(schema) {
        attached.delete(schema.name)
        await delivery.drained(schema)
        await consumers.detach(schema)
      },
    }

    /** A server that was started again has consumers that wait for their old places: they get new ones. */
    async function watch(): Promise<void> {
      for (const schema of attached.values()) {
        await consumers.attach(schema).catch((error: unknown) => {
          logger.warn({ err: error, schema: schema.name }, 'consumers not looked after, trying again')
        })
      }
    }
    let watching: Promise<void> | undefined
    const timer = setInterval(() => {
      watching ??= watch().finally(() => {
        watching = undefined
      })
    }, watch_ms)
    timer.unref()
    if (isEmbedded) clearInterval(timer)

    const feeder = {
      ...progress,
      async forget(queue: string): Promise<void> {
        const [schema = ''] = queue.split('.')
        attached.delete(schema)
        await kafka.forget(queue)
        await progress.forget(queue)
      },
      failures: () => [...kafka.failures(), ...progress.failures()],
      async close(): Promise<void> {
        clearInterval(timer)
        await watching
        await progress.close()
      },
    }
    return { feeder, delivery }
  }
}

/** What the embedded log still holds would be passed over. */
function refuseLeftover({ DATA_DIR }: Config): void {
  const path = join(DATA_DIR, 'log')
  if (!existsSync(join(path, 'log.mdb'))) return
  const { source, log } = createLmdbLog({ path, maxBytes: megabyte })
  const waiting = source.bytes()
  void log.close()
  if (waiting > 0) {
    throw new Error(
      `the embedded log in ${path} holds ${waiting} bytes of events: start once without KAFKA_BROKERS, stop, then set it`,
    )
  }
}

const queuesOf = ({ name, streams }: Schema): string[] =>
  streams.filter(({ kind }) => kind === 'input').map((stream) => queueName(name, stream.name))

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
