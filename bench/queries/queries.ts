import type { Loader } from '../load/load.ts'
import { interval_us, timeOf } from '../load/workload.ts'
import type { Latency, Peer } from '../peer/peer.ts'
import { median } from '../quantile.ts'
import { type Figure, milliseconds, ratio, spread, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import { inTurn } from '../turns.ts'

const intervals = 60

type QueryCase = {
  readonly what: string
  readonly sql: string
  /** The question to ClickHouse without the aggregates. */
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
  /** The latency of each round. */
  readonly weir: readonly Latency[]
  readonly peer: readonly Latency[]
}

const rounds = 3

/** One client that asks each query `times` times a round over HTTP, in turn with the peer that asks its own in process. */
export async function measureQueries(
  { loader, service, peer }: { loader: Loader; service: ServiceProcess; peer: Peer },
  events: number,
  times: number,
): Promise<QueryResult[]> {
  const results: QueryResult[] = []
  for (const { what, sql, peer: peerSql } of cases(events)) {
    const ask = (): Promise<Latency> =>
      loader.run({
        port: service.port,
        path: '/db/mydb/query',
        contentType: 'application/json',
        bodies: [JSON.stringify({ sql })],
        connections: 1,
        until: { requests: times },
      })
    const found = await inTurn(rounds, { weir: ask, peer: () => peer.query([peerSql], times) })
    results.push({ what, events, ...found })
  }
  return results
}

/** Each query at the lesser number of events and at the greater one. */
export function queryFigures(results: readonly QueryResult[]): Figure[] {
  return results.map(({ what, events, weir, peer }): Figure => {
    const before = results.find((each) => each.what === what && each.events < events)
    const growth = before && p50(weir) / p50(before.weir)
    const isAggregate = what.startsWith('aggr')
    return {
      part: 'c',
      what: `${what} at ${whole(events)} events, p50 / p99${growth ? `; ${ratio(growth)} x that at ${whole(before.events)}` : ''}`,
      weir: latencies(weir),
      beside: `over the events themselves, no HTTP, ${latencies(peer)}`,
      target: isAggregate ? `p50 under 20 ms, aim 5${growth ? '; under 2 x' : ''}` : '',
      ...(isAggregate && { isMet: p50(weir) < 20 && (growth ?? 1) < 2 }),
    }
  })
}

const p50 = (found: readonly Latency[]): number => median(found.map(({ p50_ms }) => p50_ms))

/** The p50 of rounds with its spread, and the p99. */
export const latencies = (found: readonly Latency[]): string =>
  `${spread(
    found.map(({ p50_ms }) => p50_ms),
    milliseconds,
  )} / ${milliseconds(median(found.map(({ p99_ms }) => p99_ms)))}`
