import { createPool } from '../../base/pool.ts'
import { type ClickHouse, ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import type { Condition } from '../../sql/query/ast.ts'
import { compileArrived } from '../../sql/query/compile/rows.ts'
import { now_us } from '../pages/continuation.ts'
import type { RegisteredStream } from '../registry/registry.ts'
import { idOf, type Position } from './position.ts'

/** The events of a stream that match a condition, as readers follow them. `name` tells it from all else that is followed. */
export type Followed = {
  readonly name: string
  readonly target: RegisteredStream
  readonly where?: Condition
}

/** A run of events as they are sent, and the place behind it. */
export type Piece = {
  readonly bytes: Buffer
  readonly next: Position
  /** The `_seq` of its first event; absent where it has none. */
  readonly first?: number
  /** The span of `_seq` that had a good number of events: the next question begins with it. */
  readonly span_us: number
}

/** A reader that takes nothing more holds a piece or two: so they are small, and one event makes a piece larger. */
const pieceBytes = 16 * 1024
const readsAtOnce = 2
/** A question that takes longer keeps others waiting: from then on it has its turns among its like. */
const slow_ms = 1_000
const maxSlow = 1_000
const maxRows = 2_000
/** The max size of an answer with more than one row. */
const maxBytes = 4 * 1024 * 1024
/** Pieces that were read and that other readers at the same place may want, all streams together. */
const cacheBytes = 16 * 1024 * 1024
const cache_ms = 2_000
/** The span of `_seq` that is looked through first. Where little is in it the next one is so much longer. */
export const firstSpan_us = 1_000_000
const longer = 16
const [shortestSpan_us, longestSpan_us] = [10_000, 1e13]

/** An event as it is sent; its document holds no line feed. */
const [idBegins, eventEnds] = ['id: ', '\n\n']

/** ClickHouse's codes for an answer, and for memory, beyond their bounds. */
const tooMuch = [396, 241]

/**
 * Reads events in the order in which they came, a piece at a time. Readers that stand at the same place share what is
 * read, so those that keep up cost one question together; nothing is held for one that is behind.
 */
export function createPieces({ clickhouse }: { readonly clickhouse: Pick<ClickHouse, 'read'> }) {
  const quick = createPool(Array.from({ length: readsAtOnce }, () => ({})))
  const slow = createPool([{}])
  /** The names of those that were slow to read last. */
  const slowOnes = new Set<string>()

  async function inLane(name: string, work: () => Promise<Piece>): Promise<Piece> {
    return (slowOnes.has(name) ? slow : quick).use(async () => {
      const began_ms = performance.now()
      try {
        return await work()
      } finally {
        if (performance.now() - began_ms < slow_ms) slowOnes.delete(name)
        else {
          if (slowOnes.size >= maxSlow) slowOnes.clear()
          slowOnes.add(name)
        }
      }
    })
  }

  /** In the order in which they were read. */
  const cached = new Map<string, { readonly piece: Promise<Piece>; bytes: number; readonly at_ms: number }>()
  let bytes = 0
  let sweeping: NodeJS.Timeout | undefined

  function forget(name: string): void {
    bytes -= cached.get(name)?.bytes ?? 0
    cached.delete(name)
  }

  function sweep(): void {
    for (const [name, { at_ms }] of cached) {
      if (bytes <= cacheBytes && performance.now() - at_ms < cache_ms) break
      forget(name)
    }
    clearTimeout(sweeping)
    sweeping = cached.size > 0 ? setTimeout(sweep, cache_ms).unref() : undefined
  }

  function cache(name: string, piece: Promise<Piece>, size = 0): void {
    forget(name)
    cached.set(name, { piece, bytes: size, at_ms: performance.now() })
    bytes += size
    if (bytes > cacheBytes || !sweeping) sweep()
  }

  const nameOf = ({ name }: Followed, position: Position): string => `${idOf(position)} ${name}`

  /** The rows behind a place, in as many as an answer may have; `isAll`: there are no others up to `through`. */
  async function rows({ target, where }: Followed, { seq, seen = 0 }: Position, through: number): Promise<Found> {
    const { schema, stream, columns } = target
    const source = { schema, stream, columns, now_us: now_us() }
    const span = { behind: seen > 0 ? seq - 1 : seq, through, ...(where && { where }) }
    for (let limit = maxRows; ; limit = Math.ceil(limit / 16)) {
      const statement = compileArrived(source, { ...span, limit: limit + seen, ...(limit > 1 && { maxBytes }) })
      try {
        const found = rowsOf(await clickhouse.read(statement, 'TSVRaw'))
        return {
          rows: found.filter((row, index) => row.seq !== seq || index >= seen),
          isAll: found.length < limit + seen,
        }
      } catch (error) {
        const isTooMuch = error instanceof ClickHouseError && tooMuch.includes(error.code)
        if (!isTooMuch || limit === 1) throw error
      }
    }
  }

  /** Reads on behind a place, and keeps the pieces behind the first one. */
  async function read(followed: Followed, position: Position, through: number, firstSpan_us: number): Promise<Piece> {
    let from = position
    for (let span_us = firstSpan_us; ; span_us *= longer) {
      const end = Math.min(through, from.seq + span_us)
      const found = await rows(followed, from, end)
      if (found.rows.length === 0 && end < through) {
        from = { seq: end }
        continue
      }
      const next_us = spanAfter(found, span_us)
      const [first, ...others] = piecesOf(found, followed.target.stream.kind === 'input', from, end, next_us)
      if (!first) return { bytes: Buffer.alloc(0), next: { seq: end }, span_us: next_us }
      let { next } = first
      for (const piece of others) {
        cache(nameOf(followed, next), Promise.resolve(piece), piece.bytes.length)
        next = piece.next
      }
      return first
    }
  }

  return {
    /** The events behind `position` and up to `through`, the first of them; without bytes where there are none. */
    behind(followed: Followed, position: Position, through: number, span_us: number): Promise<Piece> {
      const name = nameOf(followed, position)
      const known = cached.get(name)
      if (known) return known.piece
      const piece = inLane(followed.name, () => read(followed, position, through, span_us))
      cache(name, piece)
      piece.catch(() => {
        if (cached.get(name)?.piece === piece) forget(name)
      })
      return piece
    },
    close: (): void => clearTimeout(sweeping),
  }
}

export type Pieces = ReturnType<typeof createPieces>

/** A piece without the events up to this `_seq`. */
export function cutBehind(piece: Piece, seq: number): Piece {
  if (piece.first === undefined || piece.first > seq) return piece
  const { bytes, next, span_us } = piece
  for (let at = 0; at < bytes.length; ) {
    const first = Number.parseInt(bytes.toString('latin1', at + idBegins.length, bytes.indexOf('\n', at)), 10)
    if (first > seq) return { bytes: bytes.subarray(at), next, span_us, first }
    at = bytes.indexOf(eventEnds, at) + eventEnds.length
  }
  return { bytes: Buffer.alloc(0), next, span_us }
}

type Row = { readonly seq: number; readonly document: string }
type Found = { readonly rows: readonly Row[]; readonly isAll: boolean }

/** A document holds no line feed and no tab. */
const rowsOf = (answer: Buffer): Row[] =>
  answer
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, seq = '', document = ''] = line.split('\t')
      return { seq: Number(seq), document }
    })

