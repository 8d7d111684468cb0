import type { Server } from 'node:http'
import type { Socket } from 'node:net'

type Use = { requests: number; timer?: NodeJS.Timeout }

/**
 * Closes connections that had no request for `after_ms`. Node's own timer would close one as well whose request has
 * arrived but is still unread, which is the case for all of them once a stopped process goes on; ClickHouse reads it.
 */
export function closeIdle(server: Server, after_ms: number): void {
  server.keepAliveTimeout = 0
  const uses = new WeakMap<Socket, Use>()

  const closeUnlessRead = (socket: Socket, use: Use): void => {
    const read = socket.bytesRead
    setImmediate(() => {
      if (use.requests === 0 && socket.bytesRead === read) socket.end()
    })
  }

  server.prependListener('request', ({ socket }, response) => {
    const use = uses.get(socket) ?? { requests: 0 }
    uses.set(socket, use)
    use.requests++
    clearTimeout(use.timer)
    response.setHeader('Connection', 'Keep-Alive')
    response.setHeader('Keep-Alive', `timeout=${Math.max(1, Math.round(after_ms / 1000))}`)
    // A client may have read the answer, and asked anew, before this is told.
    response.once('close', () => {
      use.requests--
      clearTimeout(use.timer)
      if (use.requests === 0 && !socket.destroyed) use.timer = setTimeout(closeUnlessRead, after_ms, socket, use)
    })
  })
}
