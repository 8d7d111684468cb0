import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../base/faults.ts'
import { type Catalogue, lastGone } from '../../infra/catalogue/catalogue.ts'
import type { Queries, QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Condition } from '../../sql/query/ast.ts'
import { compileArrived, compileFirstArrived, compileLatestArrived } from '../../sql/query/compile/rows.ts'
import { parseWhere } from '../../sql/query/index.ts'
import { withCaretOf } from '../../sql/query/placed-refusal.ts'
import { queueName } from '../../sql/schema/names.ts'
import { now_us } from '../pages/continuation.ts'
import { createUndeclaredNotes } from '../queries/undeclared.ts'
import type { RegisteredStream, Registry } from '../registry/registry.ts'
import type { Horizons, ReaderHorizon } from './horizons.ts'
import { cutBehind, type Followed, firstSpan_us, type Piece, type Pieces } from './pieces.ts'
import { idOf, type Position } from './position.ts'
import type { Client, Readers } from './readers.ts'

export type FollowEventsDeps = {
  readonly registry: Pick<Registry, 'stream' | 'find'>
  readonly queries: Pick<Queries, 'run'>
  readonly catalogue: Pick<Catalogue, 'goneAt'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
  readonly horizons: Horizons
  readonly pieces: Pieces
  readonly readers: Readers
  readonly metrics: Pick<Metrics, 'liveLag'>
  readonly logger: Logger
}

/** Where a reader begins: with the latest events, behind one that it has, or with what comes. */
export type Beginning = { readonly last: number } | { readonly after: Position } | 'now'

export type EventsRequest = {
  readonly target: RegisteredStream
  /** The text of a condition. */
  readonly where?: string
  readonly from: Beginning
  readonly client: Client
  /** Sentences about names that the client may not have meant, for the beginning. */
  readonly notes?: readonly string[]
}

type Asked = Omit<EventsRequest, 'where'> & {
  readonly where?: { readonly condition: Condition; readonly text: string }
}

/** Gives the text of a stream, a piece at a time, whenever its reader can take more; undefined at its end. */
export type LiveStream = { readonly next: () => Promise<Buffer | undefined>; readonly leave: () => void }

const beat_ms = 10_000
const retry_ms = 500
/** The latest events are looked for in so much time before now, and in so many times as much before that. */
const [latestSpan_us, longerSpan] = [60_000_000, 32]
/** The clocks of processes, which give ids, may differ by this. */
const clocks_us = 60_000_000

