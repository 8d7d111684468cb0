import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { SqlRunner } from '../../infra/clickhouse/sql-runner.ts'
import type { Logger } from '../../infra/logger.ts'
import { sendAnswer, sendException } from './answer.ts'
import { refused } from './body.ts'
import { type Credentials, credentialsOf } from './credentials.ts'
import { decodeQuery } from './decode.ts'

export type ListenerDeps = {
  readonly runner: SqlRunner
  readonly logger: Logger
  /** In bytes, of a request's body before and after unpacking. */
  readonly bodyLimit: number
  /** Whether these may ask at all. */
  readonly admits?: (credentials: Credentials) => boolean
}

const longestRequest_ms = 3600 * 1000
const idleConnection_ms = 75_000

/** ClickHouse's HTTP protocol, not listening yet. */
export function createClickHouseListener({ runner, logger, bodyLimit, admits = () => true }: ListenerDeps): Server {
  let timezone: Promise<string> | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    response.setHeader('X-ClickHouse-Server-Display-Name', 'weir')
    if (url.pathname === '/ping' || url.pathname === '/replicas_status') return void response.end('Ok.\n')
    if (url.pathname !== '/') throw notFound(url.pathname)
    if (request.method !== 'GET' && request.method !== 'POST')
      throw refused(405, `${request.method} is not supported: GET or POST`, 'METHOD_NOT_ALLOWED')
    const credentials = credentialsOf(request, url)
    if (!admits(credentials)) throw wrongPassword(credentials.user)
    timezone ??= runner.timezone()
    response.setHeader('X-ClickHouse-Timezone', await timezone)
    const { query, wishes } = await decodeQuery(request, url, bodyLimit)
    response.setHeader('X-ClickHouse-Query-Id', query.id)
    if (query.text === '' && query.body.length === 0) return void response.end('Ok.\n')
    const answered = await runner.query(query)
    response.once('close', answered.cancel)
    await sendAnswer(response, answered, wishes)
  }

  return createServer(
    { requestTimeout: longestRequest_ms, keepAliveTimeout: idleConnection_ms },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        logger.debug({ err: error }, 'analyst query failed')
        if (response.headersSent || response.destroyed) return void response.destroy()
        if (!request.complete) response.setHeader('Connection', 'close')
        sendException(response, error)
      })
    },
  )
}

const notFound = (path: string) => refused(404, `there is no ${path.slice(0, 100)} here: /, /ping`, 'HTTP_NOT_FOUND')

const wrongPassword = (user: string) =>
  refused(
    516,
    `${user.slice(0, 100)}: Authentication failed: password is incorrect, or there is no user with such name`,
    'AUTHENTICATION_FAILED',
  )
