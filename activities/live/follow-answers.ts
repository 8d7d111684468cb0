import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault, fault } from '../../base/faults.ts'
import type { Statement } from '../../sql/query/index.ts'
import type { LiveStream } from './follow-events.ts'
import type { Client, Readers } from './readers.ts'
import { createSharedAnswers } from './shared-answers.ts'

export type FollowAnswersDeps = { readonly readers: Readers }

export type AnswersRequest = {
  /** Requests of one text ask the same, of the same things, with the same rights. */
  readonly subject: string
  /** Asks the query; the answer is JSON text in one line. */
  readonly ask: () => Promise<string>
  /** The part of an answer that differs only where the data have changed; the whole where it is absent. */
  readonly comparable?: (answer: string) => string
  /** The text of a refusal, as other calls would answer with it. */
  readonly refusalOf: (error: unknown) => string
  readonly client: Client
}

/** From one answer to the next question. */
const pause_ms = 1_000
/** After a question that could not be answered now: the pauses grow up to the longest. */
const longestPause_ms = 10_000
const beat_ms = 10_000

/** A part behind the service is away, or busy, or slow: a repeat may be answered. */
const passing: ReadonlySet<string> = new Set(['limited', 'too many', 'unavailable', 'late'])

/**
 * Sends the answer to a query, and sends it again whenever it has changed. Between two questions a reader holds a hash of it
 * alone. Readers of one subject share their questions, but for each one's first: that one has all that was acknowledged when
 * its reader came.
 */
export function createFollowAnswers({ readers }: FollowAnswersDeps) {
  const shared = createSharedAnswers(pause_ms)
  return async (request: AnswersRequest): Promise<LiveStream> => {
    const { subject, ask, comparable = (answer) => answer, refusalOf, client } = request
    const { signal, leave } = readers.enter(client)
    let sent = ''
    let isOver = false
    let failures = 0
    let sent_ms = performance.now()
    const wait = (length_ms: number) => sleep(length_ms, undefined, { ref: false, signal }).catch(() => {})

    function changed(answer: string): Buffer | undefined {
      const now = createHash('sha256').update(comparable(answer)).digest('base64')
      if (now === sent) return undefined
      sent = now
      sent_ms = performance.now()
      return Buffer.from(`event: answer\ndata: ${answer}\n\n`)
    }

    async function askAgain(): Promise<Buffer | undefined> {
      try {
        const answer = changed(await shared.again(subject, ask))
        failures = 0
        return answer
      } catch (error) {
        const kind = error instanceof Fault ? error.kind : undefined
        if (signal.aborted || kind === 'abandoned') return undefined
        failures++
        if (kind !== undefined && passing.has(kind)) return undefined
        isOver = true
        return Buffer.from(`event: error\ndata: ${refusalOf(error)}\n\n`)
      }
    }

    async function next(): Promise<Buffer | undefined> {
      while (!signal.aborted && !isOver) {
        await wait(Math.min(longestPause_ms, pause_ms * 2 ** failures))
        if (signal.aborted) return undefined
        const answer = await askAgain()
        if (answer) return answer
        if (performance.now() - sent_ms < beat_ms) continue
        sent_ms = performance.now()
        return Buffer.from(':\n\n')
      }
      return undefined
    }

    try {
      // Where it cannot be answered at all the refusal is that of the call.
      let first = changed(await shared.ask(subject, ask))
      return {
        leave,
        async next() {
          const bytes = first
          first = undefined
          return bytes ?? next()
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  }
}

const isQuestion = ({ kind }: Statement): boolean => ['rows', 'count', 'aggregate', 'usage'].includes(kind)

/**
 * An answer of a statement without the members that differ each time it is asked for: its cursor, and the time of the
 * question. Throws a fault `invalid` for a statement that cannot be followed.
 */
export function comparableTo(statement: Statement): (answer: string) => string {
  if (!isQuestion(statement)) {
    throw fault(
      'invalid',
      `${statement.kind} changes something, and cannot be followed: leave Accept: text/event-stream out`,
    )
  }
  const isOfNow = statement.kind === 'aggregate' && statement.rollup === 1 && statement.groupBy === undefined
  return (answer) => {
    const withoutCursor = answer.replace(/"(?:sec_buf|cursor)":"[^"]*"/, '')
    if (statement.kind === 'usage') return withoutCursor.replace(/"k":\d+|\\"tots\\":\d+|"to":\d+/g, '')
    return isOfNow ? withoutCursor.replace(/"k":\d+/, '') : withoutCursor
  }
}
