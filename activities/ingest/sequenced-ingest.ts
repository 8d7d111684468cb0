import { createLineErrors, eachGroup, type Line, type LineErrors, lineText, reasonOf } from '../../base/each-line.ts'
import type { Event } from '../../base/json.ts'
import type { KeyedAnswer } from '../../infra/log/port.ts'
import type { TimeNotes } from '../events/event-time.ts'
import type { PlainLine } from '../events/plain/plain-lines.ts'
import type { TakeBatch } from '../registry/stream-ingest.ts'
import type { Outcome, StreamSequencer } from '../rules/sequencer/work.ts'
import { type BatchCounts, createBatchAccount, type KeyOfBatch, onceByKey } from './batch-account.ts'
import type { Stamped } from './batch-ingest.ts'
import { type Idempotency, idempotencyKey, nameOfEvent } from './idempotency.ts'

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

/** The path of an NDJSON body whose events rules observe: they take turns in the schema's sequencer, which brings them to the log. */
export function createSequencedIngest({ sequencer, idempotency, times, read, stamp }: SequencedIngestDeps): TakeBatch {
  const newRun = (): Run => ({ items: [], names: 0, claim: idempotency.claim() })

  async function takeBody(
    body: Buffer,
    key: KeyOfBatch | undefined,
    [onAcknowledged, refused, isOfPage]: Parameters<TakeBatch> extends [Buffer, string | undefined, ...infer Rest]
      ? Rest
      : never,
  ) {
    const account = createBatchAccount({ body, key, idempotency, times, refused: refused ?? (() => {}) })
    const { counts, errors, start } = account

    /** The errors of the batch once these items are in the log. */
    function errorsWith(items: readonly Item[]): LineErrors {
      const counted = createLineErrors(errors.counted())
      for (const { line, error } of items) if (error !== undefined) counted.add(line, error)
      return counted.counted()
    }

    /** Events that come one after the other, none of which was sent before. `items` are all lines up to there. */
    async function flush({ items: run, claim }: Run, items: readonly Item[]): Promise<void> {
      const last = run.at(-1)
      if (last === undefined) return
      let rows = 0
      let latest = 0
      let note: readonly KeyedAnswer[] = []
      let now: BatchCounts = counts
      const next = { number: last.line.number + 1, start: Math.min(body.length, last.line.end + 1) }
      const answers = (outcomes: readonly Outcome<Stamped>[]): KeyedAnswer[] => {
        let seq = 0
        rows = 0
        now = { ...counts }
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
          now.accepted++
          if (oddity) now[oddity]++
          if (item.name !== undefined) claim.add(item.name, answer, seq)
        }
        const keyed = claim.answers().filter(({ seq: place }) => place > 0)
        note = account.progress(next, seq, { counts: now, listed: errorsWith(items) })
        return [...keyed, ...note]
      }
      const work = {
        events: run.flatMap(({ event }) => (event ? [event] : [])),
        plain: run.map((item) => item.plain),
        bytes: last.line.end - (run[0]?.line.start ?? 0),
        stamp: (event: Event) => stamp(event, isOfPage ?? false),
        answers,
      }
      await account.bring(claim, async () => {
        const outcomes = await sequencer.take<Stamped>(work)
        for (const [index, item] of run.entries()) item.error = outcomes[index]?.error
      })
      Object.assign(counts, now)
      account.reached(next, note)
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
            counts.accepted++
            counts.repeated++
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
    try {
      await eachGroup(body, { read: readItem, prepare, take, groupOf: sequencer.groupOf }, start, errors)
    } finally {
      sequencer.plain?.release()
    }
    return { answer: account.answer(), refused: errors.counted().rejected }
  }

  return async (body, keyOfRequest, ...rest) => {
    if (keyOfRequest === undefined) return takeBody(body, undefined, rest)
    return onceByKey(idempotency, body, keyOfRequest, (key) => takeBody(body, key, rest))
  }
}
