import { type Catalogue, lastGone } from '../../infra/catalogue/catalogue.ts'
import type { Queries, QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Condition } from '../../sql/query/ast.ts'
import { compileFirstArrived, compileLatestArrived } from '../../sql/query/compile/rows.ts'
import { queueName } from '../../sql/schema/names.ts'
import { now_us } from '../pages/continuation.ts'
import { createUndeclaredNotes } from '../queries/undeclared.ts'
import type { RegisteredStream } from '../registry/registry.ts'
import { idOf, type Position } from './position.ts'
import type { Client } from './readers.ts'

export type BeginningDeps = {
  readonly queries: Pick<Queries, 'run'>
  readonly catalogue: Pick<Catalogue, 'goneAt'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
}

/** The place where a reader begins: with the latest events, behind an event that it has, or with the next event. */
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

/** A request whose condition is read. */
export type AskedEvents = Omit<EventsRequest, 'where'> & {
  readonly where?: { readonly condition: Condition; readonly text: string }
}

/** The search for the latest events looks at this much time before now, then at so many times as much before that, and so on. */
const [latestSpan_us, longerSpan] = [60_000_000, 32]
/** The clocks of processes, which give ids, may differ by this. */
const clocks_us = 60_000_000

export const sourceOf = ({ schema, stream, columns }: RegisteredStream) => ({
  schema,
  stream,
  columns,
  now_us: now_us(),
})

/** Finds where a reader of a stream begins. */
export function createBeginning({ queries, catalogue, feeder }: BeginningDeps) {
  const notesOn = createUndeclaredNotes()

  /**
   * The place before the `last` latest events that match, of those that were acknowledged by now. Looks through the newest
   * events first, and through so many more of the earlier ones where they are too few.
   */
  async function beforeLatest(
    { target, where }: AskedEvents,
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
  async function begin(request: AskedEvents, now: number): Promise<{ position: Position; opening: string }> {
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

  return begin
}

/** Sentences for the reader of a stream, beside its events. */
export const noteOf = (notes: readonly string[]): string => `event: note\ndata: ${JSON.stringify({ error: notes })}\n\n`
