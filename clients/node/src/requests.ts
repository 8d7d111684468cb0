import { errorOf, foreignError, isLasting, networkError, redirectError, WeirError } from './errors.ts'
import { readJson, writeJson } from './json.ts'

export type Options = {
  /** Where Weir answers; http://localhost:18080 where it is left out, or WEIR_URL in Node. */
  readonly url?: string
  /** The key, where Weir asks for one; WEIR_KEY in Node. */
  readonly key?: string
  /** Milliseconds for one try of a request; 60,000. */
  readonly timeout_ms?: number
  /** Milliseconds for which a request that may be repeated is tried again; 60,000. 0: once. */
  readonly patience_ms?: number
  /** Whole numbers that no double holds come as bigint; else as the nearest number. */
  readonly bigints?: boolean
  /** Go with each request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof globalThis.fetch
}

export type Wait = {
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export type Call = Wait & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Parts are joined by `/`, each escaped. */
  readonly path: readonly string[]
  readonly query?: Query
  /** A value that is sent as JSON. */
  readonly json?: unknown
  /** A body that is sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a second try does no harm: reads, and what has a key of its own. Default: GET, PUT and DELETE. */
  readonly isRepeatable?: boolean
  readonly patience_ms?: number
  /** Told before each wait for another try; what it throws ends the call. */
  readonly onWait?: ((error: WeirError) => void) | undefined
  /** The answer is read for as long as it comes. */
  readonly isStream?: boolean
}

const least_ms = 100
const most_ms = 5_000

/** Asks Weir, again where it may be asked again: with back-off, as `Retry-After` says. */
export function createRequests(options: Options = {}) {
  const environment: Readonly<Record<string, string | undefined>> = globalThis.process?.env ?? {}
  const url = urlIn(options.url ?? (environment.WEIR_URL || 'http://localhost:18080'))
  const key = options.key ?? environment.WEIR_KEY
  const { timeout_ms = 60_000, patience_ms = 60_000, bigints = false } = options
  const ask = options.fetch ?? globalThis.fetch
  const base = url.href.replace(/\/?(?:[?#].*)?$/, '')

  function addressOf({ path, query = {} }: Call): string {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
    return `${base}/${path.map(encodeURIComponent).join('/')}${search.size > 0 ? `?${search}` : ''}`
  }

  function headersOf(call: Call): Record<string, string> {
    const headers: Record<string, string> = { ...options.headers, ...call.headers }
    if (key !== undefined && key !== '') headers['x-api-key'] = key
    if (call.json !== undefined) headers['content-type'] ??= 'application/json'
    return headers
  }

  /** A request that fetch would not send fails at once; fetch has the same error for it as for a cut, which is tried again. */
  function check(call: Call): void {
    const headers = headersOf(call)
    for (const [name, value] of Object.entries(headers)) {
      if (isHeader(value)) continue
      const way = name === 'idempotency-key' ? '; as the member _id of the event it may have any' : ''
      const what = { 'x-api-key': 'the key', 'idempotency-key': 'the id of an event' }[name] ?? `the header ${name}`
      throw new WeirError(
        'refused',
        `${what} has a letter that no header takes (beyond Latin-1, or a line break)${way}`,
      )
    }
    try {
      void new Request(addressOf(call), { method: call.method, headers })
    } catch (cause) {
      throw new WeirError('refused', `the request cannot be made: ${(cause as Error).message}`, { cause })
    }
  }

  async function once(call: Call): Promise<Response> {
    const headers = headersOf(call)
    const body = call.json === undefined ? call.body : writeJson(call.json)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeout_ms)
    try {
      const response = await ask(addressOf(call), {
        method: call.method,
        headers,
        // Elsewhere the key is not sent, and a POST would go on as a GET.
        redirect: 'manual',
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' }),
        signal: AbortSignal.any([late.signal, ...(call.signal ? [call.signal] : [])]),
      } as RequestInit)
      // Of an answer that is read bit by bit the time counts until it begins.
      if (response.ok) return call.isStream ? response : await whole(response)
      const redirected = redirectError(response, addressOf(call), base)
      if (redirected !== undefined) throw redirected
      throw new Refused(response, await response.text())
    } catch (error) {
      if (error instanceof Refused || error instanceof WeirError) throw error
      call.signal?.throwIfAborted()
      if (late.signal.aborted) throw new WeirError('timeout', `${base} did not answer within ${timeout_ms} ms`)
      throw networkError(error, base)
    } finally {
      clearTimeout(timer)
    }
  }

  async function response(call: Call): Promise<Response> {
    check(call)
    const isRepeatable = call.isRepeatable ?? call.method !== 'POST'
    // A stream is read once, whatever became of it.
    const isOnce = call.body instanceof ReadableStream
    const end_ms = Date.now() + (call.patience_ms ?? patience_ms)
    for (let tries = 0; ; tries++) {
      call.signal?.throwIfAborted()
      try {
        return await once(call)
      } catch (error) {
        const wait_ms = waitFor(error, tries)
        const fault = error instanceof Refused ? errorOf(error.response.status, error.text, base) : error
        // Of a request too many nothing was done, whatever it was.
        const isTooOften = error instanceof Refused && error.response.status === 429
        const isAgain = (isRepeatable || isTooOften) && !isOnce
        if (wait_ms === undefined || !isAgain || Date.now() + wait_ms > end_ms) throw fault
        if (fault instanceof WeirError) call.onWait?.(fault)
        await pause(wait_ms, call.signal)
      }
    }
  }

  return {
    base,
    response,
    read: (text: string): unknown => readJson(text, bigints),

    /** The answer as JSON. */
    async json<Answer = Record<string, unknown>>(call: Call): Promise<Answer> {
      const text = await (await response(call)).text()
      try {
        return readJson(text, bigints) as Answer
      } catch {
        throw foreignError(base, 'its answer is no JSON')
      }
    },
  }
}

function urlIn(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new WeirError('network', `the url is such as http://localhost:18080 or https://weir.example.org, not '${text}'`)
}

export type Requests = ReturnType<typeof createRequests>

/** As HTTP has a value: visible letters, blanks and Latin-1. */
const isHeader = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

class Refused extends Error {
  readonly response: Response
  readonly text: string
  constructor(response: Response, text: string) {
    super()
    this.response = response
    this.text = text
  }
}

/** The answer with its whole body, so that a cut on its way is an error of the request. */
async function whole(response: Response): Promise<Response> {
  const { status, headers } = response
  const body = await response.arrayBuffer()
  return new Response(status === 204 ? null : body, { status, headers })
}

/** Milliseconds until the next try; undefined where another would answer the same. */
function waitFor(error: unknown, tries: number): number | undefined {
  const backOff_ms = Math.min(most_ms, least_ms * 2 ** tries) * (0.5 + Math.random() / 2)
  if (error instanceof WeirError)
    return (error.kind === 'network' && !isLasting(error)) || error.kind === 'timeout' ? backOff_ms : undefined
  if (!(error instanceof Refused) || ![429, 502, 503, 504].includes(error.response.status)) return undefined
  const after = Number(error.response.headers.get('retry-after'))
  return Number.isFinite(after) && after > 0 ? Math.max(backOff_ms, after * 1000) : backOff_ms
}

/** Ends early, with the signal's reason, where the signal says so. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
