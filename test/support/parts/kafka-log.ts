import type { ExecutionContext } from 'ava'
import { createKafkaClient } from '../../../infra/log/kafka/client.ts'
import { createKafkaLog } from '../../../infra/log/kafka/log.ts'
import { createKafkaTopics } from '../../../infra/log/kafka/topics.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export type TestLogOptions = {
  readonly prefix?: string
  readonly path?: string
  readonly maxBytes?: number
  readonly wait_ms?: number
  readonly maxEventBytes?: number
  readonly partitions?: number
}

let made = 0

/** A log over a broker with topics of its own, closed when the test ends. */
export function openKafkaLog(t: ExecutionContext, brokers: string, options: TestLogOptions = {}) {
  const { path = temporaryFolder(), maxBytes = 64 * 1024 * 1024, maxEventBytes = 8 * 1024 * 1024 } = options
  const { wait_ms = 60_000, partitions = 3 } = options
  const prefix = options.prefix ?? `test${process.pid}-${++made}`
  const logger = silentLogger()
  const client = createKafkaClient({ brokers: [brokers], tls: false }, logger)
  const retentionHours = 1
  const topics = createKafkaTopics({
    client,
    logger,
    prefix,
    partitions,
    replication: 1,
    retentionHours,
    maxEventBytes,
  })
  const kafkaLog = createKafkaLog({ client, topics, logger, path, maxBytes, wait_ms })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= kafkaLog.log.close().then(topics.close)
    return closing
  }
  t.teardown(close)
  return { ...kafkaLog, client, topics, prefix, path, close }
}

export type TestLog = ReturnType<typeof openKafkaLog>
