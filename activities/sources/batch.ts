import { setImmediate as turn } from 'node:timers/promises'
import { Fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import type { KafkaRecord } from '../../infra/sources/topic.ts'
import type { MessageDecoder } from './decode/decoder.ts'
import type { MessageToEvent } from './to-event.ts'

/** A batch ends with the message that brings it to one of these. */
const batchCharacters = 1024 * 1024
const batchMessages = 10_000
/** So many messages are read in one turn of the event loop. */
const atOnce = 200

const unreadBefore = 'it could not be read when it came first, just before the process ended'

/** A message that is no event, and why. */
export type BadMessage = { readonly offset: number; readonly reason: string; readonly value: Buffer }

/** Messages of one partition, in the order of their offsets, as they go to the stream together. */
export type Batch = {
  readonly lines: readonly string[]
  /** The offset of each line. */
  readonly offsets: readonly number[]
  readonly bad: readonly BadMessage[]
  /** The offsets of messages that bring no event. */
  readonly skipped: readonly number[]
  /** The timestamp of the last message, in microseconds. */
  readonly message?: number
  /** The offset behind the last message. */
  readonly end: number
}

/** The messages of a batch that are none of its lines. */
type Apart = {
  readonly unread?: readonly number[] | undefined
  readonly skipped?: readonly number[] | undefined
}

/**
 * Splits a batch whose key the log has with other lines, by another definition: with all of them, or the first `keptLines`. `planned`
 * tells which of its messages were no lines then.
 */
export function splitBatch(
  batch: Batch,
  planned: Apart | undefined,
  keptLines: number | undefined,
): { readonly came: Batch; readonly rest?: Batch } {
  const { lines, offsets, bad, message, ...all } = batch
  const unread = new Set(planned ? planned.unread : bad.map(({ offset }) => offset))
  const skipped = planned?.skipped ?? all.skipped
  const apart = new Set([...unread, ...skipped])
  const isLine = (offset: number): boolean => !apart.has(offset)
  const before = [...offsets, ...bad.map(({ offset }) => offset), ...all.skipped].filter(isLine)
  before.sort((one, other) => one - other)
  // A log that is full amid a batch has one line of it at least.
  const lastKept = keptLines === undefined ? undefined : before[keptLines - 1]
  const end = lastKept === undefined ? batch.end : lastKept + 1
  const came: Batch = {
    ...{ lines: [], offsets: [], end },
    bad: bad.filter(({ offset }) => offset < end && unread.has(offset)),
    skipped: skipped.filter((offset) => offset < end),
    ...(end === batch.end && message !== undefined && { message }),
  }
  if (end === batch.end) return { came }
  const rest: Batch = {
    ...batch,
    lines: lines.filter((_, at) => (offsets[at] ?? end) >= end),
    offsets: offsets.filter((offset) => offset >= end),
    bad: bad.filter(({ offset }) => offset >= end),
    skipped: all.skipped.filter((offset) => offset >= end),
  }
  return { came, rest }
}

export type MessageReaderDeps = {
  readonly decoder: Pick<MessageDecoder, 'decode'>
  readonly toEvent: MessageToEvent
  /** Of one message, in bytes. */
  readonly limit: number
}

/** Makes batches of messages. A fault `unavailable` where their schemas cannot be had now: the messages wait. */
export function createMessageReader({ decoder, toEvent, limit }: MessageReaderDeps) {
  async function lineOf(partition: number, message: KafkaRecord): Promise<string | undefined> {
    const { value, key } = message
    if (value && value.length > limit) throw new Refusal(`it has ${value.length} bytes, and ${limit} is the most`)
    const event = await decoder.decode(value, key)
    return event && toEvent(event, partition, message)
  }

  /**
   * Gives `take` the messages batch by batch. With `unread` they are one batch that was made before: messages of those offsets
   * could not be read then.
   */
  return async function read(
    partition: number,
    messages: readonly KafkaRecord[],
    take: (batch: Batch) => Promise<void>,
    unread?: ReadonlySet<number>,
  ): Promise<void> {
    let lines: string[] = []
    let offsets: number[] = []
    let bad: BadMessage[] = []
    let skipped: number[] = []
    let characters = 0
    for (const [at, message] of messages.entries()) {
      if (at % atOnce === atOnce - 1) await turn()
      const { offset, appended_ms } = message
      try {
        const line = await lineOf(partition, message)
        if (unread?.has(offset)) throw new Refusal(unreadBefore)
        if (line === undefined) skipped.push(offset)
        else {
          lines.push(line)
          offsets.push(offset)
          characters += line.length
        }
      } catch (error) {
        if (!(error instanceof Refusal) && !(error instanceof Fault && error.kind === 'invalid')) throw error
        bad.push({ offset, reason: error.message, value: message.value ?? Buffer.alloc(0) })
      }
      const isLast = at === messages.length - 1
      const isFull = characters >= batchCharacters || lines.length + bad.length + skipped.length >= batchMessages
      if (!isLast && (unread || !isFull)) continue
      const time = appended_ms > 0 ? { message: appended_ms * 1000 } : {}
      await take({ lines, offsets, bad, skipped, ...time, end: offset + 1 })
      lines = []
      offsets = []
      bad = []
      skipped = []
      characters = 0
    }
  }
}

export type MessageReader = ReturnType<typeof createMessageReader>
