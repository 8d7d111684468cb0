import { fault } from '../../../../base/faults.ts'
import type { KafkaClient } from '../client.ts'
import type { Topic } from '../topic-making.ts'
import type { Offsets, PartitionEnd } from '../topics.ts'
import { createKafkaProducer, type KafkaProducer } from './producer.ts'
import { type Batch, createSender, type Sender } from './sender.ts'

export type KafkaQueueOptions = {
  readonly client: KafkaClient
  readonly topic: Topic
  /** The offset of the last line in each partition. */
  readonly last: Offsets
  readonly wait_ms: number
  /** Returns where the topic ends now: called when a broker has messages already and does not give their offsets. */
  readonly onDuplicate: () => Promise<readonly PartitionEnd[]>
  /** Is called when a broker has acknowledged more. */
  readonly onProduced?: () => void
}

export type Part = { readonly lines: Buffer; readonly sender: Sender }

/** A batch of the size that brokers take by default, and messages of a size of which many can be read at once. */
const batchBytes = 900_000
const messageBytes = 450_000
const envelopeBytes = 4096

/** The lines on their way to one topic: lines with a key to the key's partition, others to the partitions in turn. */
export function createKafkaQueue(options: KafkaQueueOptions) {
  const { client, topic, last, wait_ms, onDuplicate, onProduced } = options
  const produced = new Map<number, number>(last)
  const room = topic.maxBytes - envelopeBytes

  const reached = (partition: number, offset: number): void => {
    if (offset <= (produced.get(partition) ?? -1)) return
    produced.set(partition, offset)
    onProduced?.()
  }

  const all = (found: readonly PartitionEnd[]): void => {
    for (const { partition, end } of found) reached(partition, end - 1)
  }

  const senderTo = (partitions: readonly number[], { send }: KafkaProducer): Sender =>
    createSender({
      partitions,
      batchBytes: Math.min(batchBytes, room),
      messageBytes: Math.min(messageBytes, room),
      wait_ms,
      send,
      onStored: (partition, offset) => {
        if (offset === undefined) return onDuplicate().then(all, () => {})
        reached(partition, offset)
        return undefined
      },
    })

  const numbers = Array.from({ length: topic.partitions }, (_, partition) => partition)
  // A producer for each: it bears one send a partition at a time.
  const [spreading, keying] = [createKafkaProducer(client, topic.name), createKafkaProducer(client, topic.name)]
  const spread = senderTo(numbers, spreading)
  const keyed = numbers.map((partition) => senderTo([partition], keying))
  const senders = [spread, ...keyed]

  function* cutFor(sender: Sender, lines: Buffer): Iterable<Part> {
    for (const part of cutLines(lines, Math.min(messageBytes, room))) {
      if (part.length > room) {
        throw fault(
          'too large',
          `an event of ${part.length} bytes is too large for topic ${topic.name}: it takes ${room}`,
        )
      }
      yield { lines: part, sender }
    }
  }

  return {
    produced,
    /** The lines as they will be sent: each part is stored whole or not at all. A fault where a line is too large. */
    cut(lines: Buffer, keys: readonly string[] | undefined): Part[] {
      if (keys === undefined) return [...cutFor(spread, lines)]
      const parts: Part[] = []
      for (const [partition, part] of byPartition(lines, keys, topic.partitions)) {
        const sender = keyed[partition]
        if (sender) for (const each of cutFor(sender, part)) parts.push(each)
      }
      return parts
    },
    /** The batch that a part went into. */
    add: ({ sender, lines }: Part): Batch => sender.add(lines),
    failure: (): string | undefined => senders.find((sender) => sender.failure() !== undefined)?.failure(),
    /** Sends the lines that wait, for `timeout_ms` at most, and refuses the rest. */
    async close(timeout_ms: number): Promise<void> {
      let timer: NodeJS.Timeout | undefined
      const expired = new Promise((resolve) => {
        timer = setTimeout(resolve, timeout_ms)
      })
      const idle = Promise.all(senders.map((sender) => sender.idle()))
      await Promise.race([idle, expired])
      clearTimeout(timer)
      for (const sender of senders) sender.refuse()
      spreading.close()
      keying.close()
    },
  }
}

export type KafkaQueue = ReturnType<typeof createKafkaQueue>

const lineFeed = 10

/** Cuts lines into parts of at most `most` bytes; a line that is longer is a part of its own. */
export function* cutLines(lines: Buffer, most: number): Iterable<Buffer> {
  for (let start = 0; start < lines.length; ) {
    const end = endOfPart(lines, start, most)
    yield lines.subarray(start, end)
    start = end
  }
}

function endOfPart(lines: Buffer, start: number, most: number): number {
  if (lines.length - start <= most) return lines.length
  const last = lines.lastIndexOf(lineFeed, start + most - 1)
  if (last >= start) return last + 1
  const next = lines.indexOf(lineFeed, start + most)
  return next === -1 ? lines.length : next + 1
}

/** The lines of each partition, in their order; `keys` has one for each line. */
export function byPartition(lines: Buffer, keys: readonly string[], partitions: number): Map<number, Buffer> {
  const bytes = new Map<number, number>()
  const [partitionsOf, ends]: [number[], number[]] = [[], []]
  let start = 0
  for (const key of keys) {
    const end = lines.indexOf(lineFeed, start) + 1
    const partition = partitionOf(key, partitions)
    partitionsOf.push(partition)
    ends.push(end)
    bytes.set(partition, (bytes.get(partition) ?? 0) + end - start)
    start = end
  }
  const parts = new Map([...bytes].map(([partition, length]) => [partition, Buffer.allocUnsafe(length)]))
  const filled = new Map<number, number>()
  start = 0
  for (const [index, partition] of partitionsOf.entries()) {
    const [part, at, end] = [parts.get(partition), filled.get(partition) ?? 0, ends[index] ?? start]
    if (part) filled.set(partition, at + lines.copy(part, at, start, end))
    start = end
  }
  return parts
}

/** Keys are short, as a rule: their bytes are written here. */
const keyBytes = Buffer.allocUnsafe(1024)
const maxBytesOfCharacter = 3

/** The partition of a key, where Kafka's own clients put it: murmur2 of its UTF-8 bytes. */
export function partitionOf(key: string, partitions: number): number {
  const isShort = key.length * maxBytesOfCharacter <= keyBytes.length
  const hash = isShort ? murmur2(keyBytes, keyBytes.write(key)) : murmur2(Buffer.from(key))
  return (hash & 0x7fffffff) % partitions
}

const multiplier = 0x5bd1e995
const seed = 0x9747b28c

/** MurmurHash2 for 32 bits (Austin Appleby), little-endian. */
function murmur2(bytes: Buffer, length = bytes.length): number {
  const whole = length - (length % 4)
  let hash = seed ^ length
  for (let at = 0; at < whole; at += 4) {
    const mixed = Math.imul(bytes.readInt32LE(at), multiplier)
    hash = Math.imul(hash, multiplier) ^ Math.imul(mixed ^ (mixed >>> 24), multiplier)
  }
  if (whole < length) {
    hash = Math.imul(hash ^ bytes.readUIntLE(whole, length - whole), multiplier)
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier)
  return hash ^ (hash >>> 15)
}
