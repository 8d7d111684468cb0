import { WeirError } from './errors.ts'
import { gather } from './gather.ts'
import { writeJson } from './json.ts'
import { randomKey } from './random-key.ts'
import type { Call, Requests, Wait } from './requests.ts'

/** An event that was kept; `notes` name members that Weir passed over. */
export type Taken = { readonly _pk: number | bigint; readonly notes: readonly string[] }

export type SendManyOptions = Wait & {
  /** A batch is sent once it has so many bytes; 1,000,000. */
  readonly maxBytes?: number
  /** A batch is sent once its first event has waited this many milliseconds; 200. */
  readonly flushMs?: number
  /** Bodies are packed: true but where Weir runs on the same machine. */
  readonly gzip?: boolean
  /** How long a batch is tried again while Weir cannot take it; ten minutes. */
  readonly patience_ms?: number
  /** Told after each batch. */
  readonly onProgress?: (sent: Sent) => void
}

/** An event that Weir refused: its place among the events that were given, from 0. */
export type RefusedEvent = { readonly index: number; readonly error: string; readonly event: unknown }

/** So far, or in the end. `rejected` counts all that were refused; `refused` names at most 100 of each batch, and the first 1,000 in all. */
export type Sent = {
  readonly accepted: number
  readonly repeated: number
  readonly rejected: number
  readonly refused: readonly RefusedEvent[]
  readonly bytes: number
  readonly batches: number
}

type LinesTaken = {
  readonly accepted?: number
  readonly rejected?: number
  readonly repeated?: number
  readonly errors?: readonly { readonly line: number; readonly error: string }[]
}

/** Lines that are sent together. `first`: the number of the first one, from 0. */
export type Batch = {
  readonly first: number
  readonly bytes: number
  readonly body: () => string | Uint8Array<ArrayBuffer>
  readonly eventAt: (line: number) => unknown
  /** The lines as two batches; undefined where there is one alone. */
  readonly halves: () => readonly Batch[] | undefined
}

const maxLines = 10_000
const maxRefused = 1_000

/** Sends one event; tried again under one key, so that it is counted once. */
export async function send(
  requests: Requests,
  path: readonly string[],
  event: unknown,
  { signal, id }: Wait & { readonly id?: string | undefined },
): Promise<Taken> {
  const answer = await requests.json<{ _pk: number | bigint; error?: string[] }>({
    method: 'POST',
    path,
    json: event,
    headers: { 'idempotency-key': id ?? randomKey() },
    isRepeatable: true,
    signal,
  })
  return { _pk: answer._pk, notes: answer.error ?? [] }
}

export const sendMany = (
  requests: Requests,
  path: readonly string[],
  events: Iterable<unknown> | AsyncIterable<unknown>,
  options: SendManyOptions = {},
): Promise<Sent> => sendBatches(requests, path, (signal) => batchesOf(events, options, signal), options)

/**
 * Sends events in batches, in their order, each under a key of its own: one that is sent again after a cut is counted
 * once. While a batch is on its way the next one is gathered, and no more is taken than that. A batch that is larger than
 * the service takes is sent as two. One that fails ends the call at once, also while no other batch comes.
 */
