import { goOverLines, type Line, lineText } from '../../base/each-line.ts'
import type { Event } from '../../base/json.ts'
import type { TimeNotes } from '../events/event-time.ts'
import type { OnAcknowledged, TakeBatch } from '../registry/stream-ingest.ts'
import { createBatchAccount, type KeyOfBatch, onceByKey } from './batch-account.ts'
import { type Idempotency, idempotencyKey, nameOfEvent } from './idempotency.ts'
import type { OpenParts } from './part.ts'

export type BatchIngestDeps = {
  readonly idempotency: Idempotency
  readonly times: Pick<TimeNotes, 'ofLines'>
  readonly read: (text: string) => Event
  readonly openParts: OpenParts
}

/**
 * The path of an NDJSON body to the log. It goes in parts, each of which is safe before the next is made, so that the
 * lines made of a body need no more room than a part. A batch with a key leaves a note of how far it came with each part:
 * a repeat of a batch that was cut off goes on from there.
 */
export function createBatchIngest({ idempotency, times, read, openParts }: BatchIngestDeps): TakeBatch {
  async function take(
    body: Buffer,
    key: KeyOfBatch | undefined,
    onAcknowledged: OnAcknowledged,
    refused: (line: Line, reason: string) => void,
    isOfPage: boolean,
  ) {
    const account = createBatchAccount({ body, key, idempotency, times, refused })
    const { start, errors } = account
    const parts = openParts({ body, at: start.at, isOfPage, refuse: errors.add })
    let part = parts.begin()
    let isBroken = false

    /** Brings the lines before `next` to the log. */
    async function flush(next: Pick<Line, 'number' | 'start'>, isLast = false): Promise<void> {
      if (part.isEmpty()) return
      isBroken = true
      const { rows, last } = await account.bring(part, next, isLast)
      isBroken = false
      part = parts.begin()
      if (rows > 0) onAcknowledged(rows, last)
    }

    /** Whether an event of that name was accepted before, or is by then. No key of ours is waited for meanwhile. */
    async function isRepeat(name: string, line: Line): Promise<boolean> {
      for (;;) {
        const first = idempotency.first(name)
        if (first === undefined) return false
        if (typeof first === 'string') return true
        await flush(line)
        // An event that was refused has an empty answer.
        if ((await first.catch(() => '')) !== '') return true
      }
    }

    function takeNamed(line: Line, event: Event, name: string): void | Promise<void> {
      // An event of this part whose turn has not come has an empty answer as yet.
      if (part.claim.answer(name)) return account.repeated()
      if (idempotency.first(name) === undefined) return part.add(line, event, name)
      return isRepeat(name, line).then((isSo) =>
        // Another batch that waited as well may have claimed it since.
        isSo ? account.repeated() : takeNamed(line, event, name),
      )
    }

    function takeLine(line: Line): void | Promise<void> {
      if (part.addPlain(line)) return
      const event = read(lineText(body, line.start, line.end))
      const key = idempotencyKey(event._id, '_id')
      return key === undefined ? part.add(line, event, undefined) : takeNamed(line, event, nameOfEvent(key))
    }

    try {
      await goOverLines(body, start, {
        take: (line) => (part.isFull() ? flush(line).then(() => takeLine(line)) : takeLine(line)),
        refuse(line, error) {
          // A part that cannot go to the log is no fault of the line behind it.
          if (isBroken) throw error
          part.refuse(line, error)
        },
      })
      await flush({ number: Number.MAX_SAFE_INTEGER, start: body.length }, true)
      return { answer: account.answer(), refused: errors.counted().rejected }
    } catch (error) {
      part.claim.fail(error)
      throw error
    } finally {
      parts.close()
    }
  }

  return async (body, keyOfRequest, onAcknowledged, refused = () => {}, isOfPage = false) => {
    if (keyOfRequest === undefined) return take(body, undefined, onAcknowledged, refused, isOfPage)
    return onceByKey(idempotency, body, keyOfRequest, (key) => take(body, key, onAcknowledged, refused, isOfPage))
  }
}
