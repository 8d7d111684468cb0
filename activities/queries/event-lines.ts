import { Fault } from '../../base/faults.ts'
import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { compileAlike, compileLines, compilePlaces, isUnlike } from '../../sql/query/compile/lines.ts'
import { documentMembers, type EventPosition } from '../../sql/query/compile/rows.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'
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
/** Of the columns of a part; their names come on top in its lines, and escapes of their texts. */
const maxColumnBytes = 12 * 1024 * 1024
/** Rows of the first part, from which on their size is known, and of any. */
const [firstRows, maxRows] = [1_000, 131_072]
/** Parts whose places are asked for at once. */
const maxPlaces = 8
/** Parts in vain, after which the events of an answer are no longer taken to be alike. */
const maxUnlike = 3

export type EventLinesRequest = {
  readonly target: RegisteredStream
  readonly statement: Select<'rows'>
  readonly query: StreamQuery
  /** Waits until the events are there that the answer must hold; notes on the condition. */
  readonly begin: (on: QueryClickHouse) => Promise<readonly string[]>
}

/**
 * Reads the events of a stream as lines, newest first. ClickHouse writes the lines of a part: the place of its last event is
 * asked for first, and the part is all events from the one before it to that place, so that its last line alone is read here.
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
  let places: EventPosition[] = []
  let hasMeasured = false
  /** The members of the event that came last, where all of them are columns. */
  let shape: ReadonlySet<string> | undefined
  let unlike = 0

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

  /** The place of the last event of the next part; undefined where that part is the last one. */
  async function placeOf(on: QueryClickHouse, source: StreamSource): Promise<EventPosition | undefined> {
    if (places.length === 0) {
      const count = !hasMeasured ? 1 : Math.min(maxPlaces, Math.max(1, Math.floor(left / rows)))
      const found = await on.rows<{ pk: string; seq: string }>(
        compilePlaces(source, { ...where, ...(after && { after }), apart: rows, count }),
      )
      // Copies of one event may stand at two places.
      places = found.filter(({ pk, seq }, at) => pk !== found[at - 1]?.pk || seq !== found[at - 1]?.seq)
    }
    return places[0]
  }

  /** Events that have the same members, and no others than columns, are left to ClickHouse's writer of JSON. */
  async function linesTo(on: QueryClickHouse, source: StreamSource, to: EventPosition | undefined): Promise<Buffer> {
    const request = { ...where, ...(after && { after }), ...(to && { to }) }
    if (shape && unlike < maxUnlike && rows > 1) {
      try {
        return await on.read(compileAlike(source, shape, { ...request, maxBytes: maxColumnBytes }), 'JSONEachRow')
      } catch (error) {
        if (!(error instanceof ClickHouseError && isUnlike(error))) throw error
        unlike++
      }
    }
    const bounded = { ...request, ...(rows > 1 && { maxBytes: maxPartBytes }) }
    return await on.read(compileLines(source, bounded), 'TabSeparatedRaw')
  }

  async function part(on: QueryClickHouse): Promise<{ lines: Buffer; to?: EventPosition }> {
    const source = { schema: target.schema, stream: target.stream, columns: target.columns, now_us: now_us() }
    const to = await placeOf(on, source)
    try {
      const lines = await linesTo(on, source, to)
      places.shift()
      hasMeasured = true
      shape = shapeOf(namesOfLast(lines), source)
      return { lines, ...(to && { to }) }
    } catch (error) {
      if (rows === 1 || !isTooLarge(error)) throw error
      rows = Math.ceil(rows / 8)
      places = []
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
      if (places.length === 0)
        rows = Math.min(maxRows, Math.max(1, Math.floor((partBytes * rows) / Math.max(1, lines.length))))
      return { lines, notes, isLast: false }
    },
  }
}

/** The answer is beyond its bound, or took too much memory to make. */
const isTooLarge = (error: unknown): boolean =>
  (error instanceof ClickHouseError && error.code === 396) ||
  (error instanceof Fault && error.details.limit === 'MAX_QUERY_MB')

/** The members of the last line; none where there is no line. */
function namesOfLast(lines: Buffer): readonly string[] {
  const end = Math.max(0, lines.length - 1)
  const line = lines.toString('utf8', lines.lastIndexOf(newline, end - 1) + 1, end)
  return line === '' ? [] : Object.keys(JSON.parse(line))
}

function shapeOf(names: readonly string[], source: StreamSource): ReadonlySet<string> | undefined {
  const known = new Set([...ours, ...documentMembers(source).map(([name]) => name)])
  const shape = new Set(names)
  return ours.every((name) => shape.has(name)) && names.every((name) => known.has(name)) ? shape : undefined
}

const ours = ['_pk', '_time', '_v']

const newline = 10

function countLines(lines: Buffer): number {
  let count = 0
  for (let at = lines.indexOf(newline); at >= 0; at = lines.indexOf(newline, at + 1)) count++
  return count
}
