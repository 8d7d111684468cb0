import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../base/faults.ts'
import { isOutOfRange, type KafkaRecord, type Read, type Topic } from '../../infra/sources/topic.ts'
import type { Accept } from '../ingest/accept.ts'
import { type BadMessage, type Batch, type MessageReader, splitBatch } from './batch.ts'
import {
  addNote,
  forgetPlan,
  listedErrors,
  longestReason,
  maxPartitions,
  moveTo,
  type Place,
  type Progress,
  planBatch,
} from './progress.ts'
import type { NamedSource } from './sources.ts'

export type BringDeps = {
  readonly named: NamedSource
  readonly topic: Topic
  readonly read: MessageReader
  readonly accept: Accept
  /** How far the source is, which this changes. */
  readonly progress: Progress
  /** Puts the progress on the disk of this process. */
  readonly note: () => Promise<void>
  /** Shows the progress to all processes, where it is due. */
  readonly show: (isNow?: boolean) => Promise<void>
  /** Throws where the source is another process's by now. */
  readonly check: () => void
  readonly counted: (outcome: 'accepted' | 'refused' | 'skipped' | 'lost', messages: number) => void
  /** A message that is no event goes to the refused ones of the stream. */
  readonly refuse: (reason: string, value: Buffer) => void
  readonly signal: AbortSignal
}

/** The answer to a batch; `before`: the log has other lines under its key, all of their batch or the first `keptLines`. */
type Taken = {
  readonly accepted: number
  readonly rejected: number
  readonly repeated?: number
  readonly before?: { readonly keptLines: number | undefined }
}

/** A broker that has nothing answers after this time. */
const wait_ms = 250
const stuckPause_ms = 200
const [firstPause_ms, longestPause_ms] = [200, 5_000]
/** Each batch is a key that the log remembers for a day: messages that come one by one wait a little for others. */
const [fullBatch, linger_ms, longestLinger_ms] = [1_000, 200, 1_000]
/** How often it is looked whether the topic has got further partitions. */
const discoverEvery_ms = 30_000
const endsEvery_ms = 5_000
/** A source that was idle for this long may be taken over by any process. */
const idle_ms = 1_000

/**
 * Brings the messages of a topic to their stream until it is aborted, or a broker fails. Each batch bears a key, made of the
 * reading, the partition and its first offset, and its end is on the disk before the log has it: a batch that went there before a crash is
 * cut in the same place when it comes again, and answered by the log.
 */
