import { PassThrough, type Readable } from 'node:stream'
import type { Context } from 'koa'
import { fault } from '../../base/faults.ts'
import { inviteBody } from './body.ts'

const bufferBytes = 1024 * 1024
/** A connection on which nothing moves for this time is cut. */
export const idle_ms = 300_000
/**
 * After a refusal the rest of a body is thrown away for this time, for clients that read no answer before they sent
 * all.
 */
const patience_ms = 10_000

const brokenOff = () => fault('invalid', 'the body broke off before its end: nothing is kept of it')

/**
 * Gives a request's body of any size to `take` as it comes. `take` may destroy the stream without harm to the
 * connection, so that a refusal still finds its way to the client.
 */
export async function streamBody<Value>({ req }: Context, take: (content: Readable) => Promise<Value>): Promise<Value> {
  const content = new PassThrough({ highWaterMark: bufferBytes })
  content.on('error', () => {}) // It may break off before `take` listens.
  const breakOff = () => {
    if (!req.readableEnded) content.destroy(brokenOff())
  }
  const calm = () => req.setTimeout(0)
  req.once('close', breakOff).once('end', calm)
  inviteBody(req)
  if (req.destroyed) breakOff()
  else req.setTimeout(idle_ms).pipe(content)
  try {
    return await take(content)
  } catch (error) {
    if (req.destroyed && !req.readableEnded) throw brokenOff()
    req.off('end', calm).unpipe(content)
    if (!req.complete) cutLater(req)
    throw error
  }
}

function cutLater(req: Context['req']): void {
  req.resume()
  const cut = setTimeout(() => req.destroy(), patience_ms)
  req.once('close', () => clearTimeout(cut))
}
