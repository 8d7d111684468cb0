import { qualified } from '../../identifier.ts'
import type { SqlStatement } from '../../statement.ts'
import { feedView } from '../names.ts'
import type { Schema } from '../schema.ts'
import { statistics } from '../statistics.ts'
import { aggregateFeedQuery } from './aggregate.ts'
import type { DerivedTable } from './derived.ts'
import { dropViews } from './feeds.ts'
import { derivedTables } from './schema.ts'

/**
 * At commit f55a957 every pivot of a row was part of the key of its states, a row of states for each combination; now
 * sums about pivots are a map within the row. The tables keep their rows, and gain the column of that map.
 *
 * Rows `schema`, `view`: feeds of the old form. They are changed last, so that a crash anywhere is seen by the next start.
 */
export const compileOldMoments: SqlStatement = {
  text: [
    "SELECT database AS schema, name AS view FROM system.tables WHERE engine = 'MaterializedView'",
    "AND match(as_select, ' AS `?_s4_') AND position(as_select, 'sumMap') = 0",
  ].join(' '),
  params: {},
}

const hasMoments = ({ aggregate }: DerivedTable): boolean => aggregate.measures.some(({ kind }) => kind === 'RSTAT')

/** Brings the tables of a schema and the old ones of its feeds into the present form. Events may be fed meanwhile. */
export function upgradeMoments(schema: Schema, old: ReadonlySet<string>, views: readonly string[]): string[] {
  const tables = schema.streams.flatMap((stream) => derivedTables(schema, stream)).filter(hasMoments)
  const feeds = tables.flatMap(({ sources }) => sources)
  return [
    ...tables.flatMap(({ aggregate }) =>
      aggregate.measures
        .flatMap((measure) => (measure.kind === 'RSTAT' ? statistics.RSTAT.columns(measure).slice(-1) : []))
        .map(
          (column) =>
            `ALTER TABLE ${qualified(aggregate.database, aggregate.table)} ADD COLUMN IF NOT EXISTS ${column}`,
        ),
    ),
    // Those of analysts, which read the states.
    ...dropViews(schema),
    ...views,
    ...feeds.flatMap((source) => {
      const name = feedView(source.aggregate.table, source.stream, source.number)
      if (!old.has(name)) return []
      return [`ALTER TABLE ${qualified(schema.name, name)} MODIFY QUERY ${aggregateFeedQuery(source)}`]
    }),
  ]
}