export async function bringMessages(deps: BringDeps): Promise<void> {
  const { named, topic, read, accept, progress, note, show, check, counted, refuse, signal } = deps
  const { name, source } = named
  const { schema, stream } = source.into
  let ahead: Promise<void> | undefined
  let lastBatch = performance.now()
  /** The batches and messages of the round that is under way. */
  let came = { batches: 0, messages: 0 }

  const places = (): [number, Place][] =>
    Object.entries(progress.partitions).map(([partition, place]) => [Number(partition), place])

  function list(partition: number, offset: number, reason: string): void {
    const error = reason.slice(0, longestReason)
    progress.errors = [...progress.errors, { partition, offset, error }].slice(-listedErrors)
  }

  /** Waits while the stream is OFF or away, or the log full: a batch is never given up. */
  async function taken(partition: number, place: Place, batch: Batch): Promise<Taken> {
    const body = Buffer.from(`${batch.lines.join('\n')}\n`)
    const idempotencyKey = `source:${name}:${progress.keys}:${partition}.${place.epoch ?? 0}:${place.next}`
    let looked = performance.now()
    for (let pause_ms = firstPause_ms; ; pause_ms = Math.min(longestPause_ms, 2 * pause_ms)) {
      signal.throwIfAborted()
      check()
      try {
        const answer = await accept(schema, stream, {
          ...{ body, isBatch: true, idempotencyKey },
          refusedAs(line, reason) {
            const offset = batch.offsets[line - 1] ?? batch.end
            list(partition, offset, reason)
            return `source ${name}, partition ${partition}, offset ${offset}: ${reason}`
          },
        })
        if (progress.state === 'waiting') moveTo(progress, 'running')
        return JSON.parse(answer)
      } catch (error) {
        if (error instanceof Fault && error.kind === 'reused')
          return { accepted: 0, rejected: 0, before: { keptLines: error.details.keptLines } }
        if (!(error instanceof Fault)) throw error
        moveTo(progress, 'waiting', error.message)
        await show()
        await sleep(pause_ms, undefined, { signal })
        if (performance.now() - looked > endsEvery_ms) {
          await lookAtEnds().catch(() => {})
          looked = performance.now()
        }
      }
    }
  }

  async function bring(partition: number, place: Place, batch: Batch): Promise<void> {
    signal.throwIfAborted()
    check()
    let answer: Taken = { accepted: 0, rejected: 0 }
    const planned = place.planned === undefined ? undefined : { unread: place.unread, skipped: place.skipped }
    if (batch.lines.length > 0) {
      progress.isAhead = true
      ahead ??= show(true)
      await ahead
      // The log may have an earlier batch under this key: until it answers, the plan of that one tells which messages were its lines.
      if (!planned) planBatch(place, batch)
      progress.serial++
      await note()
      answer = await taken(partition, place, batch)
      lastBatch = performance.now()
      came.batches++
      came.messages += batch.lines.length
      progress.brought = Date.now() * 1000
    }
    const { came: own, rest } = answer.before ? splitBatch(batch, planned, answer.before.keptLines) : { came: batch }
    if (answer.before)
      addNote(
        progress,
        `partition ${partition}: messages ${place.next} to ${own.end - 1} came by the definition before this one`,
      )
    for (const bad of own.bad) refuseBad(partition, bad)
    const { accepted, rejected, repeated = 0 } = answer
    progress.accepted += accepted
    progress.repeated += repeated
    progress.refused += rejected + own.bad.length
    progress.skipped += own.skipped.length
    counted('accepted', accepted)
    counted('refused', rejected + own.bad.length)
    counted('skipped', own.skipped.length)
    if (own.message !== undefined) place.message = own.message
    place.next = own.end
    forgetPlan(place)
    progress.serial++
    // A planned batch was read as its plan says; the round after this one reads the rest anew, by the definition of now.
    if (rest && !planned) await bring(partition, place, rest)
  }

  function refuseBad(partition: number, { offset, reason, value }: BadMessage): void {
    list(partition, offset, reason)
    refuse(`source ${name}, partition ${partition}, offset ${offset}: ${reason}`, value)
  }

  /** Whether the partition got further. */
  async function take({ partition, records, next, end }: Read): Promise<boolean> {
    const place = progress.partitions[partition]
    if (!place) return false
    place.end = end
    const before = place.next
    await read(partition, records, (batch) => bring(partition, place, batch))
    // Behind the last message there may be marks of transactions, and messages of those that were aborted.
    if (next > place.next) {
      place.next = next
      progress.serial++
    }
    await show()
    return place.next > before
  }

  /**
   * Brings the batch again that may be in the log: the messages up to its end, as one. Messages that could not be read then stay
   * out of it, also where they can be by now: the registry may have got their schema meanwhile. `place.next` comes to stand behind
   * the messages that the log has.
   */
  async function finish(partition: number, place: Place, planned: number): Promise<void> {
    const messages: KafkaRecord[] = []
    for (let at = place.next; at < planned; ) {
      let [next, end] = [at, planned]
      await topic.read(new Map([[partition, at]]), wait_ms, async (found) => {
        messages.push(...found.records.filter(({ offset }) => offset < planned))
        ;({ next, end } = found)
      })
      signal.throwIfAborted()
      if (next === at && end <= at) break
      at = next
    }
    const again = (batch: Batch) => bring(partition, place, { ...batch, end: planned })
    if (messages.length > 0) return await read(partition, messages, again, new Set(place.unread))
    place.next = planned
    forgetPlan(place)
    progress.serial++
  }

  async function lookAtEnds() {
    const ranges = await topic.ranges(places().map(([partition]) => partition))
    for (const [partition, place] of places()) place.end = ranges.get(partition)?.end ?? place.end
    progress.serial++
    return ranges
  }

  /** Partitions that are new have all of their messages still to come. */
  async function discover(): Promise<void> {
    const found = (await topic.partitions()).filter((partition) => !progress.partitions[partition])
    if (found.length === 0) return
    const ranges = await topic.ranges(found)
    for (const partition of found) {
      if (Object.keys(progress.partitions).length >= maxPartitions) {
        addNote(progress, `partition ${partition} is not read: a source reads ${maxPartitions} at most`)
        continue
      }
      const { first = 0, end = 0 } = ranges.get(partition) ?? {}
      progress.partitions[partition] = { next: first, end }
    }
    progress.serial++
  }

  /** Goes on with the earliest message that is left, where those before are gone; says so. */
  async function skipGone(): Promise<void> {
    const ranges = await lookAtEnds()
    for (const [partition, place] of places()) {
      const { first, end } = ranges.get(partition) ?? { first: place.next, end: place.next }
      if (place.next >= first && place.next <= end) continue
      if (place.next < first) {
        const lost = first - place.next
        progress.lost += lost
        counted('lost', lost)
        addNote(
          progress,
          `partition ${partition}: the topic deleted messages ${place.next} to ${first - 1} before they came`,
        )
      } else {
        place.epoch = (place.epoch ?? 0) + 1
        addNote(
          progress,
          `partition ${partition}: it ends at ${end}, before the offset ${place.next} that came last: the topic was made anew, and is read from its start`,
        )
      }
      place.next = first
      forgetPlan(place)
    }
    progress.serial++
    await show(true)
  }

  /** Whether any partition got further. */
  async function round(): Promise<boolean> {
    let isFurther = false
    came = { batches: 0, messages: 0 }
    await topic.read(new Map(places().map(([partition, { next }]) => [partition, next])), wait_ms, async (found) => {
      if (await take(found)) isFurther = true
    })
    return isFurther
  }

  async function atRest(): Promise<void> {
    if (!progress.isAhead || performance.now() - lastBatch < idle_ms) return
    progress.isAhead = false
    progress.serial++
    ahead = undefined
    await note()
    await show(true)
  }

  let discovered = Number.NEGATIVE_INFINITY
  for (;;) {
    signal.throwIfAborted()
    check()
    try {
      if (performance.now() - discovered > discoverEvery_ms) {
        await discover()
        discovered = performance.now()
      }
      for (const [partition, place] of places())
        if (place.planned !== undefined) await finish(partition, place, place.planned)
      const isFurther = await round()
      if (progress.state !== 'running') moveTo(progress, 'running')
      if (!isFurther) await atRest()
      await show()
      const { batches, messages } = came
      if (batches > 0 && messages < batches * fullBatch)
        await sleep(Math.min(longestLinger_ms, batches * linger_ms), undefined, { signal })
      // An open transaction, or a part of a log without records: the broker answers at once, and with nothing.
      if (!isFurther && places().some(([, place]) => place.next < place.end))
        await sleep(stuckPause_ms, undefined, { signal })
    } catch (error) {
      if (!isOutOfRange(error)) throw error
      await skipGone()
    }
  }
}
