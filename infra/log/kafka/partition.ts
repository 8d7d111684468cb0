import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, FetchedMessage, FetchedPartition } from './cluster.ts'

export type KafkaRecord = {
  readonly offset: number
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers?: FetchedMessage['headers']
  /** The time of the append by the broker's clock, or the one that its producer has set. */
  readonly appended_ms: number
}

/** Records that are committed, and where to go on; `end` is behind the last one that can be read now. */
export type Fetched = { readonly records: readonly KafkaRecord[]; readonly next: number; readonly end: number }

const atOnce = 2 * 1024 * 1024
const patience_ms = 10_000
const pause_ms = 100
/** Records that are looked at together for the last one with data. */
const lookBack = 50

/** A partition that is read by offset. A leader that changes, or a connection that is lost, is asked for anew. */
export function openPartition(cluster: Cluster, topic: string, partition: number) {
  let connecting: Promise<void> | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    await cluster.connect()
    await cluster.addTargetTopic(topic)
  }

  async function attempt(offset: number, wait_ms: number): Promise<FetchedPartition> {
    connecting ??= connect()
    await connecting
    const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))
    if (nodeId === undefined) throw new Error(`topic ${topic} has no partition ${partition}`)
    const broker = await cluster.findBroker({ nodeId })
    const { responses } = await broker.fetch({
      isolationLevel: 1,
      maxWaitTime: wait_ms,
      minBytes: 1,
      maxBytes: atOnce,
      topics: [{ topic, partitions: [{ partition, fetchOffset: String(offset), maxBytes: atOnce }] }],
    })
    const [found] = responses[0]?.partitions ?? []
    if (!found) throw new Error(`Kafka answers nothing about partition ${partition} of topic ${topic}`)
    return found
  }

  async function ask(offset: number, wait_ms: number): Promise<FetchedPartition> {
    for (const end = performance.now() + patience_ms; ; await sleep(pause_ms)) {
      try {
        return await attempt(offset, wait_ms)
      } catch (error) {
        const isOutOfRange = error instanceof Error && 'type' in error && error.type === 'OFFSET_OUT_OF_RANGE'
        if (isClosed || isOutOfRange || performance.now() > end) throw error
        connecting = undefined
        await cluster.refreshMetadata().catch(() => {})
      }
    }
  }

  /** No topic here is compacted: each offset before the end has a record, and an answer without any is asked for again. */
  async function fetch(offset: number, wait_ms = 0): Promise<Fetched> {
    for (const until = performance.now() + patience_ms; ; await sleep(pause_ms)) {
      const found = await ask(offset, wait_ms)
      const last = found.messages.at(-1)
      const stable = Number(found.lastStableOffset)
      const end = stable < 0 ? Number(found.highWatermark) : stable
      const next = Math.max(last ? Number(last.offset) + 1 : 0, offset)
      if (next > offset || offset >= end) return { records: committedOf(found, offset), next, end }
      if (isClosed || performance.now() > until) {
        throw new Error(
          `Kafka gives no record at ${offset} of partition ${partition} of ${topic}, which ends at ${end}`,
        )
      }
    }
  }

  return {
    fetch,
    /** The offset of the last record with data before `end`, not before `first`; `first - 1` where there is none. */
    async lastData(first: number, end: number): Promise<number> {
      for (let to = end; to > first; ) {
        const from = Math.max(first, to - lookBack)
        let last = first - 1
        for (let at = from; at < to; ) {
          const { records, next } = await fetch(at)
          for (const { offset } of records) if (offset < to) last = Math.max(last, offset)
          // Behind the begin of an open transaction nothing can be read.
          if (next === at) break
          at = next
        }
        if (last >= from) return last
        to = from
      }
      return first - 1
    },
    close(): void {
      isClosed = true
      void cluster.disconnect().catch(() => {})
    },
  }
}

export type KafkaPartition = ReturnType<typeof openPartition>

const abortKey = Buffer.alloc(4)

/** Without control records, and without those of transactions that were aborted. */
export function committedOf({ messages, abortedTransactions }: FetchedPartition, from: number): KafkaRecord[] {
  const aborted = [...(abortedTransactions ?? [])].sort((a, b) => Number(a.firstOffset) - Number(b.firstOffset))
  const aborting = new Set<string>()
  const records: KafkaRecord[] = []
  for (const message of messages) {
    const offset = Number(message.offset)
    for (let first = aborted[0]; first && Number(first.firstOffset) <= offset; first = aborted[0]) {
      aborting.add(first.producerId)
      aborted.shift()
    }
    if (isLost(message, aborting) || offset < from) continue
    const { key, value, headers } = message
    records.push({ offset, key, value, ...(headers && { headers }), appended_ms: Number(message.timestamp) })
  }
  return records
}

function isLost({ isControlRecord, key, batchContext }: FetchedMessage, aborting: Set<string>): boolean {
  const producer = batchContext?.producerId ?? ''
  if (isControlRecord) {
    if (key?.equals(abortKey)) aborting.delete(producer)
    return true
  }
  return batchContext?.inTransaction === true && aborting.has(producer)
}
