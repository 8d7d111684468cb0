import { crc32 } from 'node:zlib'
import { createLineErrors, eachGroup, type Line, linesAnswer, lineText, reasonOf } from '../../base/each-line.ts'
import type { Event } from '../../base/json.ts'
import type { KeyedAnswer } from '../../infra/log/port.ts'
import type { OddTimes, TimeNotes } from '../events/event-time.ts'
import type { PlainLine } from '../events/plain/plain-lines.ts'
import type { TakeBatch } from '../registry/stream-ingest.ts'
import { createGathering } from '../rules/sequencer/gathering.ts'
import type { Outcome, StreamSequencer } from '../rules/sequencer/sequencer.ts'
import { checkRepeat, cutOff, type KeyOfBatch, onceByKey, type Stamped, whereRoom } from './batch-ingest.ts'
import {
  answerTo,
  answerWithHash,
  type Idempotency,
  idempotencyKey,
  type NamedKey,
  nameOfEvent,
  type Progress,
  progressText,
} from './idempotency.ts'

export type SequencedIngestDeps = {
  readonly sequencer: StreamSequencer
  readonly idempotency: Idempotency
  readonly times: TimeNotes
  readonly read: (text: string) => Event
  readonly stamp: (event: Event, isOfPage: boolean) => Stamped
}

/** A line of a batch, and the reason where it is refused. */
type Item = {
  readonly line: Line
  readonly event?: Event
  readonly plain?: PlainLine
  /** The name of its idempotency key. */
  readonly name?: string
  error?: unknown
}

/** Events that go to the log together, and the claim of their keys. */
type Run = { readonly items: Item[]; names: number; readonly claim: ReturnType<Idempotency['claim']> }

/** Keys of events that the log keeps at once. */
const maxNames = 2_000

