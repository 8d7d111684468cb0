import { createServer, type RequestListener, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../infra/config.ts'
import { createCrossOrigin } from '../browsers/cross-origin.ts'
import { awaitInvitation } from './body.ts'
import { answerClientErrors, refuseWithoutHost } from './client-error.ts'

/** An object of any size may take hours over a slow line; a transfer that stalls is cut long before. */
const longestRequest_ms = 24 * 3600 * 1000
/** Longer than load balancers keep a connection, so that no request meets one that is being closed. */
const idleConnection_ms = 75_000

/** For busy clients to send what ends their connections. */
const lastRequests_ms = 300

/** The HTTP server, which answers from the first moment: that the process lives, and that the rest is not ready. */
export function createHttpServer(config: Pick<Config, 'CORS_ORIGINS'>) {
  const { accompany } = createCrossOrigin(config)
  let serve: RequestListener = (request, response) => {
    const isLive = request.url === '/health/live'
    response.writeHead(isLive ? 200 : 503, {
      'Content-Type': 'application/json; charset=utf-8',
      ...(isLive ? {} : { 'Retry-After': '1' }),
    })
    response.end(
      request.url?.startsWith('/health/') ? JSON.stringify({ status: isLive ? 'live' : 'starting' }) : refusal,
    )
  }
  const server: Server = createServer(
    { requestTimeout: longestRequest_ms, keepAliveTimeout: idleConnection_ms, requireHostHeader: false },
    refuseWithoutHost((request, response) => serve(request, response)),
  )
  answerClientErrors(server)
  server.prependListener('request', accompany)
  server.prependListener('checkExpectation', accompany)
  server.on('checkContinue', (request, response) => {
    awaitInvitation(request, response)
    server.emit('request', request, response)
  })

  return {
    server,
    /** From now on requests go to the service. */
    open(listener: RequestListener): void {
      serve = listener
    },
    /**
     * Gives requests that are under way three seconds to end, then cuts the rest. Answers to further requests close
     * their connection.
     */
    async close(): Promise<void> {
      server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'))
      // A request may be on its way over a connection that is idle here: it is answered, and ends its connection.
      const connections = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
      if (connections > 0) await sleep(lastRequests_ms)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const cut = setTimeout(() => server.closeAllConnections(), 3_000)
      await closed
      clearInterval(idle)
      clearTimeout(cut)
    },
  }
}

export type HttpServer = ReturnType<typeof createHttpServer>

const refusal = JSON.stringify({ errcode: -7, error: ['the service is starting; try again'] })