export async function sendBatches(
  requests: Pick<Requests, 'base' | 'json'>,
  path: readonly string[],
  batchesOf: (signal: AbortSignal) => AsyncIterable<Batch>,
  options: Pick<SendManyOptions, 'signal' | 'onProgress' | 'patience_ms' | 'gzip'> & Pick<Call, 'onWait'>,
): Promise<Sent> {
  const { signal, onProgress, onWait, patience_ms = 600_000 } = options
  const gzip = options.gzip ?? !/\/\/(localhost|127\.|\[::1\])/.test(requests.base)
  let sent: Sent = { accepted: 0, repeated: 0, rejected: 0, refused: [], bytes: 0, batches: 0 }

  async function post({ first, bytes, body, eventAt, halves }: Batch): Promise<void> {
    const answer = await linesTaken(body()).catch(async (error: unknown) => {
      const parts = error instanceof WeirError && error.status === 413 ? halves() : undefined
      if (parts === undefined) throw error
      for (const part of parts) await post(part)
    })
    if (answer === undefined) return
    const refused = (answer.errors ?? []).slice(0, maxRefused - sent.refused.length).map(({ line, error }) => ({
      index: first + line - 1,
      error,
      event: eventAt(line - 1),
    }))
    sent = {
      accepted: sent.accepted + (answer.accepted ?? 0),
      repeated: sent.repeated + (answer.repeated ?? 0),
      rejected: sent.rejected + (answer.rejected ?? 0),
      refused: [...sent.refused, ...refused],
      bytes: sent.bytes + bytes,
      batches: sent.batches + 1,
    }
    onProgress?.(sent)
  }

  async function linesTaken(lines: string | Uint8Array<ArrayBuffer>): Promise<LinesTaken> {
    const headers: Record<string, string> = {
      'content-type': 'application/x-ndjson',
      'idempotency-key': randomKey(),
      ...(gzip && { 'content-encoding': 'gzip' }),
    }
    const body = gzip ? await packed(lines) : lines
    try {
      return await requests.json<LinesTaken>({
        method: 'POST',
        path,
        body,
        headers,
        signal,
        patience_ms,
        onWait,
        isRepeatable: true,
      })
    } catch (error) {
      // All lines are refused: each has its reason.
      if (error instanceof WeirError && error.status === 400 && Array.isArray(error.answer?.errors)) {
        return error.answer as LinesTaken
      }
      throw error
    }
  }

  const failed = new AbortController()
  let underWay: Promise<void> = Promise.resolve()
  for await (const batch of batchesOf(AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]))) {
    await underWay
    underWay = post(batch)
    underWay.catch((error: unknown) => failed.abort(error))
  }
  await underWay
  return sent
}

/** Gathers events to batches: full ones, and those whose first event has waited for `flushMs`. */
async function* batchesOf(
  events: Iterable<unknown> | AsyncIterable<unknown>,
  { maxBytes = 1_000_000, flushMs = 200 }: SendManyOptions,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  let first = 0
  let gathered: unknown[] = []
  let lines: string[] = []
  let bytes = 0
  function add(event: unknown): boolean {
    const line = typeof event === 'string' ? event : writeJson(event)
    gathered.push(event)
    lines.push(line)
    // Of other than plain letters a line has more bytes than signs: the service's own bound is far above.
    bytes += line.length + 1
    return bytes >= maxBytes || lines.length >= maxLines
  }
  function* take(): Generator<Batch> {
    if (hasEvents(lines)) yield batchOf(first, gathered, lines)
    first += lines.length
    ;[gathered, lines, bytes] = [[], [], 0]
  }

  if (Symbol.iterator in events) {
    for (const event of events) {
      signal.throwIfAborted()
      if (add(event)) yield* take()
    }
    yield* take()
    return
  }
  for await (const _ of gather(events, add, flushMs, signal)) yield* take()
  yield* take()
}

/** Empty lines have a number and no event. */
const hasEvents = (lines: readonly string[]): boolean => lines.some((line) => line.trim() !== '')

function batchOf(first: number, events: readonly unknown[], lines: readonly string[]): Batch {
  const half = lines.length >> 1
  return {
    first,
    bytes: lines.reduce((sum, line) => sum + line.length + 1, 0),
    body: () => lines.join('\n'),
    eventAt: (line) => events[line],
    halves: () => {
      const parts = [
        batchOf(first, events.slice(0, half), lines.slice(0, half)),
        batchOf(first + half, events.slice(half), lines.slice(half)),
      ]
      return half > 0 ? parts : undefined
    },
  }
}

async function packed(text: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
