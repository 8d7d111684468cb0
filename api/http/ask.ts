import type { Context } from 'koa'
import { nameOf } from '../../activities/keys/doors.ts'
import type { Answers } from '../../activities/queries/answers.ts'
import type { Queries, QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { callerIn } from '../auth/permit.ts'

/** Runs what a request asks as one query, which ends when its client goes away. */
export type Ask = <Result>(
  context: Pick<Context, 'req' | 'res' | 'state'>,
  work: (answers: Answers) => Promise<Result>,
) => Promise<Result>

export const createAsk =
  (queries: Queries, answersOn: (clickhouse: QueryClickHouse) => Answers): Ask =>
  (context, work) =>
    queries.run(
      clientOf(context),
      (clickhouse) => work(answersOn(clickhouse)),
      nameOf(callerIn(context), context.req.socket.remoteAddress),
    )

/** Aborted when the connection ends before the answer does. */
function clientOf({ res }: Pick<Context, 'res'>): AbortSignal {
  const client = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) client.abort()
  })
  if (res.destroyed) client.abort()
  return client.signal
}
