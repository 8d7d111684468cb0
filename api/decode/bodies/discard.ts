import type { IncomingMessage } from 'node:http'

/** The rest of a body that is refused is thrown away for so long, and up to so much. */
const patience_ms = 3_000
const mostBytes = 64 * 1024 * 1024

/** Hears a client out that reads no answer before it has sent all. */
export async function discard(request: IncomingMessage): Promise<void> {
  if (request.destroyed || Number(request.headers['content-length'] ?? 0) > mostBytes) return
  await new Promise<void>((resolve) => {
    let left = mostBytes
    const cut = setTimeout(resolve, patience_ms)
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) resolve()
    })
    request.once('end', resolve).once('close', () => {
      clearTimeout(cut)
      resolve()
    })
    request.resume()
  })
  request.pause()
}
