import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Client } from '../../activities/live/readers.ts'
import type { Continuation } from '../../activities/pages/continuation.ts'
import type { LinesPart } from '../../activities/queries/page-lines.ts'
import { fault } from '../../base/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import { linesType } from '../http/accepts.ts'
import { refusalOf } from '../http/errors.ts'
import { noteInHeader } from '../http/notes.ts'
import { idle_ms } from '../http/stream-body.ts'

export type LinesRequest = {
  /** Asks for the next part, as a query of its own. */
  readonly ask: () => Promise<LinesPart>
  readonly cursorOf: (place: Continuation) => string
  readonly client: Client
  readonly logger: Logger
  /** Sentences about members of the request that do nothing. */
  readonly notes: readonly string[]
}

/**
 * Answers with a row a line, a part at a time: while one is sent the next is asked for, and no other. A slow reader holds two
 * parts and no place of a query. The last line of an answer that breaks off is the refusal.
 */
export async function answerLines(context: Context, request: LinesRequest): Promise<void> {
  // Where it cannot be answered at all the refusal is that of the call.
  const first = await request.ask()
  noteInHeader(context, [...first.notes, ...request.notes])
  context.res.setTimeout(idle_ms)
  context.type = linesType
  context.body = Readable.from(linesOf(context, first, request), { objectMode: false })
}

async function* linesOf(
  context: Context,
  first: LinesPart,
  { ask, cursorOf, client, logger }: LinesRequest,
): AsyncGenerator<Buffer> {
  try {
    for (let part = first; ; ) {
      if (!client.isGood()) throw fault('denied', 'the key is no longer good')
      const next = part.isLast ? undefined : ask()
      next?.catch(() => {}) // The loop below waits for it, unless the client leaves first.
      if (part.lines.length > 0) yield part.lines
      if (part.place) yield lineOf({ cursor: cursorOf(part.place), more_data_to_come: 1 })
      if (next === undefined) return
      part = await next
    }
  } catch (error) {
    if (client.gone.aborted) throw error
    yield lineOf(refusalOf(context, error, logger))
  }
}

const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
