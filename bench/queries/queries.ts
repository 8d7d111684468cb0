import type { Loader } from '../load/load.ts'
import { interval_us, timeOf } from '../load/workload.ts'
import type { Latency, Peer } from '../peer/peer.ts'
import { type Figure, milliseconds, ratio, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'

const intervals = 60

type QueryCase = {
  readonly what: string
  readonly sql: string
  /** What one would ask ClickHouse without the aggregates. */
  readonly peer: string
}

const moments =
  'count(price), sum(price), min(price), max(price), avg(price), stddevSamp(price), skewSamp(price), kurtSamp(price)'

/** Queries over a history of `events` orders. */
function cases(events: number): QueryCase[] {
  const last = timeOf(events - 1)
  const from = last - (last % interval_us) - (intervals - 1) * interval_us
  const span = `where st >= ${from} and et <= ${last}`
  return [
    {
      what: 'limit 10',
      sql: 'select * from bench.orders limit 10',
      peer: 'SELECT * FROM bench.orders ORDER BY _pk DESC, _seq DESC LIMIT 10',
    },
    {
      what: 'aggr, rollup 1',
      sql: 'select aggr(price) from bench.orders rollup 1',
      peer: `SELECT ${moments} FROM bench.orders`,
    },
    {
      what: `aggr, ${intervals} intervals`,
      sql: `select aggr(price) from bench.orders ${span}`,
      peer: `SELECT intDiv(_pk, ${interval_us}) AS i, ${moments} FROM bench.orders WHERE _pk BETWEEN ${from} AND ${last} GROUP BY i`,
    },
  ]
}

export type QueryResult = {
  readonly what: string
  readonly events: number
  readonly weir: Latency
  readonly peer: Latency
}

/** One client that asks each query `times` times over HTTP, and the peer that asks its own in process. */
export async function measureQueries(
  { loader, service, peer }: { loader: Loader; service: ServiceProcess; peer: Peer },
  events: number,
  times: number,
): Promise<QueryResult[]> {
  const results: QueryResult[] = []
  for (const { what, sql, peer: peerSql } of cases(events)) {
    const ask = (requests: number): Promise<Latency> =>
      loader.run({
        port: service.port,
        path: '/db/mydb/query',
        contentType: 'application/json',
        bodies: [JSON.stringify({ sql })],
        connections: 1,
        until: { requests },
      })
    const warmUps = Math.ceil(times / 5)
    await ask(warmUps)
    await peer.query(peerSql, warmUps)
    results.push({ what, events, weir: await ask(times), peer: await peer.query(peerSql, times) })
  }
  return results
}

/** Each query at the lesser number of events and at the greater one. */
export function queryFigures(results: readonly QueryResult[]): Figure[] {
  return results.map(({ what, events, weir, peer }): Figure => {
    const before = results.find((each) => each.what === what && each.events < events)
    const growth = before && weir.p50_ms / before.weir.p50_ms
    const isAggregate = what.startsWith('aggr')
    return {
      part: 'c',
      what: `${what} at ${whole(events)} events, p50 / p99${growth ? `; ${ratio(growth)} x that at ${whole(before.events)}` : ''}`,
      weir: latencies(weir),
      beside: `over the events themselves, no HTTP, ${latencies(peer)}`,
      target: isAggregate ? `p50 under 20 ms, aim 5${growth ? '; under 2 x' : ''}` : '',
      ...(isAggregate && { isMet: weir.p50_ms < 20 && (growth ?? 1) < 2 }),
    }
  })
}

const latencies = ({ p50_ms, p99_ms }: Latency): string => `${milliseconds(p50_ms)} / ${milliseconds(p99_ms)}`
