import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../logger.ts'
import { topicMetadata } from './admin.ts'
import { type Admin, refusalOf } from './client.ts'

/** The settings of the topics that are made. */
export type TopicOptions = {
  readonly logger: Logger
  readonly partitions: number
  readonly replication: number
  readonly retentionHours: number
  /** The longest event that a topic is made to take, in bytes. */
  readonly maxEventBytes: number
}

/** A topic other than a stream's: with another number of partitions, or without expiry. */
export type TopicKind = { readonly partitions?: number; readonly isKept?: true }

export type Topic = {
  readonly name: string
  readonly partitions: number
  /** Bytes that a batch of messages may have there. */
  readonly maxBytes: number
}

/** The max size of a message where a broker's configuration sets none. */
const defaultMaxBytes = 1_048_588
/** Room for the framing of an event in a batch. */
const envelopeBytes = 4096
const hour_ms = 3_600_000
const patience_ms = 10_000
/** A segment is deleted as a whole. */
const keptSegment = 64 * 1024 * 1024

/** Finds a topic, or makes one: the broker makes none by itself. */
export async function openTopic(admin: Admin, name: string, kind: TopicKind, options: TopicOptions): Promise<Topic> {
  let partitions = await partitionsOf(admin, name)
  if (partitions === 0) {
    await make(admin, name, kind, options)
    partitions = await partitionsMade(admin, name)
  }
  const maxBytes = await maxBytesOf(admin, name).catch((error: unknown) => {
    options.logger.warn({ err: error, topic: name }, 'the size of messages that the topic takes is not known')
    return defaultMaxBytes
  })
  return { name, partitions, maxBytes }
}

async function make(
  admin: Admin,
  name: string,
  { partitions, isKept }: TopicKind,
  options: TopicOptions,
): Promise<void> {
  const settings = {
    'cleanup.policy': 'delete',
    'retention.ms': isKept ? '-1' : String(options.retentionHours * hour_ms),
    'retention.bytes': '-1',
    ...(isKept && { 'segment.bytes': String(keptSegment) }),
    // Retention goes by the broker's clock: a process whose clock is behind would have its events deleted at once.
    'message.timestamp.type': 'LogAppendTime',
    ...(options.replication >= 3 && { 'min.insync.replicas': '2' }),
  }
  const made = { partitions: partitions ?? options.partitions, replication: options.replication }
  const wide = { ...settings, 'max.message.bytes': String(options.maxEventBytes + envelopeBytes) }
  try {
    await create(admin, name, wide, made)
  } catch (error) {
    if (!['INVALID_CONFIG', 'POLICY_VIOLATION'].includes(refusalOf(error) ?? '')) throw error
    options.logger.warn({ topic: name }, 'the broker does not take the size of messages asked for: its own holds')
    await create(admin, name, settings, made)
  }
}

async function create(
  admin: Admin,
  topic: string,
  settings: Readonly<Record<string, string>>,
  { partitions, replication }: { readonly partitions: number; readonly replication: number },
): Promise<void> {
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
  await admin.createTopics({
    timeout: patience_ms,
    waitForLeaders: false,
    topics: [{ topic, numPartitions: partitions, replicationFactor: replication, configEntries }],
  })
}

/** 0 where there is no such topic, or some partition of it has no leader yet. */
async function partitionsOf(admin: Admin, name: string): Promise<number> {
  try {
    const { topics: found } = await topicMetadata(admin, name)
    return found[0]?.partitions.length ?? 0
  } catch (error) {
    if (['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'].includes(refusalOf(error) ?? '')) return 0
    throw error
  }
}

/** Brokers learn of a new topic one after the other. */
async function partitionsMade(admin: Admin, name: string): Promise<number> {
  for (const end = performance.now() + patience_ms; ; await sleep(20)) {
    const partitions = await partitionsOf(admin, name)
    if (partitions > 0) return partitions
    if (performance.now() > end) throw new Error(`it was made and is not there ${patience_ms} ms later`)
  }
}

async function maxBytesOf(admin: Admin, name: string): Promise<number> {
  const [type, configNames] = [2, ['max.message.bytes']] // 2: a topic
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type, name, configNames }],
  })
  const value = Number(resources[0]?.configEntries[0]?.configValue)
  return Number.isFinite(value) && value > 0 ? value : defaultMaxBytes
}
