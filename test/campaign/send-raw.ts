import { connect } from 'node:net'
import type { Answer } from '../support/requests/client.ts'

export type RawRequest = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is, whatever the headers say of its length. */
  readonly body: Uint8Array
  /** How long an answer is waited for before the client cuts the connection. */
  readonly patience_ms: number
}

export type RawAnswer = Pick<Answer, 'status' | 'text' | 'body'>

/**
 * Sends a body of another length than its head says, as no client of HTTP does. The first answer, if one comes; an error
 * where nothing listens.
 */
export function sendRaw(url: string, request: RawRequest): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(url)
  const { method, path, headers = {}, body, patience_ms } = request
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${hostname}`,
    ...Object.entries(headers).map((all) => all.join(': ')),
  ]
  return new Promise((resolve, reject) => {
    let received = ''
    let late: NodeJS.Timeout | undefined
    const socket = connect(Number(port), hostname, () => {
      late = setTimeout(end, patience_ms)
    })
    const end = (): void => {
      clearTimeout(late)
      socket.destroy()
      resolve(answerIn(received))
    }
    socket.on('error', (error) => (late === undefined ? reject(error) : end())).on('close', end)
    socket.on('data', (data: Buffer) => {
      received += data.toString('utf8')
      if (answerIn(received)) end()
    })
    socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]))
  })
}

/** A body in chunks of which the last one, which would end it, is missing. */
export function unendedChunks(body: Uint8Array): Buffer {
  const half = Math.floor(body.length / 2)
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  return Buffer.concat(
    chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
  )
}

/** The answer in what was received; undefined until it is there as a whole. */
function answerIn(received: string): RawAnswer | undefined {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1])
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
  const text = Buffer.from(rest.join('\r\n\r\n')).subarray(0, length).toString()
  if (!status || Number.isNaN(length) || Buffer.byteLength(text) < length) return undefined
  return { status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}
