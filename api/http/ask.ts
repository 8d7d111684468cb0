import type { Context } from 'koa'
import { nameOf } from '../../activities/keys/doors.ts'
import type { Answers } from '../../activities/queries/answers.ts'
import type { Queries, QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { callerIn } from '../auth/permit.ts'

/** Runs the work of a request as one query, which ends when its client goes away: `on` is its ClickHouse. */
export type Ask = <Result>(
  context: Pick<Context, 'req' | 'res' | 'state'>,
  work: (answers: Answers, on: QueryClickHouse) => Promise<Result>,
) => Promise<Result>

export const createAsk =
  (queries: Queries, answers: Answers): Ask =>
  (context, work) =>
    queries.run(
      clientOf(context),
      (on) => work(answers, on),
      nameOf(callerIn(context), context.req.socket.remoteAddress),
    )

/** One for each answer, however many questions it takes. */
const clients = new WeakMap<Context['res'], AbortSignal>()

/** Aborted when the connection ends before the answer does. */
export function clientOf({ res }: Pick<Context, 'res'>): AbortSignal {
  const known = clients.get(res)
  if (known) return known
  const client = new AbortController()
  clients.set(res, client.signal)
  res.once('close', () => {
    if (!res.writableFinished) client.abort()
  })
  if (res.destroyed) client.abort()
  return client.signal
}
