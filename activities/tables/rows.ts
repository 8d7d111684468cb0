import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { createParams, isInt64 } from '../../sql/query/compile/condition.ts'
import type { Condition, Statement } from '../../sql/query/index.ts'
import { readKeyText } from '../../sql/table/key.ts'
import { type FoundRecord, recordText } from '../../sql/table/record-text.ts'
import {
  compileByKeys,
  compileRecords,
  compileRowBytes,
  latestRecords,
  type RecordPosition,
  type VersionRow,
} from '../../sql/table/select.ts'
import type { Table } from '../../sql/table/table.ts'
import { compileWhere } from '../../sql/table/where.ts'
import { type Continuation, pageBytesOf } from '../pages/continuation.ts'
import type { Cursors } from '../pages/cursors.ts'
import { type Page, type Row, rawNumber } from '../pages/page.ts'
import type { OpenTable } from './open-tables.ts'
import { chooseScope } from './scopes.ts'

export type TableQuery = Continuation & { readonly text: string }

type Select = Extract<Statement, { kind: 'rows' }>

/** A page ends with a block, so a block is a small part of it. */
const blockBytes = 256 * 1024
const maxBlockRows = 1_024
/** Rows of a page that have to be sorted first. */
const sortedRows = 20_000

/** Answers `select *` on tables, page by page. */
export function createTableRows(cursors: Cursors) {
  async function blockRowsOf(table: Table, on: QueryClickHouse): Promise<number> {
    const [row] = await on.rows<{ bytes: number }>(compileRowBytes(table))
    return Math.min(maxBlockRows, Math.max(1, Math.floor(blockBytes / Math.max(1, row?.bytes ?? 0))))
  }

  function positionOf(table: Table, { lastKey, cursor, text }: TableQuery): RecordPosition | undefined {
    if (cursor !== undefined) {
      const { key, seq } = cursors.open(cursor, cursorScope(table, text))
      return key === undefined || seq === undefined ? undefined : { key, seq }
    }
    if (lastKey === undefined) return undefined
    return { key: table.keyKind === 'NORMAL_KEY_LONG' ? readKeyText(table, lastKey) : lastKey }
  }

  /** The record of a key in a table that keeps one. */
  async function byKey(table: Table, key: string, on: QueryClickHouse): Promise<FoundRecord[]> {
    const rows = await on.rows<VersionRow>(compileByKeys(table, [key], true))
    return latestRecords(rows).get(key) ?? []
  }

  async function page(
    table: Table,
    { where, limit }: Select,
    after: RecordPosition | undefined,
    on: QueryClickHouse,
  ): Promise<Found> {
    const target = await chooseScope(table, where, on)
    const asked = limit ?? Number.MAX_SAFE_INTEGER - 1
    const max = target.scope.inOrder ? asked : Math.min(asked, sortedRows)
    const bytes = pageBytesOf(limit)
    const blockRows = max < maxBlockRows ? maxBlockRows : await blockRowsOf(table, on)
    const fetch = async (position: RecordPosition | undefined, count: number): Promise<Buffer> => {
      const request = { limit: count, pageBytes: bytes, blockRows, ...(where && { where }) }
      const statement = compileRecords(table, target, { ...request, ...(position && { after: position }) })
      return on.read(statement, 'JSONCompactEachRow')
    }
    const answer = await fetch(after, max + 1)
    const found = foundRecords(answer)
    if (found.length > max) return { records: found.slice(0, max), more: true }
    const last = found.at(-1)
    const more =
      last !== undefined &&
      countedBytes(answer, found.length) > bytes &&
      (await fetch({ key: last.k, seq: last.s }, 1)).length > 0
    return { records: found, more }
  }

  return async ({ table }: OpenTable, statement: Select, query: TableQuery, on: QueryClickHouse): Promise<Page> => {
    const { where, limit } = statement
    if (limit === 0) return { rows: [], more: false, switchDone: 0, plainRows: () => [] }
    const after = positionOf(table, query)
    const key = after ? undefined : soleKey(table, where)
    const { records, more } =
      key === undefined
        ? await page(table, statement, after, on)
        : { records: await byKey(table, key, on), more: false }
    const last = records.at(-1)
    const position: Readonly<Record<string, string>> = last ? { key: last.k, seq: last.s } : { end: '1' }
    const wantsCursor = where !== undefined || (more && table.duplicates)
    return {
      rows: records.map((record) => rowOf(table, record)),
      more,
      switchDone: 0,
      plainRows: () => records.map((record) => recordText(table, record)),
      ...(last && (limit !== undefined || more) && { lastKey: keyOf(table, last.k) }),
      ...(wantsCursor && { cursor: cursors.seal(position, cursorScope(table, query.text)) }),
    }
  }
}

/** The same text means another table in another database. */
const cursorScope = ({ storage }: Table, text: string): string => `${storage}\n${text}`

type Found = { readonly records: readonly FoundRecord[]; readonly more: boolean }

const foundRecords = (answer: Buffer): FoundRecord[] =>
  answer
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): FoundRecord => {
      const [k, s, n, d]: [string, string, string, string] = JSON.parse(line)
      return { k, s, n, d }
    })

/** ClickHouse keeps four texts of a row with an offset of eight bytes each, and may count room that they do not fill. */
const rowBytes = 128

/**
 * The max bytes that ClickHouse counted for an answer. It does not report where it has ended one early by that count: below
 * the limit an answer is whole, and above it there may be more.
 */
const countedBytes = (answer: Buffer, rows: number): number => 2 * answer.length + rowBytes * rows

const keyOf = ({ keyKind }: Table, key: string): Row['k'] => (keyKind === 'NORMAL_KEY_LONG' ? rawNumber(key) : key)

const rowOf = (table: Table, found: FoundRecord): Row => ({ k: keyOf(table, found.k), v: valueOf(table, found) })

function valueOf(table: Table, found: FoundRecord): Row['v'] {
  if (table.kind === 'WIDE') return recordText(table, found)
  return table.kind === 'NORMAL' ? found.d : rawNumber(found.d)
}

/** The key of a condition that is `_pk = ...` and nothing else, where a key has one record. */
function soleKey(table: Table, where: Condition | undefined): string | undefined {
  if (table.duplicates || where?.kind !== 'compare' || where.path !== '_pk' || where.operator !== '=') return undefined
  compileWhere(table, where, createParams())
  return keyAsked(table, where)
}

/** The key of `where _pk = ...`, perhaps among other terms. */
export function keyAsked(table: Table, where: Condition | undefined): string | undefined {
  const terms = where?.kind === 'and' ? where.terms : [where]
  for (const term of terms) {
    if (term?.kind !== 'compare' || term.path !== '_pk' || term.operator !== '=') continue
    if (term.value.kind === 'string') return term.value.value
    if (term.value.kind === 'number' && isInt64(term.value.text)) return readKeyText(table, term.value.text)
  }
  return undefined
}
