import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes connections that had no request for so long. Node's own timer would close one as well whose request has arrived but
 * is still unread, which is the case for all of them once a stopped process goes on; ClickHouse reads it.
 */
export function closeIdle(server: Server, after_ms: number): void {
  server.keepAliveTimeout = 0
  const timers = new WeakMap<Socket, NodeJS.Timeout>()

  const closeUnlessRead = (socket: Socket): void => {
    const read = socket.bytesRead
    setImmediate(() => {
      if (socket.bytesRead === read) socket.end()
    })
  }

  server.prependListener('request', ({ socket }, response) => {
    clearTimeout(timers.get(socket))
    response.setHeader('Connection', 'Keep-Alive')
    response.setHeader('Keep-Alive', `timeout=${Math.max(1, Math.round(after_ms / 1000))}`)
    response.once('close', () => {
      if (!socket.destroyed) timers.set(socket, setTimeout(closeUnlessRead, after_ms, socket))
    })
  })
}
