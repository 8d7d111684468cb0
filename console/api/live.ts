/** Server-sent events over fetch: unlike EventSource it sends a body, tells a refusal, and goes on from where it is told. */
import { type Asked, addressOf, type CallName, ownHeaders, Refusal, refusalOf } from './client.ts'
import { answered, isThere, notReached } from './connection.ts'
import { createEventParser, type LiveEvent } from './event-parser.ts'
import { parseJson } from './json.ts'

export type { LiveEvent }

export type Follower = {
  /** All events that have come together. */
  events(events: readonly LiveEvent[]): void
  /** The stream is open, or lost and tried again. */
  state?(state: 'open' | 'lost'): void
  /** The service will not answer; nothing follows. */
  refused(refusal: Refusal): void
}

const firstPause_ms = 500
const longestPause_ms = 5000

/**
 * Follows a live call until `signal` is aborted: a stream that breaks off goes on behind the last event that was handed
 * over, so that none is left out and none comes twice.
 */
export async function follow(
  name: CallName,
  asked: Asked & { readonly signal: AbortSignal; readonly after?: string },
  follower: Follower,
): Promise<void> {
  const { signal } = asked
  let last = asked.after
  let pause_ms = firstPause_ms
  while (!signal.aborted) {
    try {
      const response = await open(name, asked, last)
      pause_ms = firstPause_ms
      follower.state?.('open')
      await readEvents(response, (events) => {
        last = events.findLast(({ id }) => id !== '')?.id ?? last
        follower.events(events)
      })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal && error.status !== 503 && error.status !== 429) {
        follower.refused(error)
        return
      }
      if (!(error instanceof Refusal)) notReached()
    }
    if (signal.aborted) return
    follower.state?.('lost')
    await pause(pause_ms, signal)
    pause_ms = Math.min(longestPause_ms, pause_ms * 2)
    await isThere(signal)
  }
}

/** The refusal in an event `error`, which ends what is followed. */
export function refusalIn(data: string): Refusal {
  const body = parseJson(data)
  const reasons =
    typeof body === 'object' && body !== null && 'error' in body && Array.isArray(body.error) ? body.error : [data]
  return new Refusal(400, reasons.map(String), body)
}

async function open(name: CallName, asked: Asked, last: string | undefined): Promise<Response> {
  const [method = 'GET'] = name.split(' ', 1)
  const { body, signal } = asked
  // `last` says where a first stream begins: a stream that goes on begins behind its last event.
  const query = last === undefined ? asked.query : { ...asked.query, last: undefined, after: undefined }
  const response = await fetch(addressOf(name, { ...asked, ...(query && { query }) }), {
    method,
    headers: {
      ...ownHeaders,
      Accept: 'text/event-stream',
      ...(last !== undefined && { 'Last-Event-ID': last }),
      ...(body !== undefined && typeof body !== 'string' && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    cache: 'no-store',
  })
  answered(response.status)
  if (!response.ok) throw await refusalOf(response)
  return response
}

async function readEvents(response: Response, hand: (events: readonly LiveEvent[]) => void): Promise<void> {
  if (!response.body) return
  const parse = createEventParser()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const events = parse(value)
    if (events.length > 0) hand(events)
  }
}

const pause = (length_ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(finish, length_ms)
    signal.addEventListener('abort', finish)
    function finish(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
  })
