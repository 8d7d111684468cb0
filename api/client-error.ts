import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

const answers: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the address and the headers of a request have at most 16 KB; long values go into a body'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not come to its end in time'],
}

/** Answers what is no HTTP, which no middleware gets to see, in the words of all other refusals. */
export function answerClientErrors(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', ({ socket }, response) => {
    answering.set(socket, response)
    response.once('close', () => answering.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || answering.get(socket)?.headersSent) {
      socket.destroy(error)
      return
    }
    const [status, message] = answers[error.code ?? ''] ?? [400, 'this is no HTTP request']
    const body = JSON.stringify({ errcode: -1, error: [message] })
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}
