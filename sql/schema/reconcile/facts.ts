import type { SqlStatement } from '../../statement.ts'

/** Rows `stream`: events tables whose window was changed after they were made. Only an edit writes their TTL so. */
export const compileRewindowed = (schema: string): SqlStatement => ({
  text: `SELECT name AS stream FROM system.tables WHERE database = {schema:String}
    AND (engine_full LIKE '%ttl_only_drop_parts = 0%' OR engine_full LIKE '%TTL toDateTime(greatest(4294967295%')`,
  params: { schema },
})

/** One row, `at`: when the schema was last changed. */
export const compileChanged = (schema: string): SqlStatement => ({
  text: 'SELECT toString(max(version)) AS at FROM weir.schemas WHERE name = {schema:String}',
  params: { schema },
})

/** Rows `stream`, `at`, `state`: streams that were ever OFF. */
export const compileSwitched = (schema: string): SqlStatement => ({
  text: 'SELECT stream, toString(version) AS at, state FROM weir.stream_states FINAL WHERE schema = {schema:String}',
  params: { schema },
})
