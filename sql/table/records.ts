/**
 * How records stand in ClickHouse. A record is a row under index 0; each index adds a copy of the row under its own
 * number, ordered by the value that it covers, so that a filter reads the rows that match and no others. All rows of a
 * write are one insert, so one part: whole or not there. The latest version of a row counts, and `_deleted` ends it.
 */
import type { Table } from './table.ts'

export type RecordRow = {
  readonly index: number
  readonly text: string
  readonly number: number
  readonly key: string
  /** The number that tells records of one key apart, the newest has the least; 0 in a table without duplicates. */
  readonly seq: number
  readonly document: string
  readonly v: number
  readonly version: number
  readonly deleted: boolean
}

/** The columns that say under which index a row stands and where; the rest of the key is `_pk, _seq`. */
export const orderKey = '_index, _text, _number, _pk, _seq'
export const mainRows = "_index = 0 AND _text = '' AND _number = 0"

/** One line of JSONEachRow. */
export function recordLine({ keyKind }: Table, row: RecordRow): string {
  const key = keyKind === 'NORMAL_KEY_LONG' ? row.key : JSON.stringify(row.key)
  return [
    `{"_index":${row.index},"_text":${JSON.stringify(row.text)},"_number":${row.number},"_pk":${key}`,
    `,"_seq":${row.seq},"doc":${JSON.stringify(row.document)},"_v":${row.v}`,
    `,"_version":${row.version},"_deleted":${row.deleted ? 1 : 0}}\n`,
  ].join('')
}
