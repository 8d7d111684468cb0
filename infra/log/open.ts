import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClickHouseFeed } from '../clickhouse/feed.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { createSteadyWall } from '../steady-wall.ts'
import { traceConsuming } from '../tracing/trace-consuming.ts'
import { createFeedTraces, type FeedTraces } from '../tracing/trace-feeding.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { fedDelivery } from './delivery.ts'
import { fileName } from './embedded/copy-log.ts'
import { createFeeder } from './embedded/feeder.ts'
import { giveSpaceBack } from './embedded/give-space-back.ts'
import { createLmdbLog } from './embedded/log.ts'
import { takeSoleWriter } from './embedded/sole-writer.ts'
import { kafkaSettings } from './kafka/settings.ts'
import { createNoLog } from './none.ts'
import type { OpenedLog } from './opened.ts'
import type { LogSource } from './port.ts'

const megabyte = 1024 * 1024

/** The embedded log has a feeder; `id` sets its batches apart from batches of other logs. */
const fed =
  (source: LogSource, clock: Clock, id?: string, traces?: FeedTraces): OpenedLog['deliver'] =>
  ({ clickhouse, logger, metrics }) => {
    const feed = createClickHouseFeed(clickhouse, id)
    const traced = traces ? { source: traces.source(source), feed: traces.feed(feed) } : { source, feed }
    const isShared = id !== undefined
    return { feeder: createFeeder({ ...traced, clock, logger, metrics, isShared }), delivery: fedDelivery }
  }

/** Throws where an embedded log still holds events, before Kafka takes its place: no feeder would read them. */
async function refuseLeftover(path: string): Promise<void> {
  if (!existsSync(join(path, fileName))) return
  const { source, log } = createLmdbLog({ path, maxBytes: megabyte })
  const waiting = source.bytes()
  await log.close()
  if (waiting > 0) {
    throw new Error(
      `the embedded log in ${path} holds ${waiting} bytes of events: start once without KAFKA_BROKERS, stop, then set it`,
    )
  }
}

/** The log as the settings say. Embedded ClickHouse guards the folder of both; with a server the log guards its own. */
export async function openLog(config: Config, logger: Logger, tracing?: Tracing): Promise<OpenedLog> {
  const kafka = kafkaSettings(config)
  const path = join(config.DATA_DIR, 'log')
  if (kafka) {
    await refuseLeftover(path)
    // kafkajs is 200 files, which a start without a broker is spared.
    const { openKafkaLog } = await import('./kafka/open.ts')
    const opened = await openKafkaLog(config, kafka, logger)
    return tracing ? traceConsuming(opened, tracing.tracer) : opened
  }
  if (config.ROLE === 'worker') {
    const { log, source, clock } = createNoLog()
    return {
      log,
      clock,
      trouble: () => ({}),
      waitingBytes: source.bytes,
      deliver: fed(source, clock),
      close: log.close,
    }
  }
  const isShared = config.CLICKHOUSE_URL !== undefined
  const writer = isShared ? await takeSoleWriter(path) : undefined
  await giveSpaceBack(path, logger)
  const { log, turns, source, clock, rules, id, copy, shipping, notes, trouble } = createLmdbLog({
    path,
    maxBytes: config.MAX_LOG_MB * megabyte,
    maxKeys: config.MAX_KEYS,
    maxRuleBytes: config.MAX_RULES_MB * megabyte,
    now_us: createSteadyWall({ logger }),
    ...(config.BACKUP_TO !== undefined && {
      shipping: { to: config.BACKUP_TO, maxBytes: config.MAX_BACKUP_MB * megabyte },
    }),
  })
  const traces = tracing && createFeedTraces(tracing.tracer)
  return {
    log: traces ? traces.log(log) : log,
    clock,
    rules: { store: rules, log: traces ? traces.turns(turns) : turns },
    id: String(id),
    trouble() {
      const takes = trouble()
      return takes === undefined ? {} : { takes }
    },
    waitingBytes: source.bytes,
    deliver: fed(source, clock, isShared ? id : undefined, traces),
    copy,
    shipping,
    notes,
    async close() {
      await log.close()
      writer?.release()
    },
  }
}
