import type { Loader } from '../load/load.ts'
import type { Latency, Peer } from '../peer/peer.ts'
import { median } from '../quantile.ts'
import { latencies } from '../queries/queries.ts'
import { type Figure, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'
import { groups, visitorOf } from './visits.ts'

/** A group-by over all time and an entity's row, beside the same question over the events themselves. */
export async function shopQueries(
  { loader, service, peer }: { loader: Loader; service: ServiceProcess; peer: Peer },
  { events, asks, rounds }: Size,
): Promise<Figure[]> {
  const ask = (sql: readonly string[]): Promise<Latency> =>
    loader.run({
      port: service.port,
      path: '/db/mydb/query',
      contentType: 'application/json',
      bodies: sql.map((text) => JSON.stringify({ sql: text })),
      connections: 1,
      until: { requests: asks },
    })
  const groupBy = [`select aggr(price) from shop.visits groupby country:page rollup 1 limit ${groups}`]
  const groupByPeer = [
    'SELECT country, page, count(price), avg(price), min(price), max(price), stddevSamp(price), skewSamp(price), kurtSamp(price) FROM shop.visits GROUP BY country, page',
  ]
  const visitors = Array.from({ length: 1_000 }, (_, i) => visitorOf((i * 997) % events))
  const entities = visitors.map((visitor) => `select * from shop.visitor_profile where visitor = "${visitor}"`)
  const entitiesPeer = visitors.map(
    (visitor) => `SELECT count(), uniq(page), avg(total) FROM shop.visits WHERE visitor = '${visitor}'`,
  )
  const grouped = await inTurn(rounds, { weir: () => ask(groupBy), peer: () => peer.query(groupByPeer, asks) })
  const row = await inTurn(rounds, { weir: () => ask(entities), peer: () => peer.query(entitiesPeer, asks) })
  const p50 = (found: readonly Latency[]): number => median(found.map(({ p50_ms }) => p50_ms))
  return [
    {
      part: 'shop',
      what: `group-by, rollup 1, ${whole(groups)} groups of ${whole(events)} events, p50 / p99`,
      weir: latencies(grouped.weir),
      beside: `over the events themselves, no HTTP, ${latencies(grouped.peer)}`,
      target: 'p50 under 50 ms',
      isMet: p50(grouped.weir) < 50,
    },
    {
      part: 'shop',
      what: `an entity by its key among ${whole(events)}, p50 / p99`,
      weir: latencies(row.weir),
      beside: `over the events themselves, no HTTP, ${latencies(row.peer)}`,
      target: 'under 10 ms',
      isMet: p50(row.weir) < 10,
    },
  ]
}
