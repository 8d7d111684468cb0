import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { fault } from '../../infra/faults.ts'
import { createParams } from '../../sql/query/compile/condition.ts'
import type { Condition, Statement } from '../../sql/query/index.ts'
import { compileRemoval, compileReplacement } from '../../sql/table/change.ts'
import { decodeDocument, statementDocument } from '../../sql/table/document.ts'
import { readKeyText } from '../../sql/table/key.ts'
import { scopesOf } from '../../sql/table/narrow.ts'
import {
  compileByKeys,
  compileEstimate,
  compileRecordCount,
  compileRecords,
  compileRowBytes,
  latestRecords,
  type RecordPosition,
  type Scoped,
  type VersionRow,
} from '../../sql/table/select.ts'
import type { Table } from '../../sql/table/table.ts'
import { compileWhere } from '../../sql/table/where.ts'
import { parseJson } from '../ingest/json.ts'
import type { Cursors } from './cursors.ts'
import { type FoundRecord, recordText } from './records.ts'
import { type Page, type Row, rawNumber } from './rows.ts'
import type { Continuation } from './stream-query.ts'
import type { OpenTable } from './tables.ts'

export type TableQuery = Continuation & { readonly text: string }

type Of<Kind> = Extract<Statement, { kind: Kind }>

const pageBytes = 4 * 1024 * 1024
/** Bounds an answer whose number of rows the client bounds. */
const limitedBytes = 32 * 1024 * 1024
/** A page ends with a block, so a block is a small part of it. */
const blockBytes = 256 * 1024
const mostBlockRows = 1_024
/** Rows of a page that have to be sorted first. */
const pageRows = 20_000
/** An index that leaves more of the table than this is no help. */
const worthwhileShare = 0.1

