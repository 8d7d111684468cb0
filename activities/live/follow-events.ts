import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../base/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Condition } from '../../sql/query/ast.ts'
import { refuseEarlyBounds } from '../../sql/query/compared.ts'
import { compileArrived } from '../../sql/query/compile/rows.ts'
import { parseWhere } from '../../sql/query/index.ts'
import { withCaretOf } from '../../sql/query/placed-refusal.ts'
import { queueName } from '../../sql/schema/names.ts'
import { now_us } from '../pages/continuation.ts'
import type { RegisteredStream, Registry } from '../registry/registry.ts'
import {
  type AskedEvents,
  type BeginningDeps,
  createBeginning,
  type EventsRequest,
  noteOf,
  sourceOf,
} from './beginning.ts'
import type { Horizons, ReaderHorizon } from './horizons.ts'
import { cutBehind, type Followed, firstSpan_us, type Piece, type Pieces } from './pieces.ts'
import type { Position } from './position.ts'
import type { Readers } from './readers.ts'

export type FollowEventsDeps = BeginningDeps & {
  readonly registry: Pick<Registry, 'stream' | 'find'>
  readonly horizons: Horizons
  readonly pieces: Pieces
  readonly readers: Readers
  readonly metrics: Pick<Metrics, 'liveLag'>
  readonly logger: Logger
}

/** Gives the text of a stream, a piece at a time, whenever its reader can take more; undefined at its end. */
export type LiveStream = { readonly next: () => Promise<Buffer | undefined>; readonly leave: () => void }

const beat_ms = 10_000
const retry_ms = 500
/** Readers are told once that events cannot be read for longer than this, and once that they are read again. */
const outage_ms = 5_000
const awayNote = 'ClickHouse does not answer: the events that come meanwhile are sent once it does'
const backNote = 'ClickHouse answers again: the events that came meanwhile follow'

/** Sends the events of a stream as they come, from what is stored: a reader that is behind costs nothing until it reads on. */
export function createFollowEvents(deps: FollowEventsDeps) {
  const { registry, horizons, pieces, readers, metrics, logger } = deps
  const begin = createBeginning(deps)

  /** The stream as it is now: an edit may have changed it. */
  const followedNow = ({ target: { schema, stream }, where }: AskedEvents, gate: object): Followed | undefined => {
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

  function stream(request: AskedEvents, start: Position, first: string, joined: Joined, signal: AbortSignal) {
    const { schema, stream } = request.target
    const { gate } = registry.find(schema.name) ?? {}
    let horizon = joined.of(request.target)
    let position = start
    let span_us = firstSpan_us
    let beatAt_ms = performance.now() + beat_ms
    let hasWaited = false
    let failing: { readonly since_ms: number; isTold: boolean } | undefined
    let opening: string | undefined = first

    /** Reads the events behind a place; readers at places nearby share one read. */
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
        const isTold = failing?.isTold === true
        failing = undefined
        return isTold ? Buffer.concat([Buffer.from(noteOf([backNote])), piece.bytes]) : piece.bytes
      } catch (error) {
        logger.warn({ err: error, stream: queueName(schema.name, stream.name) }, 'live events not read, retrying')
        await sleep(retry_ms, undefined, { ref: false, signal }).catch(() => {})
        failing ??= { since_ms: performance.now(), isTold: false }
        if (failing.isTold || performance.now() - failing.since_ms < outage_ms) return undefined
        failing.isTold = true
        return Buffer.from(noteOf([awayNote]))
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
      refuseEarlyBounds(target.stream, where)
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

export type FollowEvents = ReturnType<typeof createFollowEvents>
