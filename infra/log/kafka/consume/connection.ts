import type { KafkaClient } from '../client.ts'
import type { Fetched, KafkaPartition } from '../partition.ts'
import { refusalOf } from '../refusals.ts'

type Reading = ReturnType<KafkaClient['reading']>

const usualIdle_ms = 10_000

/**
 * A connection to the brokers of one topic, opened by a fetch and closed when none has come for a while. Each topic has its
 * own: kafkajs asks for all topics that a connection knows at once, and one that was deleted makes it fail for all.
 */
export function createTopicConnection(open: () => Reading, topic: string, idle_ms = usualIdle_ms) {
  let reading: Reading | undefined
  const partitions = new Map<number, KafkaPartition>()
  let under = 0
  let timer: NodeJS.Timeout | undefined

  function partitionOf(partition: number): KafkaPartition {
    reading ??= open()
    const opened = partitions.get(partition) ?? reading.partition(topic, partition)
    partitions.set(partition, opened)
    return opened
  }

  function close(): void {
    clearTimeout(timer)
    for (const opened of partitions.values()) opened.close()
    partitions.clear()
    void reading?.close().catch(() => {})
    reading = undefined
  }

  return {
    async fetch(partition: number, offset: number, wait_ms: number): Promise<Fetched> {
      clearTimeout(timer)
      under++
      try {
        return await partitionOf(partition).fetch(offset, wait_ms)
      } catch (error) {
        // Kafkajs may never settle what was lost at a bad moment, and gives the same to all who ask later.
        if (refusalOf(error) !== 'OFFSET_OUT_OF_RANGE') close()
        throw error
      } finally {
        under--
        if (under === 0) timer = setTimeout(close, idle_ms).unref()
      }
    },
    close,
  }
}
