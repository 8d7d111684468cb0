import { fault } from '../../base/faults.ts'

/** An answer that all who ask the same may have, or one too long for that, which is read once, by one of them. */
export type SharedAnswer = { readonly kind: 'whole'; readonly bytes: number } | { readonly kind: 'stream' }

type Entry<Answer> = {
  /** Of all that was acknowledged when the question was asked. */
  readonly mark: string
  readonly ending: AbortController
  readonly answer: Promise<Answer>
  waiting: number
  bytes: number
  answered_ms?: number
  isTaken: boolean
}

export type Asking<Answer> = {
  /** Requests of one subject ask the same. */
  readonly subject: string
  /** Another text where more was acknowledged. */
  readonly mark: string
  /** An answer of less than so many milliseconds ago serves; 0 for none. */
  readonly fresh_ms: number
  readonly client: AbortSignal
  /** The signal is aborted once no request waits for the answer any more. */
  readonly ask: (signal: AbortSignal) => Promise<Answer>
}

export type Shared<Answer> = { readonly answer: Answer; readonly age_ms: number }

/**
 * Asks once what is asked at once. A request joins a question that is under way where nothing was acknowledged since that
 * question was asked, so that each answer has the events before its request. A request whose answer may be `fresh_ms` old
 * joins any question, and gets an answer of before. Such answers take `maxBytes` of memory at most; the ones that no request
 * asked for the longest go first.
 */
export function createSharedQuestions<Answer extends SharedAnswer>(
  maxBytes: number,
  now_ms: () => number = () => performance.now(),
) {
  const entries = new Map<string, Entry<Answer>>()
  let held = 0

  function forget(subject: string, entry: Entry<Answer>): void {
    if (entries.get(subject) !== entry) return
    entries.delete(subject)
    held -= entry.bytes
  }

  function hold(subject: string, entry: Entry<Answer>, bytes: number, fresh_ms: number): void {
    entry.bytes = bytes
    held += bytes
    setTimeout(() => forget(subject, entry), fresh_ms).unref()
    for (const [oldest, other] of entries) {
      if (held <= maxBytes) return
      if (other.answered_ms !== undefined) forget(oldest, other)
    }
  }

  function begin({ subject, mark, fresh_ms, ask }: Asking<Answer>): Entry<Answer> {
    const before = entries.get(subject)
    if (before) forget(subject, before)
    const ending = new AbortController()
    const entry: Entry<Answer> = { mark, ending, answer: ask(ending.signal), waiting: 0, bytes: 0, isTaken: false }
    entries.set(subject, entry)
    const settled = (answer?: Answer): void => {
      if (entries.get(subject) !== entry) return
      entry.answered_ms = now_ms()
      if (fresh_ms > 0 && answer?.kind === 'whole') hold(subject, entry, answer.bytes, fresh_ms)
      else forget(subject, entry)
    }
    entry.answer.then(settled, () => settled())
    return entry
  }

  /** The question whose answer serves this request, if there is one. */
  function joined({ subject, mark, fresh_ms }: Asking<Answer>): Entry<Answer> | undefined {
    const known = entries.get(subject)
    if (!known || known.ending.signal.aborted) return undefined
    const { answered_ms } = known
    if (answered_ms !== undefined) return fresh_ms > 0 && now_ms() - answered_ms < fresh_ms ? known : undefined
    return fresh_ms > 0 || known.mark === mark ? known : undefined
  }

  async function ask(asking: Asking<Answer>): Promise<Shared<Answer>> {
    const known = joined(asking)
    const entry = known ?? begin(asking)
    if (known) {
      // The latest use counts where answers go.
      entries.delete(asking.subject)
      entries.set(asking.subject, known)
    }
    entry.waiting++
    let isWaiting = true
    const leave = (): void => {
      if (isWaiting && --entry.waiting === 0) entry.ending.abort()
      isWaiting = false
    }
    const { client } = asking
    client.addEventListener('abort', leave)
    if (client.aborted) leave()
    const answer = await entry.answer.catch((error: unknown) => {
      client.removeEventListener('abort', leave)
      throw error
    })
    if (client.aborted) throw fault('abandoned', 'the client has gone')
    if (answer.kind === 'whole') {
      client.removeEventListener('abort', leave)
      const age_ms = entry.answered_ms === undefined ? 0 : now_ms() - entry.answered_ms
      return { answer, age_ms }
    }
    if (!entry.isTaken) {
      // The one that reads it: the question ends with its client.
      entry.isTaken = true
      return { answer, age_ms: 0 }
    }
    client.removeEventListener('abort', leave)
    leave()
    return { answer: await asking.ask(client), age_ms: 0 }
  }

  return { ask, bytes: (): number => held }
}

export type SharedQuestions<Answer extends SharedAnswer> = ReturnType<typeof createSharedQuestions<Answer>>
