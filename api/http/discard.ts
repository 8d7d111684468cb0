import type { IncomingMessage } from 'node:http'
import { isBodyComing } from './invitation.ts'

/** The rest of a body that is refused is thrown away for so long. */
const patience_ms = 3_000

/** Hears a client out that reads no answer before it has sent all. */
export async function discard(request: IncomingMessage): Promise<void> {
  if (request.destroyed || !isBodyComing(request)) return
  await new Promise<void>((resolve) => {
    const cut = setTimeout(resolve, patience_ms)
    request.once('end', resolve).once('close', () => {
      clearTimeout(cut)
      resolve()
    })
    request.resume()
  })
  request.pause()
}
