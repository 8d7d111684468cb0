import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { createParams } from '../../sql/query/compile/condition.ts'
import type { Condition } from '../../sql/query/index.ts'
import { scopesOf } from '../../sql/table/narrow.ts'
import { recordText } from '../../sql/table/record-text.ts'
import { compileRecords, type RecordPosition, type Scoped } from '../../sql/table/select.ts'
import type { Table } from '../../sql/table/table.ts'
import { type LinePage, type PageRequest, readPages } from './read-pages.ts'

/** The records of a table that a training takes: those that match, of which the hash is below a bound. */
export type RecordsTaken = { readonly where?: Condition; readonly below?: string }

/** A block of rows, with which a page ends, is a small part of it. */
const blockRows = 1_024
const pageBytes = 4 * 1024 * 1024

/** The records themselves, in the order of their keys, whatever indexes there are. */
export function allRecords(table: Table, where: Condition | undefined): Scoped {
  const params = createParams()
  const scope = scopesOf(table, where, params).at(-1)
  if (scope === undefined) throw new Error('a table has no scope')
  return { scope, params }
}

/**
 * Records of a table as lines of JSON, in the order of keys. Each record is as it is when its page is read; `counted` hears how
 * many each page holds.
 */
export function readRecords(
  clickhouse: ClickHouse,
  table: Table,
  taken: RecordsTaken,
  counted: (rows: number) => void,
): AsyncGenerator<Buffer> {
  const statement = ({ limit, after }: PageRequest<RecordPosition>) =>
    compileRecords(table, allRecords(table, taken.where), {
      ...{ ...taken, limit, pageBytes, blockRows: Math.min(limit, blockRows) },
      ...(after && { after }),
    })
  return readPages(
    clickhouse,
    { format: 'JSONCompactEachRow', statement, read: (answer) => pageOf(table, answer) },
    counted,
  )
}

function pageOf(table: Table, answer: string): LinePage<RecordPosition> {
  const rows = answer.split('\n').filter((row) => row !== '')
  let last: RecordPosition | undefined
  const lines = rows.map((row) => {
    const [k, s, n, d]: [string, string, string, string] = JSON.parse(row)
    last = { key: k, seq: s }
    return `${recordText(table, { k, s, n, d })}\n`
  })
  return { text: Buffer.from(lines.join('')), lines: rows.length, ...(last && { last }) }
}
