import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Client, createClient, type Row, read } from '../support/requests/client.ts'
import { allRows } from '../support/requests/pages.ts'
import { type Ledger, wrong } from './ledger.ts'
import type { Weir } from './parts/weir.ts'
import { type RawAnswer, type RawRequest, sendRaw } from './send-raw.ts'

const patience_ms = 300_000
const [pause_ms, unavailable_ms] = [50, 500]

/** Where no answer came, or a 5xx, the request may have been done or not. */
export type Outcome = { readonly answer: Answer | undefined; readonly isAnswered: boolean }

export type Request = {
  /** The kind of thing that is asked for, which the ledger counts by. */
  readonly what: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Refusals (4xx) that may come; any other is told as a fault. */
  readonly refusals?: readonly number[]
  /** How many things one acknowledgement covers. */
  readonly weight?: number
}

/** Sends each request once; counts requests that were acknowledged, and requests that were not answered. */
export function createAsker(weirs: readonly Weir[], ledger: Ledger) {
  const clients = weirs.map(({ url }) => createClient(url))

  function clientAt(number: number): Client {
    const client = clients[number % clients.length]
    if (!client) throw new Error('no process')
    return client
  }

  async function once(number: number, request: Request): Promise<Outcome> {
    const { what, method, path, body, headers, refusals = [], weight = 1 } = request
    const got = await clientAt(number).send(method, path, body, headers).catch(failed)
    const answer = isAnswer(got) ? got : undefined
    if (answer === undefined || answer.status >= 500 || answer.status === 429) {
      if (answer) ledger.unavailable(what, weight, answer.text)
      else if (!wasNotSent(got)) ledger.unanswered(what, weight)
      await sleep(unavailable_ms)
      return { answer, isAnswered: false }
    }
    if (answer.status === 200) ledger.acknowledged(what, weight)
    else if (refusals.includes(answer.status)) ledger.refused(what, weight)
    else {
      ledger.found(wrong(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`))
    }
    return { answer, isAnswered: true }
  }

  /** A request whose body has another length than its head says. */
  async function raw(number: number, request: RawRequest & Pick<Request, 'what'>): Promise<RawAnswer | undefined> {
    const { what } = request
    const got = await sendRaw(clientAt(number).url, request).catch(failed)
    const answer = isAnswer(got) ? got : undefined
    if (answer === undefined) {
      if (!wasNotSent(got)) ledger.unanswered(what)
      await sleep(pause_ms)
    } else if (answer.status === 200) ledger.acknowledged(what)
    else if (answer.status < 500) ledger.refused(what)
    else {
      ledger.unavailable(what)
      await sleep(unavailable_ms)
    }
    return answer
  }

  return {
    processes: clients.length,
    once,
    raw,
    /** A request that ends before its body does, which nothing may be done of. */
    async broken(number: number, request: RawRequest & Pick<Request, 'what'>): Promise<void> {
      const answer = await raw(number, request)
      if (answer?.status === 200) ledger.found(wrong(`${request.path} took a body that broke off: ${answer.text}`))
    },
    /** The same request again and again until it is answered: for what a repeat does not change. */
    async surely(number: number, request: Request): Promise<Answer> {
      const end = performance.now() + patience_ms
      for (;;) {
        const { answer, isAnswered } = await once(number, request)
        if (isAnswered && answer) return answer
        if (performance.now() > end)
          throw new Error(`${request.method} ${request.path}: no answer for ${patience_ms} ms`)
      }
    },
    reader: patientClient(clientAt(0)),
    readerAt: (number: number): Client => patientClient(clientAt(number)),
  }
}

export type Asker = ReturnType<typeof createAsker>

type Failed = { readonly error: unknown }
const failed = (error: unknown): Failed => ({ error })

const isAnswer = <Got extends RawAnswer>(got: Got | Failed | undefined): got is Got =>
  got !== undefined && 'status' in got

/** Nothing listened: there is nothing to count. */
const wasNotSent = (got: object | undefined): boolean =>
  got !== undefined &&
  'error' in got &&
  got.error instanceof Error &&
  'code' in got.error &&
  got.error.code === 'ECONNREFUSED'

/** Asks again while an answer is a 503 or a 504, and reads every page: for comparing, after the load. */
export function patientClient(client: Client, longest_ms = patience_ms): Client {
  async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
    const end = performance.now() + longest_ms
    for (;;) {
      const answer = await ask()
      if (![503, 504].includes(answer.status) || performance.now() > end) return answer
      await sleep(pause_ms)
    }
  }
  const query: Client['query'] = (sql, more = {}) =>
    patiently(() => client.send('POST', '/db/mydb/query', { sql, ...more }))
  const graph: Client['graph'] = (stream, text) =>
    patiently(() => client.send('POST', `/stream/${stream.replace('.', '/')}/graph/query`, text))
  const own = { ...client, query, graph, get: (path: string) => patiently(() => client.get(path)) }
  const rows = (sql: string): Promise<Row[]> => allRows(own, sql)
  return {
    ...own,
    rows,
    documents: async (sql) => (await rows(sql)).map(({ v }) => read(String(v))),
    count: async (sql) => (await client.ok(query(sql))).retval,
  }
}