/** The span for the next question: one that brings a good number of rows. */
function spanAfter({ rows, isAll }: Found, span_us: number): number {
  if (!isAll) return Math.max(shortestSpan_us, Math.floor(span_us / 2))
  return rows.length < maxRows / longer ? Math.min(longestSpan_us, span_us * longer) : span_us
}

/** The copies of one event stay together where more rows follow than were read: none of them is cut off unless it is alone. */
function whole({ rows, isAll }: Found, isUnique: boolean): readonly Row[] {
  const last = rows.at(-1)?.seq
  if (isAll || isUnique || rows[0]?.seq === last) return rows
  return rows.slice(
    0,
    rows.findIndex(({ seq }) => seq === last),
  )
}

/** `isUnique`: no two rows have one `_seq`. `end` is how far the rows were looked for. */
function piecesOf(found: Found, isUnique: boolean, from: Position, end: number, span_us: number): Piece[] {
  const rows = whole(found, isUnique)
  const isCut = !found.isAll && !isUnique && rows.length === found.rows.length
  const pieces: Piece[] = []
  let text = ''
  let first = rows[0]?.seq
  let before = from
  for (const [index, { seq, document }] of rows.entries()) {
    const isLast = index === rows.length - 1
    const hasMore = isLast ? isCut : rows[index + 1]?.seq === seq
    const position = hasMore ? { seq, seen: before.seq === seq ? (before.seen ?? 0) + 1 : 1 } : { seq }
    text += `${idBegins}${idOf(position)}\nevent: event\ndata: ${document}${eventEnds}`
    before = position
    first ??= seq
    if (!isLast && text.length < pieceBytes) continue
    const next = isLast && found.isAll ? { seq: end } : position
    pieces.push({ bytes: Buffer.from(text), next, span_us, ...(first !== undefined && { first }) })
    text = ''
    first = undefined
  }
  return pieces
}