/** Sends the events of a stream as they come, from what is stored: a reader that is behind costs nothing until it reads on. */
export function createFollowEvents(deps: FollowEventsDeps) {
  const notesOn = createUndeclaredNotes()
  const { registry, queries, catalogue, feeder, horizons, pieces, readers, metrics, logger } = deps

  const sourceOf = ({ schema, stream, columns }: RegisteredStream) => ({ schema, stream, columns, now_us: now_us() })

  /**
   * The place before the `last` latest events that match, of those that were acknowledged by now. Looks through the newest
   * events first, and through so many more of the earlier ones where they are too few.
   */
  async function beforeLatest(
    { target, where }: Asked,
    last: number,
    now: number,
    on: QueryClickHouse,
  ): Promise<Position> {
    await feeder.caughtUp(target.queues)
    let missing = last
    let through = now
    for (let span_us = latestSpan_us; missing > 0 && through > 0; span_us *= longerSpan) {
      const behind = Math.max(0, through - span_us)
      const span = { behind, through, limit: missing, ...(where && { where: where.condition }) }
      for (const { s, copies } of await on.rows<{ s: string; copies: number }>(
        compileLatestArrived(sourceOf(target), span),
      )) {
        const seq = Number(s)
        if (copies > missing) return { seq, seen: copies - missing }
        missing -= copies
        if (missing === 0) return { seq: seq - 1 }
      }
      through = behind
    }
    return { seq: missing === 0 ? now : 0 }
  }

  /** The place up to which nothing is there, where events behind the place of a reader that comes back are gone. */
  async function gapBehind(
    target: RegisteredStream,
    { seq }: Position,
    now: number,
    on: QueryClickHouse,
  ): Promise<number | undefined> {
    if (seq > now + clocks_us) return now
    await feeder.caughtUp(target.queues)
    const { schema, stream } = target
    const gone = lastGone(await catalogue.goneAt(), schema.name, queueName(schema.name, stream.name))
    const expired = stream.window === 0 ? 0 : now_us() - stream.window * 1_000_000
    // A stream that was deleted and brought back has its events of before.
    const isGone = seq < gone && (await firstOf(target, 0, seq, on)) === 0
    const isExpired = seq < expired && (await firstOf(target, seq - 1, seq, on)) === 0
    if (!isGone && !isExpired) return undefined
    const first = await firstOf(target, seq, now, on)
    return first === 0 ? Math.max(seq, now) : first - 1
  }

  async function firstOf(
    target: RegisteredStream,
    behind: number,
    through: number,
    on: QueryClickHouse,
  ): Promise<number> {
    const [row] = await on.rows<{ first: string }>(compileFirstArrived(sourceOf(target), { behind, through }))
    return Number(row?.first ?? 0)
  }

  /**
   * Looks for the beginning as a query of the client's: within its bounds, and while the client is there. `opening`: what the
   * reader gets before all events. A client that takes an id without data for none goes on from that of `open`.
   */
  async function begin(request: Asked, now: number): Promise<{ position: Position; opening: string }> {
    const { target, from, client, where, notes = [] } = request
    const asking = <Result>(work: (on: QueryClickHouse) => Promise<Result>) =>
      queries.run(client.gone, work, client.user)
    const told = [...notes, ...(where === undefined ? [] : await asking((on) => notesOn(target, where.condition, on)))]
    const opened = (position: Position): string =>
      `id: ${idOf(position)}\nevent: open\ndata: {}\n\n${told.length > 0 ? noteOf(told) : ''}`
    if (from === 'now') return { position: { seq: now }, opening: opened({ seq: now }) }
    if ('last' in from) {
      const position = await asking((on) => beforeLatest(request, from.last, now, on))
      return { position, opening: opened(position) }
    }
    const to = await asking((on) => gapBehind(target, from.after, now, on))
    if (to === undefined) return { position: from.after, opening: opened(from.after) }
    const gap = JSON.stringify({ from: idOf(from.after), to: String(to) })
    return { position: { seq: to }, opening: `${opened(from.after)}id: ${to}\nevent: gap\ndata: ${gap}\n\n` }
  }

  /** The stream as it is now: an edit may have changed it. */
  const followedNow = ({ target: { schema, stream }, where }: Asked, gate: object): Followed | undefined => {
    const registered = registry.find(schema.name)
    const target = registered?.streams.get(stream.name)
    if (!target || registered?.gate !== gate) return undefined
    const name = JSON.stringify([schema.name, stream.name, where?.text])
    return { name, target, ...(where && { where: where.condition }) }
  }

  /** The horizon of a stream's queues, which an edit may change. */
  function joinHorizon(first: RegisteredStream) {
    let { queues } = first
    let horizon = horizons.join(queues)
    let hasLeft = false
    return {
      of(target: RegisteredStream): ReaderHorizon {
        if (target.queues.join() === queues.join() || hasLeft) return horizon
        horizon.leave()
        queues = target.queues
        horizon = horizons.join(queues)
        return horizon
      },
      leave(): void {
        if (!hasLeft) horizon.leave()
        hasLeft = true
      },
    }
  }

  function stream(request: Asked, start: Position, first: string, joined: Joined, signal: AbortSignal) {
    const { schema, stream } = request.target
    const { gate } = registry.find(schema.name) ?? {}
    let horizon = joined.of(request.target)
    let position = start
    let span_us = firstSpan_us
    let beatAt_ms = performance.now() + beat_ms
    let hasWaited = false
    let opening: string | undefined = first

    /** The events behind a place; readers near it share what is read. */
    async function behind(
      followed: Followed,
      place: Position,
      { togetherFrom, reached }: ReaderHorizon,
    ): Promise<Piece> {
      for (let from = togetherFrom(place); ; ) {
        const piece = await pieces.behind(followed, from, reached(), span_us)
        if (from === place) return piece
        if (piece.next.seq > place.seq) return cutBehind(piece, place.seq)
        from = piece.next.seq > from.seq ? piece.next : place
      }
    }

    async function read(): Promise<Buffer | undefined> {
      const followed = gate && followedNow(request, gate)
      if (!followed) {
        await sleep(retry_ms, undefined, { ref: false, signal }).catch(() => {})
        return undefined
      }
      horizon = joined.of(followed.target)
      if (!horizon.hasNews(position.seq)) return undefined
      try {
        const piece = await behind(followed, position, horizon)
        ;({ next: position, span_us } = piece)
        if (hasWaited && piece.first !== undefined) metrics.liveLag.observe(Math.max(0, now_us() - piece.first) / 1e6)
        hasWaited = false
        return piece.bytes
      } catch (error) {
        logger.warn({ err: error, stream: queueName(schema.name, stream.name) }, 'live events not read, retrying')
        await sleep(retry_ms, undefined, { ref: false, signal }).catch(() => {})
        return undefined
      }
    }

    return async (): Promise<Buffer | undefined> => {
      if (opening !== undefined) {
        const bytes = Buffer.from(opening)
        opening = undefined
        return bytes
      }
      while (!signal.aborted) {
        if (horizon.hasNews(position.seq)) {
          const bytes = await read()
          if (signal.aborted) break
          if (bytes && bytes.length > 0) {
            beatAt_ms = performance.now() + beat_ms
            return bytes
          }
        }
        const left_ms = beatAt_ms - performance.now()
        if (left_ms <= 0) {
          beatAt_ms = performance.now() + beat_ms
          if (!horizon.hasNews(position.seq) && horizon.reached() > position.seq) position = { seq: horizon.reached() }
          return Buffer.from(':\n\n')
        }
        if (horizon.hasNews(position.seq)) continue
        hasWaited = true
        await horizon.wait(left_ms, signal)
      }
      return undefined
    }
  }

  /** A refusal of the text tells its place. */
  function conditionOf(target: RegisteredStream, text: string): Condition {
    try {
      const where = parseWhere(text)
      compileArrived(sourceOf(target), { where, behind: 0, through: 0, limit: 0 })
      return where
    } catch (error) {
      throw withCaretOf(text, error)
    }
  }

  return async ({ where: text, ...request }: EventsRequest): Promise<LiveStream> => {
    const { schema, stream: of } = request.target
    if (of.kind === 'entity') {
      throw fault(
        'invalid',
        `${schema.name}.${of.name} is an entity stream, and has no events; POST /db/mydb/query with Accept: text/event-stream follows what it counts`,
      )
    }
    const where = text === undefined ? {} : { where: { condition: conditionOf(request.target, text), text } }
    const asked = { ...request, ...where }
    const { gate } = registry.find(schema.name) ?? {}
    const isThere = (): boolean => {
      const registered = registry.find(schema.name)
      return registered !== undefined && registered.gate === gate && registered.streams.has(of.name)
    }
    const reader = readers.enter(request.client, isThere)
    const joined = joinHorizon(request.target)
    const leave = (): void => {
      joined.leave()
      reader.leave()
    }
    try {
      const now = await horizons.now(request.target.queues)
      const { position, opening } = await begin(asked, now)
      const next = stream(asked, position, opening, joined, reader.signal)
      return { next, leave }
    } catch (error) {
      leave()
      throw error
    }
  }
}

type Joined = { readonly of: (target: RegisteredStream) => ReaderHorizon; readonly leave: () => void }

const noteOf = (notes: readonly string[]): string => `event: note\ndata: ${JSON.stringify({ error: notes })}\n\n`

export type FollowEvents = ReturnType<typeof createFollowEvents>