/** Answers SQL on tables. */
export function createTableQueries({ clickhouse, cursors }: { clickhouse: ClickHouse; cursors: Cursors }) {
  async function scoped(table: Table, where: Condition | undefined): Promise<Scoped> {
    const params = createParams()
    const scopes = scopesOf(table, where, params)
    const [first, ...others] = scopes.map((scope) => ({ scope, params }))
    if (!first) throw new Error('a table has no scope')
    if (first.scope.inOrder || others.length === 0) return first
    const sizes = await Promise.all(
      [first, ...others].map(async (each) => {
        const [row] = await clickhouse.rows<{ rows: number }>(compileEstimate(table, each))
        return { each, rows: Number(row?.rows ?? 0) }
      }),
    )
    const records = sizes.at(-1)
    const [least] = sizes.slice(0, -1).sort((a, b) => a.rows - b.rows)
    return least && records && least.rows > records.rows * worthwhileShare ? records.each : (least?.each ?? first)
  }

  async function blockRowsOf(table: Table): Promise<number> {
    const [row] = await clickhouse.rows<{ bytes: number }>(compileRowBytes(table))
    return Math.min(mostBlockRows, Math.max(1, Math.floor(blockBytes / Math.max(1, row?.bytes ?? 0))))
  }

  async function countOf(table: Table, where: Condition | undefined): Promise<number> {
    const statement = compileRecordCount(table, await scoped(table, where), where)
    const [row] = await clickhouse.rows<{ count: number }>(statement)
    return Number(row?.count ?? 0)
  }

  function positionOf(table: Table, { lastKey, cursor, text }: TableQuery): RecordPosition | undefined {
    if (cursor !== undefined) {
      const { key, seq } = cursors.open(cursor, text)
      return key === undefined || seq === undefined ? undefined : { key, seq }
    }
    if (lastKey === undefined) return undefined
    return { key: table.keyKind === 'NORMAL_KEY_LONG' ? readKeyText(table, lastKey) : lastKey }
  }

  /** A select by key alone: rows of `table`, which keeps one record a key. */
  async function byKey(table: Table, where: Condition): Promise<Row[]> {
    compileWhere(table, where, createParams())
    const key = keyAsked(table, where) ?? ''
    const rows = await clickhouse.rows<VersionRow>(compileByKeys(table, [key], true))
    return (latestRecords(rows).get(key) ?? []).map((row) => rowOf(table, row))
  }

  return {
    async rows({ table }: OpenTable, { where, limit }: Of<'rows'>, query: TableQuery): Promise<Page> {
      const asked = limit ?? Number.MAX_SAFE_INTEGER - 1
      if (asked === 0) return { rows: [], more: false, switchDone: 0 }
      if (where && !table.duplicates && query.lastKey === undefined && isByKey(where)) {
        const rows = await byKey(table, where)
        const [row] = rows
        return {
          rows,
          more: false,
          switchDone: 0,
          ...(row && limit !== undefined && { lastKey: row.k }),
          cursor: cursors.seal({ end: '1' }, query.text),
        }
      }
      const target = await scoped(table, where)
      const most = target.scope.inOrder ? asked : Math.min(asked, pageRows)
      const fetch = async (after: RecordPosition | undefined, count: number): Promise<FoundRow[]> => {
        const request = {
          limit: count,
          pageBytes: mostBytes,
          blockRows,
          ...(where && { where }),
          ...(after && { after }),
        }
        return foundRows(await clickhouse.read(compileRecords(table, target, request), 'JSONCompactEachRow'))
      }
      const mostBytes = limit === undefined ? pageBytes : limitedBytes
      const blockRows = most < mostBlockRows ? mostBlockRows : await blockRowsOf(table)
      const found = await fetch(positionOf(table, query), most + 1)
      const shown = found.slice(0, most)
      const last = shown.at(-1)
      const position = last && { key: last.k, seq: last.s }
      const more =
        found.length > most ||
        (position !== undefined && mayBeCut(found, mostBytes) && (await fetch(position, 1)).length > 0)
      const wantsCursor = where !== undefined || (more && table.duplicates)
      return {
        rows: shown.map((row) => rowOf(table, row)),
        more,
        switchDone: 0,
        ...(last && (limit !== undefined || more) && { lastKey: keyOf(table, last.k) }),
        ...(wantsCursor && { cursor: cursors.seal(position ?? { end: '1' }, query.text) }),
      }
    },

    count: ({ table }: OpenTable, { where }: Of<'count'>): Promise<number> => countOf(table, where),

    /** Ends the records that match; answers how many. */
    remove: ({ writer }: OpenTable, { where }: Of<'delete'>): Promise<number> =>
      writer.alone(async (table, version) => {
        const count = await countOf(table, where)
        if (count > 0) await clickhouse.run(compileRemoval(table, await scoped(table, where), where, version))
        return count
      }),

    /** Gives the records that match another document; answers how many. */
    update: ({ writer }: OpenTable, { document: sent, where }: Of<'update'>): Promise<number> =>
      writer.alone(async (table, version) => {
        if (sent.kind === 'json') parseJson(sent.text, 'the document')
        const { document, key } = decodeDocument(table, statementDocument(table, sent))
        if (key !== undefined && key !== keyAsked(table, where)) {
          throw fault(
            'invalid',
            '_pk: an update keeps the keys; leave _pk out of the document, or write where _pk = the same',
          )
        }
        const count = await countOf(table, where)
        if (count > 0) {
          await clickhouse.run(compileReplacement(table, await scoped(table, where), where, document, version))
        }
        return count
      }),
  }
}

export type TableQueries = ReturnType<typeof createTableQueries>

type FoundRow = FoundRecord

const foundRows = (answer: Buffer): FoundRow[] =>
  answer
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): FoundRow => {
      const [k, s, n, d]: [string, string, string, string] = JSON.parse(line)
      return { k, s, n, d }
    })

/** ClickHouse ends a page after the block that exceeds it, so an answer far below that size is whole. */
const mayBeCut = (rows: readonly FoundRow[], bytes: number): boolean =>
  rows.reduce((bytes, { d }) => bytes + d.length, 0) > bytes / 8

const keyOf = ({ keyKind }: Table, key: string): Row['k'] => (keyKind === 'NORMAL_KEY_LONG' ? rawNumber(key) : key)

const rowOf = (table: Table, found: FoundRow): Row => ({ k: keyOf(table, found.k), v: valueOf(table, found) })

function valueOf(table: Table, found: FoundRow): Row['v'] {
  if (table.kind === 'WIDE') return recordText(table, found)
  return table.kind === 'NORMAL' ? found.d : rawNumber(found.d)
}

const isByKey = (where: Condition): boolean =>
  where.kind === 'compare' && where.path === '_pk' && where.operator === '='

/** The key of `where _pk = ...`. */
function keyAsked(table: Table, where: Condition | undefined): string | undefined {
  const terms = where?.kind === 'and' ? where.terms : [where]
  for (const term of terms) {
    if (term?.kind !== 'compare' || term.path !== '_pk' || term.operator !== '=') continue
    if (term.value.kind === 'string') return term.value.value
    if (term.value.kind === 'number') return readKeyText(table, term.value.text)
  }
  return undefined
}
