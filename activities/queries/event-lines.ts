import { Fault } from '../../base/faults.ts'
import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { compileLines, compilePlace } from '../../sql/query/compile/lines.ts'
import type { EventPosition } from '../../sql/query/compile/rows.ts'
import { now_us, type Select, type StreamQuery } from '../pages/continuation.ts'
import { placeBehind } from '../pages/plain-cursor.ts'
import type { RegisteredStream } from '../registry/registry.ts'
import type { EventQueries } from './events.ts'
import type { LineReader, LinesPart } from './page-lines.ts'

/**
 * Bytes of a part, about, and the max, beyond which it is asked for again with fewer rows. A part costs two questions beside
 * its rows, and some eight times its bytes of memory while it is made and sent.
 */
const partBytes = 6 * 1024 * 1024
const maxPartBytes = 32 * 1024 * 1024
/** Rows of the first part, from which on their size is known, and of any. */
const [firstRows, maxRows] = [1_000, 131_072]

export type EventLinesRequest = {
  readonly target: RegisteredStream
  readonly statement: Select<'rows'>
  readonly query: StreamQuery
  /** Waits until the events are there that the answer must hold; notes on the condition. */
  readonly begin: (on: QueryClickHouse) => Promise<readonly string[]>
}

/**
 * Reads the events of a stream as lines, newest first. ClickHouse writes the lines of a part: the place of its last event is
 * asked for first, and the part is all events from the one before it to that place, so that no line has to be read here.
 */
export function createEventLines(
  events: EventQueries,
  { target, statement, query, begin }: EventLinesRequest,
): LineReader {
  const where = statement.where && { where: statement.where }
  let after: EventPosition | undefined
  let left = statement.limit ?? Number.POSITIVE_INFINITY
  let rows = firstRows
  let hasBegun = false

  /** The rest, where the limit ends within it: its last event may have a twin behind it. */
  async function rest(on: QueryClickHouse, notes: readonly string[]): Promise<LinesPart> {
    const page = await events.rows(target, { ...statement, limit: left }, query, on, after)
    const lines = Buffer.from(
      page
        .plainRows()
        .map((row) => `${row}\n`)
        .join(''),
    )
    const place = placeBehind(page)
    if (place === undefined) return { lines, notes, isLast: true }
    left -= page.rows.length
    if (left <= 0) return { lines, notes, place, isLast: true }
    // The page ended by its size.
    after = events.position({ text: query.text, eventual: true, ...place })
    return { lines, notes, isLast: false }
  }

  async function part(on: QueryClickHouse): Promise<{ lines: Buffer; to?: EventPosition }> {
    const source = { schema: target.schema, stream: target.stream, columns: target.columns, now_us: now_us() }
    const request = { ...where, ...(after && { after }) }
    const [last] = await on.rows<{ pk: string; seq: string }>(compilePlace(source, { ...request, behind: rows }))
    const to = last && { pk: last.pk, seq: last.seq }
    try {
      const bounded = { ...request, ...(to && { to }), ...(rows > 1 && { maxBytes: maxPartBytes }) }
      const lines = await on.read(compileLines(source, bounded), 'TabSeparatedRaw')
      return { lines, ...(to && { to }) }
    } catch (error) {
      if (rows === 1 || !isTooLarge(error)) throw error
      rows = Math.ceil(rows / 8)
      return part(on)
    }
  }

  return {
    async next(on) {
      const notes = hasBegun ? [] : await begin(on)
      if (!hasBegun) after = events.position(query)
      hasBegun = true
      if (left <= rows) return rest(on, notes)
      const { lines, to } = await part(on)
      if (to === undefined) return { lines, notes, isLast: true }
      if (statement.limit !== undefined) {
        const count = countLines(lines)
        // Events came between that are older: the limit is within the part by now.
        if (count >= left) return rest(on, notes)
        left -= count
      }
      after = to
      rows = Math.min(maxRows, Math.max(1, Math.floor((partBytes * rows) / Math.max(1, lines.length))))
      return { lines, notes, isLast: false }
    },
  }
}

/** The answer is beyond its bound, or took too much memory to make. */
const isTooLarge = (error: unknown): boolean =>
  (error instanceof ClickHouseError && error.code === 396) ||
  (error instanceof Fault && error.details.limit === 'MAX_QUERY_MB')

function countLines(lines: Buffer): number {
  let count = 0
  for (let at = lines.indexOf(10); at >= 0; at = lines.indexOf(10, at + 1)) count++
  return count
}
