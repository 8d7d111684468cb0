/** The tables of graphs that consist of several parts though nothing is written to them, and how each becomes one part. */
import { qualified } from '../identifier.ts'
import { graphDatabase } from '../schema/names.ts'
import type { SqlStatement } from '../statement.ts'

/** When a table is at rest. */
export type Rest = {
  /** Seconds since its last write or merge, at least. */
  readonly minSeconds: number
  /** The bytes, as they are before compression, for which a table is given a second. */
  readonly bytesASecond: number
  /** A table of more bytes is left to ClickHouse's own merges. */
  readonly maxBytes: number
}

/**
 * ClickHouse merges some 40 MB of relations a second with their projection, be they short or long (version 26.7, one core;
 * a million short ones are 96 MB). So a merge takes a quarter of a minute at most, for which a change of the table
 * may have to wait.
 */
const atRest: Rest = { minSeconds: 5, bytesASecond: 4_000_000, maxBytes: 500_000_000 }

/** Column `table`: of several parts and at rest, the smallest first. One that is being changed in its parts is not at rest. */
export const compileLooseTables = ({ minSeconds, bytesASecond, maxBytes }: Rest = atRest): SqlStatement => ({
  text: [
    'SELECT table FROM system.parts WHERE database = {database:String} AND active',
    'AND table NOT IN (SELECT table FROM system.mutations WHERE database = {database:String} AND NOT is_done)',
    'GROUP BY table HAVING count() > 1 AND sum(data_uncompressed_bytes) <= {maxBytes:UInt64}',
    "AND dateDiff('second', max(modification_time), now())",
    '>= greatest({minSeconds:Float64}, floor(sum(data_uncompressed_bytes) / {bytesASecond:Float64}))',
    'ORDER BY sum(data_uncompressed_bytes)',
  ].join(' '),
  params: { database: graphDatabase, minSeconds, bytesASecond, maxBytes },
})

/** A table that another process has merged meanwhile is not merged again. */
export const compactTable = (table: string): string =>
  `OPTIMIZE TABLE ${qualified(graphDatabase, table)} FINAL SETTINGS optimize_skip_merged_partitions = 1`

/** Merges and mutations of the table that are under way are given up at once; until `allowMerges` there are none. */
export const stopMerges = (table: string): string => `SYSTEM STOP MERGES ${qualified(graphDatabase, table)}`
export const allowMerges = (table: string): string => `SYSTEM START MERGES ${qualified(graphDatabase, table)}`
