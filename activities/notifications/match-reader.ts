import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { cleanMatches, compileHandled, compileMatches } from '../../sql/notification/matches.ts'
import type { Match } from './gather.ts'

/** The key of a match: the feed that brought it, and its event. */
export type MatchKey = readonly [source: string, seq: string]

type Row = { readonly source: string; readonly seq: string; readonly id: number; readonly event: string }

/** Matches as ClickHouse's views of the filters wrote them down. */
export function createMatchReader(clickhouse: ClickHouse) {
  /** The keys of matches that were handled and are still there. */
  async function handled(): Promise<MatchKey[]> {
    const rows = await clickhouse.rows<{ source: string; seq: string }>(compileHandled)
    return rows.map(({ source, seq }) => [source, seq])
  }

  return {
    /** The matches that no round has handled, oldest first. */
    async next(limit: number): Promise<Match[]> {
      const rows = await clickhouse.rows<Row>(compileMatches(limit))
      return rows.map(({ source, seq, id, event }) => ({ source, seq: Number(seq), notifid: id, event }))
    },

    handled,

    /** Takes out handled matches; returns the keys of those that stay, since the positions of a log are read from them. */
    async clean(): Promise<MatchKey[]> {
      await clickhouse.run(cleanMatches)
      return handled()
    },
  }
}

export type MatchReader = ReturnType<typeof createMatchReader>
