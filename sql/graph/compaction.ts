/** The tables of graphs that consist of several parts though nothing is written to them, and how each becomes one part. */
import { qualified } from '../identifier.ts'
import { graphDatabase } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'

/** When a table is at rest. */
export type Rest = {
  /** Seconds since its last write or merge, at least. */
  readonly leastSeconds: number
  /** A second for so many rows that it has. */
  readonly rowsASecond: number
  /** A table of more rows is left to ClickHouse's own merges. */
  readonly mostRows: number
}

/**
 * ClickHouse merges some 400,000 relations a second (version 26.7, a core): whoever writes again and again after a rest
 * makes it merge for a tenth of the time at most. And what is at most merged takes a quarter of a minute, for which a
 * deletion may have to wait.
 */
const atRest: Rest = { leastSeconds: 5, rowsASecond: 40_000, mostRows: 5_000_000 }

/** Column `table`: of several parts and at rest, the smallest first. */
export const compileLooseTables = ({ leastSeconds, rowsASecond, mostRows }: Rest = atRest): SqlStatement => ({
  text: [
    'SELECT table FROM system.parts WHERE database = {database:String} AND active',
    'GROUP BY table HAVING count() > 1 AND sum(rows) <= {mostRows:UInt64}',
    "AND dateDiff('second', max(modification_time), now()) >= greatest({leastSeconds:Float64}, floor(sum(rows) / {rowsASecond:Float64}))",
    'ORDER BY sum(rows)',
  ].join(' '),
  params: { database: graphDatabase, leastSeconds, rowsASecond, mostRows },
})

export const compactTable = (table: string): string => `OPTIMIZE TABLE ${qualified(graphDatabase, table)} FINAL`

/** What is under way is given up at once; until `allowMerges` the table is not merged. */
export const stopMerges = (table: string): string => `SYSTEM STOP MERGES ${qualified(graphDatabase, table)}`
export const allowMerges = (table: string): string => `SYSTEM START MERGES ${qualified(graphDatabase, table)}`
