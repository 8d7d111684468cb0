import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { faultOfSql } from '../../activities/analysts/sql-fault.ts'
import { fault } from '../../base/faults.ts'
import { type HeldBack, holdBack, outputOf } from '../../base/held-back.ts'
import type { SqlAnswer, SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import { contentType } from '../../infra/clickhouse/wire/content-types.ts'
import type { Logger } from '../../infra/logger.ts'
import { callerIn } from '../auth/permit.ts'
import { createRoutes, type Routes, read } from '../auth/routes.ts'
import { accepts } from '../http/accepts.ts'
import { clientOf } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { wantsEventStream } from '../http/event-stream.ts'
import { isEventual } from '../http/flags.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import * as calls from './calls.ts'
import type { ReachOf } from './reach.ts'
import { readSql } from './sql-body.ts'

export type SqlRoutesDeps = {
  /** Absent with a cluster. */
  readonly runner: SqlRunner | undefined
  readonly reachOf: ReachOf
  readonly bodyLimit: number
  readonly logger: Logger
}

/** A statement may be as long as on the analysts' port. */
const longestStatement = 4 * 1024 * 1024
/** A failure within this part of an answer has its own status. */
const heldBack = 1024 * 1024

/** Analysts' SQL beside the other calls: the fence, the limits and the places of queries are those of the analysts' port. */
export function sqlRoutes({ runner, reachOf, bodyLimit, logger }: SqlRoutesDeps): Routes {
  const routes = createRoutes()

  async function begin(context: Context, text: string): Promise<{ answer: SqlAnswer; held: HeldBack }> {
    if (!runner) {
      throw fault(
        'off',
        "with CLICKHOUSE_CLUSTER the ClickHouse servers answer analysts' SQL themselves, at their own port",
      )
    }
    const { sql, queryId: id = randomUUID(), eventual, ...asked } = readSql(text)
    const waits = !eventual && !isEventual(context.query)
    const asker = reachOf(callerIn(context), context.req.socket.remoteAddress)
    try {
      const answer = await runner.query(
        { id, text: sql, body: Buffer.alloc(0), waits, ...asked, ...asker },
        clientOf(context),
      )
      return { answer, held: await holdBack(answer.output, heldBack) }
    } catch (error) {
      if (clientOf(context).aborted) throw fault('abandoned', 'the client has gone', { cause: error })
      if (!(error instanceof ClickHouseError) || error.code === 0) throw error
      const { code } = error
      context.state.dialect = () => ({ code })
      throw faultOfSql(sql, error)
    }
  }

  routes.post('/sql', read('in list'), calls.runSql, async (context) => {
    if (wantsEventStream(context) && !accepts(context, 'application/json')) {
      throw fault(
        'invalid',
        'POST /sql answers once: POST /db/D/query (Accept: text/event-stream) or GET /db/D/query/live follows an answer',
      )
    }
    const text = await readText(context, Math.min(bodyLimit, longestStatement), 'the statement')
    const { answer, held } = await begin(context, text)
    context.type = contentType(answer.format)
    context.set('X-ClickHouse-Format', answer.format)
    if (held.isAll) context.body = Buffer.concat(held.begin)
    else streamAnswer(context, Readable.from(outputOf(held), { objectMode: false }), logger)
  })

  return routes
}
