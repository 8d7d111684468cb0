import { parse } from 'lossless-json'
import { type Dispatcher, request } from 'undici'
import { askAgain } from '../random/repeats.ts'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed text; integers beyond 2^53 are bigints. Undefined where it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of any shape
  readonly body: any // any: a call decides the shape, its contract checks it, and a test asserts its members
}

export type Row = { readonly k: number | bigint | string; readonly v: number | string; readonly ts?: number }

const readNumber = (text: string): number | bigint =>
  /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text)

/** JSON text; bigints are written as integers. */
export function json(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${json(member)}`).join(',')}}`
}

/** A tenth of the time for pages of megabytes; of names that come twice in an object only the short answers tell. */
const isLongAndPlain = (text: string): boolean => text.length > 100_000 && !/9\d{15}|\d{17}/.test(text)

export function read(text: string): Answer['body'] {
  try {
    return isLongAndPlain(text) ? JSON.parse(text) : parse(text, undefined, readNumber)
  } catch {
    return undefined
  }
}

const textType = { 'content-type': 'text/plain;charset=UTF-8' }
const jsonType = { 'content-type': 'application/json' }

const inLowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const headersOf = (headers: Dispatcher.ResponseData['headers']): Headers =>
  new Headers(Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each])))

/** Speaks HTTP with one service. Bodies that are no strings or bytes are sent as JSON. */
export function createClient(url: string) {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const isPlain = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const type = typeof body === 'string' ? textType : isPlain ? {} : jsonType
    // A third of what `fetch` costs the processor, for tests that ask ten thousand times.
    const answer = await request(new URL(path, url), {
      method: method as Dispatcher.HttpMethod,
      headers: { ...type, ...inLowerCase(headers) },
      ...(body !== undefined && { body: isPlain ? (body as string | Uint8Array) : json(body) }),
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: headersOf(answer.headers), text, body: read(text) }
  }

  /** The answer's body; an error where the status is another than 200. */
  async function ok(answer: Promise<Answer>): Promise<Answer['body']> {
    const { status, text, body } = await answer
    if (status !== 200) throw new Error(`status ${status}: ${text.slice(0, 2000)}`)
    return body
  }

  const query = (sql: string, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    askAgain(sql, () => send('POST', '/db/mydb/query', { sql, ...more }))

  return {
    url,
    send,
    ok,
    /** Asks again where the events took longer than a query waits: repeats.ts counts how often. */
    query,
    /** A query of a graph, of any stream `S.ST` of its schema; asks again as `query` does. */
    graph: (stream: string, text: string): Promise<Answer> =>
      askAgain(text, () => send('POST', `/stream/${stream.replace('.', '/')}/graph/query`, text)),
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
      send('POST', path, body, headers),
    register: (schema: unknown) => ok(send('POST', '/stream', schema)),
    /** Posts one event to `S.ST`; its `_pk`. */
    event: async (stream: string, event: unknown): Promise<number | bigint> =>
      (await ok(send('POST', `/stream/${stream.replace('.', '/')}`, event)))._pk,
    /** Posts events to `S.ST` as NDJSON. */
    lines: (stream: string, events: readonly unknown[]) =>
      ok(
        send('POST', `/stream/${stream.replace('.', '/')}`, events.map((event) => `${json(event)}\n`).join(''), {
          'content-type': 'application/x-ndjson',
        }),
      ),
    rows: async (sql: string, more: Readonly<Record<string, unknown>> = {}): Promise<Row[]> =>
      (await ok(query(sql, more))).rows,
    /** The documents of an event query: of all its pages, each of which ends at 4 MB, where it names no limit. */
    async documents(sql: string): Promise<Answer['body'][]> {
      const found: Answer['body'][] = []
      for (let more = {}; ; ) {
        const page = await ok(query(sql, more))
        for (const row of page.rows as Row[]) found.push(read(String(row.v)))
        if (page.more_data_to_come !== 1 || / limit /.test(sql)) return found
        const { levk, sec_buf, rev_buf, switch_done } = page
        more = { levk, sec_buf, rev_buf, switch_done }
      }
    },
    count: async (sql: string): Promise<number> => (await ok(query(sql))).retval,
  }
}

export type Client = ReturnType<typeof createClient>
