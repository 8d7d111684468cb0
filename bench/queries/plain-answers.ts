import { median } from '../quantile.ts'
import { type Figure, megabytes, milliseconds, ratio, spread, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import { timed } from '../timed.ts'
import { inTurn } from '../turns.ts'

const rounds = 3
const mostRows = 1_000_000
/** Events that are each posted and then asked for. */
const asks = 30

const post = (service: ServiceProcess, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${service.base}${path}`, { method: 'POST', body: JSON.stringify(body), headers })

/** Reads an answer to its end, and keeps nothing of it. */
async function drain(answer: Promise<Response>): Promise<void> {
  const { body, status } = await answer
  if (status !== 200 || !body) throw new Error(`status ${status}`)
  for await (const _ of body);
}

/** Rows of events as lines, beside analysts' JSONEachRow; and SQL that waits for an event, beside a query that does. */
export async function plainAnswers(service: ServiceProcess, events: number): Promise<Figure[]> {
  const rows = Math.min(events, mostRows)
  const limit = rows < events ? ` limit ${rows}` : ''
  const lines = { accept: 'application/x-ndjson' }
  const before = service.residentMegabytes()
  const told = await inTurn(rounds, {
    weir: () =>
      timed(() => drain(post(service, '/db/mydb/query', { sql: `select * from bench.orders${limit}` }, lines))),
    peer: () =>
      timed(() => drain(post(service, '/sql', { sql: `SELECT * FROM bench.orders${limit}`, format: 'JSONEachRow' }))),
  })
  const grown = service.residentMegabytes() - before
  const share = median(told.peer) / median(told.weir)

  /** The mean of questions, each right behind an event. */
  const behindEvents = async (ask: () => Promise<Response>): Promise<number> => {
    let sum = 0
    for (let i = 0; i < asks; i++) {
      await drain(post(service, '/stream/bench/orders', { price: 1 }))
      sum += await timed(() => drain(ask()))
    }
    return sum / asks
  }
  const span = Date.now() * 1_000
  const waited = await inTurn(rounds, {
    weir: () =>
      behindEvents(() => post(service, '/sql', { sql: `SELECT count() FROM bench.orders WHERE _pk >= ${span}` })),
    peer: () =>
      behindEvents(() =>
        post(service, '/db/mydb/query', { sql: `select count(*) from bench.orders where st >= ${span}` }),
      ),
  })
  return [
    {
      part: 'c',
      what: `${whole(rows)} events as lines of JSON`,
      weir: spread(told.weir, milliseconds),
      beside: `analysts' JSONEachRow ${spread(told.peer, milliseconds)}: ${ratio(share)} of its rate; ${megabytes(grown)} more memory`,
      target: '0.8',
      isMet: share >= 0.8,
    },
    {
      part: 'c',
      what: 'POST /sql that waits for the event before it',
      weir: spread(waited.weir, milliseconds),
      beside: `a query that waits ${spread(waited.peer, milliseconds)}: ${ratio(median(waited.weir) / median(waited.peer))}`,
      target: '',
    },
  ]
}
