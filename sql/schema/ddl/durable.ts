import { localOf } from '../../cluster/names.ts'
import { qualified } from '../../identifier.ts'
import type { SqlStatement } from '../../statement.ts'
import { graphDatabase } from '../names.ts'
import { durable } from './aggregate.ts'

/** Rows `database`, `name`: tables of schemas and graphs that an earlier version made, whose inserts are not synced. */
export const compileUnsynced = (schemas: readonly string[]): SqlStatement => ({
  text: [
    'SELECT database, name FROM system.tables',
    "WHERE has(splitByChar(',', {databases:String}), database) AND engine LIKE '%MergeTree'",
    "AND engine_full NOT LIKE '%fsync_after_insert = 1%' ORDER BY database, name",
  ].join(' '),
  params: { databases: [graphDatabase, ...schemas].join(',') },
})

const localEnd = localOf('')

/** Safe to repeat. On a cluster the statement goes to each node's part by the name of the whole. */
export const makeDurable = (database: string, table: string): string =>
  `ALTER TABLE ${qualified(database, table.endsWith(localEnd) ? table.slice(0, -localEnd.length) : table)} MODIFY SETTING ${durable}`
