import { Agent, type Dispatcher, request } from 'undici'
import { internalRange, literalAddress } from './addresses.ts'
import { createCheckedLookup, InternalAddress } from './lookup.ts'

/** The outcome of a request: the status, where there was an answer at all, and its `Retry-After`. */
export type Answered = { readonly status: number; readonly retryAfter?: string }
/** An answer, and its body where that is within the limit of its reader. */
export type Fetched = { readonly status: number; readonly body: Buffer | undefined }

type Headers = Readonly<Record<string, string>>

const longestAnswer_bytes = 64 * 1024

export type OutboundDeps = { readonly allowsInternal: boolean; readonly time_ms: number }

/**
 * Posts to addresses that clients have named, and reads from them. Redirects are not followed. Throws `InternalAddress`, or an Error whose
 * message says why there was no answer.
 */
export function createOutbound({ allowsInternal, time_ms }: OutboundDeps) {
  const agent = new Agent({
    connect: { lookup: createCheckedLookup(allowsInternal), timeout: time_ms },
    headersTimeout: time_ms,
    bodyTimeout: time_ms,
    pipelining: 1,
  })

  async function exchange<Result>(
    url: string,
    options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
    ended: AbortSignal | undefined,
    read: (answer: Dispatcher.ResponseData) => Promise<Result>,
  ): Promise<Result> {
    const literal = literalAddress(new URL(url))
    const range = allowsInternal || literal === undefined ? undefined : internalRange(literal)
    if (literal !== undefined && range !== undefined) throw new InternalAddress(literal, range)
    const expired = AbortSignal.timeout(time_ms)
    try {
      const signal = ended ? AbortSignal.any([ended, expired]) : expired
      return await read(await request(url, { ...options, dispatcher: agent, signal }))
    } catch (error) {
      if (expired.aborted) throw new Error(`no answer within ${time_ms / 1000} s`, { cause: error })
      throw error
    }
  }

  return {
    post: (url: string, headers: Headers, body: string, ended: AbortSignal): Promise<Answered> =>
      exchange(url, { method: 'POST', headers: { ...headers }, body }, ended, async (answer) => {
        await readSome(answer.body)
        const { 'retry-after': retryAfter } = answer.headers
        return { status: answer.statusCode, ...(typeof retryAfter === 'string' && { retryAfter }) }
      }),
    get: (url: string, headers: Headers, max_bytes: number): Promise<Fetched> =>
      exchange(url, { method: 'GET', headers: { ...headers } }, undefined, async ({ statusCode, body }) => ({
        status: statusCode,
        body: await readWhole(body, max_bytes),
      })),
    close: (): Promise<void> => agent.destroy(),
  }
}

export type Outbound = ReturnType<typeof createOutbound>

/** Reads an answer's body to its end, that the connection may serve again, or as far as it may go. The status counts. */
async function readSome(body: AsyncIterable<Buffer>): Promise<void> {
  let bytes = 0
  try {
    for await (const part of body) {
      bytes += part.length
      if (bytes > longestAnswer_bytes) return
    }
  } catch {
    // The body was cut off, or took too long: only the status counts.
  }
}

/** Undefined for a body of more bytes. */
async function readWhole(body: AsyncIterable<Buffer>, max_bytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > max_bytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}
