import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { LiveStream } from '../../activities/live/follow-events.ts'
import { accepts } from './accepts.ts'
import { idle_ms } from './stream-body.ts'

const eventStreamType = 'text/event-stream'

/** Whether a client asks for server-sent events by their name. */
export const wantsEventStream = (context: Pick<Context, 'req'>): boolean => accepts(context, eventStreamType)

/**
 * Answers with server-sent events (HTML Standard, section 9.2). A piece is asked for when the connection can take it, so a
 * reader that takes none has a piece at most that waits for it.
 */
export function answerEventStream(context: Context, { next, leave }: LiveStream): void {
  const { res, req } = context
  res.once('close', leave)
  context.type = eventStreamType
  context.set('Cache-Control', 'no-store')
  // Of nginx: the answer is not gathered there.
  context.set('X-Accel-Buffering', 'no')
  if (context.method === 'HEAD') {
    leave()
    context.status = 200
    return
  }
  res.setTimeout(idle_ms)
  req.resume()
  const nextOrBeat = withBeats(next)
  context.body = new Readable({
    highWaterMark: 1,
    read() {
      nextOrBeat().then(
        (bytes) => this.push(bytes ?? null),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    },
  })
}

const beat = Buffer.from(':\n\n')
/** Longer than the beats of streams at rest, so that these come by themselves. */
const patience_ms = 12_000

/** A comment wherever the next piece takes long, as where ClickHouse stands still: the reader sees that the stream lives. */
export function withBeats(next: LiveStream['next'], every_ms = patience_ms): LiveStream['next'] {
  let coming: Promise<Buffer | undefined> | undefined
  return async () => {
    coming ??= next()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Buffer>((resolve) => {
      timer = setTimeout(resolve, every_ms, beat).unref()
    })
    try {
      const bytes = await Promise.race([coming, late])
      if (bytes !== beat) coming = undefined
      return bytes
    } finally {
      clearTimeout(timer)
    }
  }
}
