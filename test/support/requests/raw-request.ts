import { connect } from 'node:net'

/** Sends bytes as they are and reads the answer to its end: for what no HTTP client would send. */
export function rawRequest(url: string, parts: readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const received: Buffer[] = []
    socket.on('data', (data) => received.push(data))
    socket.on('error', (error) => (received.length > 0 ? resolve(Buffer.concat(received).toString()) : reject(error)))
    socket.on('close', () => resolve(Buffer.concat(received).toString()))
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer within 30 s')))
    for (const part of parts) socket.write(part)
  })
}
