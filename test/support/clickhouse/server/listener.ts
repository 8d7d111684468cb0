import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Accounts } from './accounts.ts'
import { answer, breakOff, refuse } from './answer.ts'
import type { Engine } from './engine.ts'
import { exception, thrown } from './exceptions.ts'
import type { Faults } from './faults.ts'
import { closeIdle } from './idle.ts'
import { runWithProgress } from './progress.ts'
import type { QuotaOfUser } from './quota.ts'
import { type Asked, checkAccount, isOn, readAsked } from './request.ts'

export type ListenerOptions = {
  readonly engine: Engine
  readonly faults: Faults
  readonly quota: QuotaOfUser
  readonly accounts: Accounts
  readonly timezone: string
  /** After which an idle connection is closed. */
  readonly keepAlive_ms: number
  /** `max_concurrent_queries`. */
  readonly maxQueries: number
  /** Instead of the interval that a client asks for. */
  readonly progress_ms?: number | undefined
}

const maxOfUrl = 1024 * 1024
const made = (code: number, name: string) => exception(code, name, 'A test makes it so')

const isOfControl = /^\s*(?:KILL|SHOW\s+PROCESSLIST)\b/i

/**
 * ClickHouse's HTTP interface over chDB, written from its documentation (docs/en/interfaces/http.md) and from what its server
 * is seen to do with exceptions. Left out is what Weir never meets:
 * - `compress=1` and `decompress=1`, which its client does not know; sessions, which Weir refuses; roles, which have no place
 *   in its URL; what is granted to users that statements make; external tables; `query_id` in `system.processes`
 * - answers that begin before their statement has ended: Weir asks for `wait_end_of_query`. A fault can break any answer off
 * and what chDB cannot do: quotas of rows, bytes, time and errors, which it does not keep. Statements are counted here.
 */
export function createListener(options: ListenerOptions) {
  const { engine, faults, quota, accounts, timezone, keepAlive_ms, maxQueries, progress_ms } = options
  let running = 0

  async function query(request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> {
    const place = { request, response, timezone }
    const met = faults.take(asked.whole)
    if (met?.does === 'hold') await sleep(met.time_ms)
    const fault = met?.does === 'hold' ? undefined : met
    if (fault?.does === 'close') return void request.socket.destroy()
    if (fault?.does === 'refuse') throw made(fault.code, fault.name)
    if (running >= maxQueries && !isOfControl.test(asked.whole.subarray(0, 200).toString('latin1'))) {
      const text = `Too many simultaneous queries. Maximum: ${maxQueries}`
      throw exception(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', text)
    }
    quota.use(asked.whole)
    running++
    const stop = endWithClient(response, asked)
    try {
      // A fault is of the answer, which must not have begun.
      const outcome = await (fault ? engine.run(asked) : runWithProgress(engine, place, asked, progress_ms))
      if (!outcome || response.destroyed) return
      if (fault?.does === 'lose') request.socket.destroy()
      else if (fault?.does === 'break') await breakOff(place, asked, outcome, made(fault.code, fault.name))
      else await answer(place, asked, outcome)
    } finally {
      running--
      stop()
    }
  }

  /** Only a `readonly` statement ends with its client, and only where the client asked for that. */
  function endWithClient(response: ServerResponse, asked: Asked): () => void {
    const { settings } = asked
    const isReadonly = (settings.get('readonly') ?? '0') !== '0'
    if (!isReadonly || !isOn(settings.get('cancel_http_readonly_queries_on_client_close'))) return () => {}
    const { socket } = response
    let timer: NodeJS.Timeout | undefined
    // A statement that has just begun is not to be found yet.
    const kill = (): void => {
      timer = setInterval(() => void engine.kill(asked).catch(() => {}), 100)
    }
    socket?.once('close', kill)
    return () => {
      socket?.off('close', kill)
      clearInterval(timer)
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let asked: Asked | undefined
    try {
      if ((request.url ?? '').length > maxOfUrl) throw exception(1000, 'POCO_EXCEPTION', 'URI Too Long')
      const url = new URL(request.url ?? '/', 'http://server')
      if (/^\/(?:ping|replicas_status)$/.test(url.pathname) || (request.method === 'GET' && request.url === '/')) {
        response.end('Ok.\n')
        return
      }
      if (url.pathname !== '/') {
        response.writeHead(404, { 'Content-Type': 'text/plain; charset=UTF-8' })
        response.end(`There is no handle ${url.pathname}\n`)
        return
      }
      const user = checkAccount(request.headers, url, accounts.passwordOf)
      asked = await readAsked(request, url, user)
      await query(request, response, asked)
    } catch (error) {
      // The rest of this request would be taken for the next one.
      request.resume()
      if (!response.headersSent) await refuse({ request, response }, thrown(error), asked)
      else response.destroy()
    }
  }

  const server = createServer({ maxHeaderSize: 2 * maxOfUrl }, (request, response) => {
    response.setHeader('X-ClickHouse-Server-Display-Name', 'stand-in')
    void handle(request, response)
  })
  closeIdle(server, keepAlive_ms)
  // A statement may take as long as it likes to arrive.
  server.requestTimeout = 0
  return server
}
