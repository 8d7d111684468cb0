import { createHash } from 'node:crypto'
import { deferred } from '../../base/deferred.ts'
import type { LineErrors } from '../../base/each-line.ts'
import { type Fault, type FaultDetails, fault } from '../../base/faults.ts'
import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import type { EventLog, KeyedAnswer } from '../../infra/log/port.ts'
import { longestKey } from '../events/sender-key.ts'
import { shown } from '../events/values.ts'

/** A client's key: text, or a number that stands for its text. */
export function idempotencyKey(value: Json | undefined, what: string): string | undefined {
  if (value === undefined || value === null) return undefined
  const key = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof key === 'string' && key.length > 0 && key.length <= longestKey) return key
  throw new Refusal(`${what}: expected a text of 1 to ${longestKey} characters, got ${shown(value)}`)
}

/** No header can hold it, and where an event's `_id` begins with it, its name begins with two. */
const mark = '\u0000'
const batchMark = `${mark}batch:`

/**
 * The name under which the log keeps a key. Keys of events are one kind, the header of a request with one event and the
 * `_id` of an event alike; keys of batches are another: a batch may be called after an event of its own.
 */
export const nameOfEvent = (key: string): string => (key.startsWith(mark) ? mark + key : key)
export const nameOfBatch = (key: string): string => batchMark + key

/** An answer that is kept for a header's key begins with this and a hash of the request's body: answers are JSON objects. */
const hashMark = '#'
const hashLength = 22
/** So much is hashed in one turn of the event loop. */
const hashedAtOnce = 4 * 1024 * 1024

/** Of a body's bytes, unpacked. */
export async function hashOf(body: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < body.length; at += hashedAtOnce) {
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    hash.update(body.subarray(at, at + hashedAtOnce))
  }
  return hash.digest('base64url').slice(0, hashLength)
}

/** The answer as it is kept; that of a refused event, which is empty, and one without a body's hash stay as they are. */
export const answerWithHash = (answer: string, hash: string | undefined): string =>
  answer === '' || hash === undefined ? answer : `${hashMark}${hash}${answer}`

/** The inverse; fault `reused` where the request has another body than the first. Answers of earlier releases have no hash. */
export function answerTo(kept: string, hash: string | undefined): string {
  if (!kept.startsWith(hashMark)) return kept
  const begins = hashMark.length + hashLength
  if (hash !== undefined && kept.slice(hashMark.length, begins) !== hash) throw otherBody()
  return kept.slice(begins)
}

export const otherBody = (more = '', details: FaultDetails = {}): Fault =>
  fault(
    'reused',
    `this Idempotency-Key was used for a request with another body within 24 hours; nothing is kept of this one${more}`,
    details,
  )

/** The name of an event's key; with the hash of its request's body where the header has it. */
export type NamedKey = { readonly name: string; readonly hash?: string }

/** How far a batch that has a key and is larger than one append has come: its first `lines` lines, `bytes` long. */
export type Progress = LineErrors & {
  readonly lines: number
  readonly bytes: number
  readonly accepted: number
  /** Of those: how many are older than the stream's window, and how many far ahead. Absent in notes of earlier releases. */
  readonly late?: number
  readonly ahead?: number
  /** How many of these events had an `_id` that a stored event has. */
  readonly repeated?: number
  /** The hash of the whole body. Absent in notes of earlier releases. */
  readonly hash?: string
  /** The checksum of those `bytes` bytes. */
  readonly checksum: number
}

const progressMark = '{"lines":'
export const progressText = ({ lines, ...rest }: Progress): string => JSON.stringify({ lines, ...rest })

/**
 * Takes events and batches of the same key once: the first answer is repeated, also to requests that come while the
 * first is still under way. A refusal is not remembered.
 */
export function createIdempotency(queue: string, log: Pick<EventLog, 'answered'>) {
  const underWay = new Map<string, Promise<string>>()

  function answered(name: string): string | undefined {
    const answer = log.answered(queue, name)
    return answer?.startsWith(progressMark) ? undefined : answer
  }

  return {
    /** The kept answer to the first request with a key of this name, or its promise; undefined where this is the first. */
    first: (name: string): Promise<string> | string | undefined => underWay.get(name) ?? answered(name),

    /** How far the first request with a batch's key came, where it was cut off; its repeat goes on from there. */
    progress(name: string): Progress | undefined {
      const answer = log.answered(queue, name)
      return answer?.startsWith(progressMark) ? (JSON.parse(answer) as Progress) : undefined
    },

    /** Claims keys, by their names, for one append, which has to run in `settle`; without an append `fail` ends the claim. */
    claim() {
      const keyed = new Map<string, { answer: string; seq: number; coming: Promise<string> }>()
      const { promise: done, resolve, reject } = deferred()

      /** Another request that has claimed a key meanwhile keeps it. */
      function giveUp(): void {
        for (const [key, { coming }] of keyed) if (underWay.get(key) === coming) underWay.delete(key)
      }

      function coming(key: string, answer: string): Promise<string> {
        const promise = done.then(() => keyed.get(key)?.answer ?? answer)
        promise.catch(() => {})
        underWay.set(key, promise)
        return promise
      }

      return {
        /** The answer to a key that this append claimed. */
        answer: (key: string): string | undefined => keyed.get(key)?.answer,
        /** The event of that `_seq` bears the key; claimed again, it is another that does. */
        add(key: string, answer: string, seq: number): void {
          keyed.set(key, { answer, seq, coming: keyed.get(key)?.coming ?? coming(key, answer) })
        },
        answers: (): KeyedAnswer[] => [...keyed].map(([key, { answer, seq }]) => ({ key, answer, seq })),
        async settle<Result>(work: () => Promise<Result>): Promise<Result> {
          try {
            const result = await work()
            resolve()
            return result
          } catch (error) {
            reject(error)
            throw error
          } finally {
            giveUp()
          }
        },
        /** Ends the claims where no append comes of them. */
        fail(error: unknown): void {
          reject(error)
          giveUp()
        },
      }
    },
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>
