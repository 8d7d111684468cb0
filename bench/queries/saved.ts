import { median } from '../quantile.ts'
import { type Figure, milliseconds, ratio, spread, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import { timed } from '../timed.ts'
import { inTurn } from '../turns.ts'

/** One ask a round, in turn with the other way: a mean of many would have the worst moments of the machine in it. */
const asks = 200
const atOnce = 500
/** Long enough that all come while it is asked. */
const slow = 'SELECT generateUUIDv4() AS id, sum(cityHash64(number)) AS sum FROM numbers(300000000)'
const sql = 'SELECT count() AS n FROM bench.orders WHERE price > {least:Float64}'

async function text(answer: Promise<Response>): Promise<string> {
  const response = await answer
  const body = await response.text()
  if (!response.ok) throw new Error(`status ${response.status}: ${body}`)
  return body
}

/** The time that an endpoint adds to its query, beside the same statement by POST /sql; and how often it is asked for many at once. */
export async function savedQuestions(service: ServiceProcess): Promise<Figure[]> {
  const send = (method: string, path: string, body: object) =>
    text(fetch(`${service.base}${path}`, { method, body: JSON.stringify(body) }))
  await send('PUT', '/saved/bench', { sql })
  await send('PUT', '/saved/bench_once', { sql: slow })
  let least = 0
  const told = await inTurn(asks, {
    weir: () => timed(() => text(fetch(`${service.base}/saved/bench/rows?least=${++least}`))),
    peer: () => timed(() => send('POST', '/sql', { sql, params: { least: ++least }, format: 'JSONEachRow' })),
  })
  const added = median(told.weir) - median(told.peer)
  const ids = new Set<string>()
  const many = await timed(async () => {
    const asked = Array.from({ length: atOnce }, () => text(fetch(`${service.base}/saved/bench_once/rows`)))
    for (const answer of await Promise.all(asked)) ids.add(answer)
  })
  return [
    {
      part: 'c',
      what: 'a saved question',
      weir: spread(told.weir, milliseconds),
      beside: `the same by POST /sql ${spread(told.peer, milliseconds)}: ${ratio(added)} ms more`,
      target: '1 ms more',
      isMet: added <= 1,
    },
    {
      part: 'c',
      what: `${whole(atOnce)} equal saved questions at once`,
      weir: milliseconds(many),
      beside: `${whole(ids.size)} queries`,
      target: '1 query',
      isMet: ids.size === 1,
    },
  ]
}
