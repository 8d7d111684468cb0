import { fault } from '../../base/faults.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { compileRows, type EventPosition } from '../../sql/query/compile/rows.ts'
import { collect, cutPage, now_us, pageBytesOf, type Select, type StreamQuery } from '../pages/continuation.ts'
import type { Cursors } from '../pages/cursors.ts'
import { type Page, type Row, rawNumber } from '../pages/page.ts'
import { eventText } from '../pages/plain.ts'
import type { RegisteredStream } from '../registry/registry.ts'
import { keyOf } from './interval-key.ts'

/** `_pk`, `_seq`, document. */
type EventRow = readonly [pk: string, seq: string, document: string]

/** Answers `select *` on streams of events: newest first. */
export function createEventQueries(cursors: Cursors) {
  function position({ lastKey, cursor, text }: StreamQuery): EventPosition | undefined {
    if (cursor !== undefined) {
      const { pk, seq, seen } = cursors.open(cursor, text)
      // Answers without sec_buf come after ones with it: a client that keeps the old one would read the same pages for ever.
      if (pk !== undefined && lastKey !== undefined && keyOf(lastKey) < BigInt(pk)) {
        throw fault(
          'invalid',
          'sec_buf: is of an answer before that of levk; send those of the last answer, and no sec_buf where it has none',
        )
      }
      return pk === undefined ? undefined : { pk, ...(seq && { seq }), ...(seen && { seen: Number(seen) }) }
    }
    return lastKey === undefined ? undefined : { pk: String(keyOf(lastKey)) }
  }

  return {
    position,

    async rows(
      target: RegisteredStream,
      statement: Select<'rows'>,
      query: StreamQuery,
      on: QueryClickHouse,
      after = position(query),
    ): Promise<Page> {
      const limit = statement.limit ?? Number.MAX_SAFE_INTEGER - 1
      const source = { schema: target.schema, stream: target.stream, columns: target.columns, now_us: now_us() }
      const where = statement.where && { where: statement.where }
      const fetch = async (from: EventPosition | undefined, rows: number): Promise<EventRow[]> =>
        eventRows(
          await on.read(
            compileRows(source, { ...where, limit: rows, ...(from && { after: from }) }),
            'JSONCompactEachRow',
          ),
        )
      const pageBytes = pageBytesOf(statement.limit)
      const collecting = { after, behind: positionBehind, sizeOf, max: limit + 1, pageBytes }
      const found = limit === 0 ? [] : await collect(fetch, collecting)
      const { shown, cut } = cutPage(found.slice(0, limit), sizeOf, pageBytes)
      const more = cut || found.length > limit
      const last = shown.at(-1)
      const next = found[shown.length]
      const wantsCursor = statement.where !== undefined || (more && next?.[0] === last?.[0])
      return {
        rows: shown.map(([pk, , document]): Row => ({ k: rawNumber(pk), v: document })),
        more,
        switchDone: 1,
        ...(last && (statement.limit !== undefined || more) && { lastKey: rawNumber(last[0]) }),
        plainRows: () => shown.map(([pk, , document]) => eventText(pk, document)),
        ...(wantsCursor && { cursor: cursors.seal(sealed(positionBehind(shown, after)), query.text) }),
      }
    },
  }
}

export type EventQueries = ReturnType<typeof createEventQueries>

/** The place behind the last of these rows, which were read from behind `after`. */
function positionBehind(rows: readonly EventRow[], after: EventPosition | undefined): EventPosition | undefined {
  const [pk, seq] = rows.at(-1) ?? []
  if (pk === undefined || seq === undefined) return after
  const other = rows.findLastIndex((row) => row[0] !== pk || row[1] !== seq)
  const before = other === -1 && after?.pk === pk && after.seq === seq ? (after.seen ?? 0) : 0
  return { pk, seq, seen: rows.length - 1 - other + before }
}

/** The end of the events, too, has a cursor. */
const sealed = (position: EventPosition | undefined): Record<string, string> =>
  position === undefined
    ? { end: '1' }
    : {
        pk: position.pk,
        ...(position.seq && { seq: position.seq }),
        ...(position.seen && { seen: String(position.seen) }),
      }

const sizeOf = ([pk, , document]: EventRow): number => pk.length + Buffer.byteLength(document)

const eventRows = (answer: Buffer): EventRow[] =>
  answer
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): EventRow => JSON.parse(line))
