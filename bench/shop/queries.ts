import type { Loader } from '../load/load.ts'
import type { Latency, Peer } from '../peer/peer.ts'
import { type Figure, milliseconds, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import type { Size } from '../size.ts'
import { groups, visitorOf } from './visits.ts'

/** A group-by over all time and an entity's row, beside the same question over the events themselves. */
export async function shopQueries(
  { loader, service, peer }: { loader: Loader; service: ServiceProcess; peer: Peer },
  { events, asks }: Size,
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
  const latencies = ({ p50_ms, p99_ms }: Latency): string => `${milliseconds(p50_ms)} / ${milliseconds(p99_ms)}`
  const groupBy = [`select aggr(price) from shop.visits groupby country:page rollup 1 limit ${groups}`]
  await ask(groupBy)
  const grouped = await ask(groupBy)
  const groupedPeer = await peer.query(
    `SELECT country, page, count(price), avg(price), min(price), max(price), stddevSamp(price), skewSamp(price), kurtSamp(price) FROM shop.visits GROUP BY country, page`,
    Math.ceil(asks / 10),
  )
  const rows = Array.from(
    { length: 1_000 },
    (_, i) => `select * from shop.visitor_profile where visitor = "${visitorOf((i * 997) % events)}"`,
  )
  await ask(rows)
  const row = await ask(rows)
  const rowPeer = await peer.query(
    `SELECT count(), uniq(page), avg(total) FROM shop.visits WHERE visitor = '${visitorOf(7)}'`,
    Math.ceil(asks / 10),
  )
  return [
    {
      part: 'shop',
      what: `group-by, rollup 1, ${whole(groups)} groups of ${whole(events)} events, p50 / p99`,
      weir: latencies(grouped),
      beside: `over the events themselves, no HTTP, ${latencies(groupedPeer)}`,
      target: 'p50 under 50 ms',
      isMet: grouped.p50_ms < 50,
    },
    {
      part: 'shop',
      what: `an entity by its key among ${whole(events)}, p50 / p99`,
      weir: latencies(row),
      beside: `over the events themselves, no HTTP, ${latencies(rowPeer)}`,
      target: 'under 10 ms',
      isMet: row.p50_ms < 10,
    },
  ]
}
