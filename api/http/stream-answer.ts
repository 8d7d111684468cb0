import type { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Logger } from '../../infra/logger.ts'
import { idle_ms } from './stream-body.ts'

/** Answers with the bytes of `stream`. Where that fails half-way, the connection ends before the answer does. */
export function streamAnswer(context: Context, stream: Readable, logger: Logger): void {
  stream.once('error', (error) => {
    if (!context.res.destroyed) logger.warn({ err: error }, 'answer broke off')
  })
  context.res.setTimeout(idle_ms)
  context.body = stream
}
