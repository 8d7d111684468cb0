import { Agent, request } from 'undici'
import { internalRange, literalAddress } from './addresses.ts'
import { createCheckedLookup, InternalAddress } from './lookup.ts'

/** The outcome of a request: the status, where there was an answer at all, and its `Retry-After`. */
export type Answered = { readonly status: number; readonly retryAfter?: string }

const longestAnswer_bytes = 64 * 1024

export type OutboundDeps = { readonly allowsInternal: boolean; readonly time_ms: number }

/**
 * Posts to addresses that clients have named. Redirects are not followed. Throws `InternalAddress`, or an Error whose
 * message says why there was no answer.
 */
export function createOutbound({ allowsInternal, time_ms }: OutboundDeps) {
  const agent = new Agent({
    connect: { lookup: createCheckedLookup(allowsInternal), timeout: time_ms },
    headersTimeout: time_ms,
    bodyTimeout: time_ms,
    pipelining: 1,
  })

  return {
    async post(
      url: string,
      headers: Readonly<Record<string, string>>,
      body: string,
      ended: AbortSignal,
    ): Promise<Answered> {
      const literal = literalAddress(new URL(url))
      const range = allowsInternal || literal === undefined ? undefined : internalRange(literal)
      if (literal !== undefined && range !== undefined) throw new InternalAddress(literal, range)
      const expired = AbortSignal.timeout(time_ms)
      try {
        const signal = AbortSignal.any([ended, expired])
        const answer = await request(url, { method: 'POST', headers: { ...headers }, body, dispatcher: agent, signal })
        await readSome(answer.body)
        const { 'retry-after': retryAfter } = answer.headers
        return { status: answer.statusCode, ...(typeof retryAfter === 'string' && { retryAfter }) }
      } catch (error) {
        if (expired.aborted) throw new Error(`no answer within ${time_ms / 1000} s`, { cause: error })
        throw error
      }
    },
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