/** The path of events that rules observe: they take their turn in the schema's sequencer, which brings them to the log. */
export function createSequencedIngest({ sequencer, idempotency, times, read, stamp }: SequencedIngestDeps) {
  const gathering = sequencer.isGathered ? createGathering(sequencer, (event) => stamp(event, false)) : undefined

  /** One event, with the names of the keys that it bears: one that was answered before has the first answer. */
  async function one(
    { event, plain }: { readonly event: Event; readonly plain?: PlainLine },
    bytes: number,
    names: readonly NamedKey[],
    isOfPage: boolean,
  ): Promise<string> {
    if (gathering && names.length === 0 && !isOfPage) return (await gathering(event, plain, bytes)).answer
    for (const { name, hash } of names) {
      const first = idempotency.first(name)
      if (first !== undefined) return answerTo(await first, hash)
    }
    const claim = idempotency.claim()
    for (const { name } of names) claim.add(name, '', 0)
    let answer = ''
    await claim.settle(async () => {
      const [outcome] = await sequencer.take<Stamped>({
        events: [event],
        ...(plain && { plain: [plain] }),
        bytes,
        stamp: (each) => stamp(each, isOfPage),
        answers([taken]) {
          if (!taken?.stamped) return []
          answer = taken.stamped.answer
          for (const { name, hash } of names) claim.add(name, answerWithHash(answer, hash), taken.stamped.seq)
          return claim.answers()
        },
      })
      if (outcome?.stamped === undefined) throw outcome?.error
      answer = outcome.stamped.answer
    })
    return answer
  }

  const newRun = (): Run => ({ items: [], names: 0, claim: idempotency.claim() })

  async function takeBody(
    body: Buffer,
    key: KeyOfBatch | undefined,
    [onAcknowledged, refused, isOfPage]: Parameters<TakeBatch> extends [Buffer, string | undefined, ...infer Rest]
      ? Rest
      : never,
  ) {
    const { name, hash } = key ?? {}
    const begun = name === undefined ? undefined : idempotency.progress(name)
    if (begun) checkRepeat(body, hash, begun)
    const errors = createLineErrors(begun, refused)
    let odd = { late: begun?.late ?? 0, ahead: begun?.ahead ?? 0 }
    let { accepted, checksum, bytes: checked, lines: acknowledged } = begun ?? nothing
    let repeated = begun?.repeated ?? 0
    let before = begun === undefined ? undefined : progressText(begun)

    /** How far the batch is once these items are kept. */
    function progressTo(last: Item, items: readonly Item[], nowAccepted: number, nowOdd: OddTimes): string {
      const there = Math.min(body.length, last.line.end + 1)
      checksum = crc32(body.subarray(checked, there), checksum)
      checked = there
      const counted = createLineErrors(errors.counted())
      for (const { line, error } of items) if (error !== undefined) counted.add(line, error)
      return progressText({
        ...counted.counted(),
        lines: last.line.number,
        bytes: checked,
        accepted: nowAccepted,
        checksum,
        ...nowOdd,
        ...(repeated > 0 && { repeated }),
        ...(hash !== undefined && { hash }),
      })
    }

    /** Events that come one after the other, none of which was sent before. `items` are all lines up to there. */
    async function flush({ items: run, claim }: Run, items: readonly Item[]): Promise<void> {
      const last = run.at(-1)
      if (last === undefined) return
      let rows = 0
      let latest = 0
      let progress = before
      let nowOdd = odd
      const answers = (outcomes: readonly Outcome<Stamped>[]): KeyedAnswer[] => {
        let seq = 0
        rows = 0
        nowOdd = { ...odd }
        for (const [index, item] of run.entries()) {
          const outcome = outcomes[index]
          if (outcome?.stamped === undefined) {
            item.error = outcome?.error
            continue
          }
          const { odd: oddity, answer } = outcome.stamped
          seq = outcome.stamped.seq
          latest = seq
          rows++
          if (oddity) nowOdd[oddity]++
          if (item.name !== undefined) claim.add(item.name, answer, seq)
        }
        const keyed = claim.answers().filter(({ seq: place }) => place > 0)
        if (name === undefined) return keyed
        progress = progressTo(last, items, accepted + rows, nowOdd)
        keyed.push({ key: name, answer: progress, seq, request: { before, isMore: true } })
        return keyed
      }
      try {
        await claim.settle(async () => {
          const events = run.flatMap(({ event }) => (event ? [event] : []))
          const plain = run.map((item) => item.plain)
          const first = run[0]?.line.start ?? 0
          const work = {
            events,
            plain,
            bytes: last.line.end - first,
            stamp: (event: Event) => stamp(event, isOfPage ?? false),
            answers,
          }
          const outcomes = await whereRoom(() => sequencer.take<Stamped>(work), acknowledged > 0)
          for (const [index, item] of run.entries()) item.error = outcomes[index]?.error
        })
      } catch (error) {
        throw acknowledged > 0 ? cutOff(error, acknowledged, name !== undefined) : error
      }
      accepted += rows
      odd = nowOdd
      before = progress
      acknowledged = last.line.number
      if (rows > 0) onAcknowledged(rows, latest)
    }

    /** A key that was sent before, in this batch or in another request, is accepted once. */
    async function prepare(items: readonly Item[]): Promise<void> {
      let run = newRun()
      const flushTo = async (end: number): Promise<void> => {
        const full = run
        run = newRun()
        await flush(full, items.slice(0, end))
      }
      /** Claims a key for the run; true where its event was kept before. The run is kept before another is waited for. */
      const isRepeat = async (name: string, index: number): Promise<boolean> => {
        for (;;) {
          const first = idempotency.first(name)
          if (typeof first === 'string') return true
          if (first === undefined) {
            run.claim.add(name, '', 0)
            return false
          }
          await flushTo(index)
          // An event that was refused has an empty answer.
          if ((await first.catch(() => '')) !== '') return true
        }
      }
      try {
        for (const [index, item] of items.entries()) {
          if (item.event === undefined) continue
          if (item.name !== undefined && (await isRepeat(item.name, index))) {
            accepted++
            repeated++
            continue
          }
          run.items.push(item)
          if (item.name !== undefined) run.names++
          if (sequencer.isOneByOne || run.names >= maxNames) await flushTo(index + 1)
        }
        await flushTo(items.length)
      } catch (error) {
        run.claim.fail(error)
        throw error
      }
    }

    const readItem = (line: Line): Item => {
      try {
        const plain = sequencer.plain?.read(body, line.start, line.end)
        if (plain) return { line, event: plain.event, plain }
        const event = read(lineText(body, line.start, line.end))
        const key = idempotencyKey(event._id, '_id')
        return { line, event, ...(key !== undefined && { name: nameOfEvent(key) }) }
      } catch (error) {
        void reasonOf(error)
        return { line, error }
      }
    }
    const take = ({ error }: Item): void => {
      if (error !== undefined) throw error
    }
    const start = { number: (begun?.lines ?? 0) + 1, at: begun?.bytes ?? 0 }
    try {
      await eachGroup(body, { read: readItem, prepare, take, groupOf: sequencer.groupOf }, start, errors)
    } finally {
      sequencer.plain?.release()
    }
    const counted = errors.counted()
    return {
      answer: JSON.stringify(linesAnswer(accepted, counted, times.ofLines(odd), repeated)),
      refused: counted.rejected,
    }
  }

  const batch: TakeBatch = async (body, keyOfRequest, ...rest) => {
    if (keyOfRequest === undefined) return takeBody(body, undefined, rest)
    return onceByKey(idempotency, body, keyOfRequest, (key) => takeBody(body, key, rest))
  }

  return { one, batch }
}

const nothing: Pick<Progress, 'lines' | 'bytes' | 'accepted' | 'checksum'> = {
  lines: 0,
  bytes: 0,
  accepted: 0,
  checksum: 0,
}
