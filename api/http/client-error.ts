import { type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

const answers: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the address and the headers of a request have at most 16 KB; long values go into a body'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not come to its end in time'],
}

/** A client that is refused a tunnel has this time to read the reason. */
const patience_ms = 1_000

const bodyOf = (message: string): string => JSON.stringify({ errcode: -1, error: [message] })
const contentType = 'application/json; charset=utf-8'

/** Answers requests that Node would refuse without a body, or let pass: HTTP/1.1 requires a Host. */
export const refuseWithoutHost =
  (serve: RequestListener): RequestListener =>
  (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return serve(request, response)
    refuse(response, 400, 'the header Host is missing, which HTTP/1.1 asks for')
  }

/** Answers bytes that are no HTTP, which no middleware gets to see, in the form of all other refusals. */
export function answerClientErrors(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', ({ socket }, response) => {
    answering.set(socket, response)
    response.once('close', () => answering.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = answering.get(socket)
    const refused = answers[error.code ?? ''] ?? ([400, 'this is no HTTP request'] as const)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error)
    // The client would take a refusal for the answer to the request before, which is whole and at work.
    else if (response?.req.complete) response.once('finish', () => socket.writable && answer(socket, ...refused))
    else if (response?.headersSent) socket.destroy(error)
    else answer(socket, ...refused)
  })
  server.on('connect', (_, socket) => {
    // Node has let go of the socket: no other code handles its errors, or cuts it where its client does not.
    socket.on('error', () => {}).resume()
    const cut = setTimeout(() => socket.destroy(), patience_ms)
    socket.once('close', () => clearTimeout(cut))
    answer(socket, 400, 'this is no proxy: CONNECT leads nowhere from here')
  })
  server.on('checkExpectation', (request, response) => {
    refuse(response, 417, `the header Expect can be 100-continue, not ${String(request.headers.expect).slice(0, 40)}`)
  })
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = bodyOf(message)
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': length, Connection: 'close' }).end(body)
}

function answer(socket: Duplex, status: number, message: string): void {
  const body = bodyOf(message)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
