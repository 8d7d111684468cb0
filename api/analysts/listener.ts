import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { lateException } from '../../activities/analysts/freshness.ts'
import { Fault, type FaultKind } from '../../base/faults.ts'
import type { SqlQuery, SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import { exception } from '../../infra/clickhouse/exceptions.ts'
import { helloBlock, isHello } from '../../infra/clickhouse/wire/hello.ts'
import { wholeAnswer } from '../../infra/clickhouse/wire/whole-answer.ts'
import type { BodyBudget, BodyHold } from '../../infra/limits/body-budget.ts'
import type { Logger } from '../../infra/logger.ts'
import { inTraceOf } from '../../infra/tracing/trace-analysts.ts'
import type { Browsers } from '../browsers/browsers.ts'
import { type BodyBounds, readBody as readAnyBody } from '../http/body.ts'
import { sendAnswer, sendException } from './answer.ts'
import type { AnalystAuth } from './auth.ts'
import { boundaryOf, readForm } from './form.ts'
import { type AnalystsQuery, decodeAnalystsQuery, isTrue } from './query.ts'

export type ListenerDeps = {
  readonly runner: SqlRunner
  readonly logger: Logger
  readonly bodies: BodyBudget
  /** In bytes, of a request's body before and after unpacking. */
  readonly bodyLimit: number
  readonly browsers?: Browsers
  readonly gate?: AnalystAuth
}

const name = 'weir'
const longestRequest_ms = 3600 * 1000
const idleConnection_ms = 75_000

/** ClickHouse's HTTP protocol, not listening yet. */
export function createClickHouseListener({
  runner,
  logger,
  bodies,
  bodyLimit,
  browsers,
  gate = async () => ({ caller: '' }),
}: ListenerDeps): Server {
  let timezone: string | undefined
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    hold: BodyHold,
  ): Promise<void> => {
    if (browsers && meetBrowser(browsers, request, response)) return void response.end()
    const gone = new AbortController()
    response.once('close', () => gone.abort(exception(394, 'QUERY_WAS_CANCELLED', 'the client has gone')))
    response.setHeader('X-ClickHouse-Server-Display-Name', name)
    if (url.pathname === '/ping') return sayAlive(response)
    const asker = await gate(request, url, response)
    if (url.pathname === '/replicas_status') return sayAlive(response)
    if (url.pathname !== '/') throw notFound(url.pathname)
    if (!['GET', 'HEAD', 'POST'].includes(request.method ?? '')) {
      response.setHeader('Allow', 'GET, HEAD, POST')
      throw exception(405, 'METHOD_NOT_ALLOWED', `${request.method} is not supported: GET, HEAD or POST`)
    }
    timezone ??= await runner.timezone()
    response.setHeader('X-ClickHouse-Timezone', timezone)
    // Nothing runs, and no length is told: readers of files then take the whole of the answer to GET.
    if (request.method === 'HEAD') return void response.end()
    const { query, wishes } = await readQuery(request, url, { limit: bodyLimit, hold })
    response.setHeader('X-ClickHouse-Query-Id', query.id)
    if (query.text === '' && query.body.length === 0) return sayAlive(response)
    const answered = greets(query)
      ? wholeAnswer('Native', helloBlock({ name, timezone, version: await runner.version() }, wishes.revision))
      : await runner.query({ ...query, ...asker }, gone.signal).catch((error: unknown) => {
          throw lateException(error)
        })
    await sendAnswer(response, answered, wishes)
  }

  return createServer(
    { requestTimeout: longestRequest_ms, keepAliveTimeout: idleConnection_ms },
    (request, response) => {
      browsers?.accompany(request, response)
      const hold = bodies.open({ isQuery: true, place: 'analysts' })
      let isFramed = false
      const answered = async (): Promise<void> => {
        const url = addressOf(request)
        isFramed = isTrue(url.searchParams.get('compress'))
        await inTraceOf(request.headers, () => answer(request, response, url, hold))
      }
      answered()
        .catch((error: unknown) => {
          if (error instanceof ClickHouseError && error.code !== 0)
            logger.debug({ code: error.code }, 'analyst query refused')
          else if (hasLeft(response, error)) logger.debug('the client of an analyst query has gone')
          else logger.error({ err: error }, 'analyst query failed')
          if (response.headersSent || response.destroyed) return void response.destroy()
          if (!request.complete) response.setHeader('Connection', 'close')
          sendException(response, error, isFramed)
        })
        .finally(hold.close)
    },
  )
}

/** A client that goes amid its answer is no failure of the query. */
const hasLeft = ({ destroyed }: ServerResponse, error: unknown): boolean =>
  destroyed &&
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED'].includes(String(error.code))

/** With its charset, without which some clients guess at one from four bytes. */
function sayAlive(response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
  response.end('Ok.\n')
}

/** The statement by which clickhouse-go begins, for which ClickHouse has functions that analysts have not. */
const greets = ({ text, body, format }: SqlQuery): boolean =>
  format === 'Native' && body.length + text.length < 200 && isHello(text + body.toString('latin1'))

/** A path may begin with two slashes, which is no host. */
function addressOf({ url = '/' }: IncomingMessage): URL {
  const address = url.startsWith('/') ? `http://localhost${url}` : url
  if (URL.canParse(address, 'http://localhost')) return new URL(address, 'http://localhost')
  throw exception(36, 'BAD_ARGUMENTS', 'the address of the request cannot be read')
}

const notFound = (path: string) => exception(404, 'HTTP_NOT_FOUND', `there is no ${path.slice(0, 100)} here: /, /ping`)

const exceptions: Partial<Record<FaultKind, readonly [code: number, name: string]>> = {
  'too large': [307, 'TOO_MANY_BYTES'],
  unsupported: [78, 'UNKNOWN_COMPRESSION_METHOD'],
  limited: [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
  invalid: [36, 'BAD_ARGUMENTS'],
}

/** Reads a request's body; a fault of it is an exception as ClickHouse words it. */
async function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  try {
    return await readAnyBody(request, bounds)
  } catch (error) {
    const known = error instanceof Fault ? exceptions[error.kind] : undefined
    if (!known || !(error instanceof Fault)) throw error
    if (error.kind === 'too large') throw exception(known[0], known[1], `the body exceeds ${bounds.limit} bytes`)
    throw exception(known[0], known[1], error.message)
  }
}

/** Reads a request of ClickHouse's HTTP protocol. */
async function readQuery(request: IncomingMessage, url: URL, bounds: BodyBounds): Promise<AnalystsQuery> {
  const boundary = boundaryOf(request.headers)
  const body = await readBody(request, bounds)
  if (isTrue(url.searchParams.get('decompress')) && body.length > 0) {
    throw exception(48, 'NOT_IMPLEMENTED', 'bodies in ClickHouse frames are not supported here: use Content-Encoding')
  }
  const form = readForm(body, request.headers, boundary) ?? { query: body, params: {} }
  return decodeAnalystsQuery(request.headers, url, form)
}

/** Whether it is a preflight, whose answer is ready. A fault is an exception as ClickHouse words it. */
function meetBrowser(browsers: Browsers, request: IncomingMessage, response: ServerResponse): boolean {
  try {
    if (!browsers.meet(request, response)) return false
    response.statusCode = 204
    return true
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    for (const [name, value] of Object.entries(error.details.headers ?? {})) response.setHeader(name, value)
    throw error.kind === 'too many'
      ? exception(201, 'QUOTA_EXCEEDED', error.message)
      : exception(497, 'ACCESS_DENIED', error.message)
  }
}
