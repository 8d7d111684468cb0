import { Fault } from '../../base/faults.ts'
import type { Catalogue } from '../../infra/catalogue/catalogue.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Condition } from '../../sql/query/ast.ts'
import { openQuestion } from '../../sql/query/compile/open-sessions.ts'
import { compileCount, compileCounts } from '../../sql/query/compile/rows.ts'
import { type Span, spanOf } from '../../sql/query/compile/span.ts'
import { compileUsage } from '../../sql/query/compile/usage.ts'
import { PlacedRefusal } from '../../sql/query/placed-refusal.ts'
import { now_us, type Select, type StreamQuery, withPosition } from '../pages/continuation.ts'
import type { Cursors } from '../pages/cursors.ts'
import { type Page, rawNumber } from '../pages/page.ts'
import type { RegisteredStream } from '../registry/registry.ts'
import { createAggregatePages } from './aggregate-pages.ts'
import { groupAggregation, intervalAggregation } from './aggregates.ts'
import { createEntityQueries } from './entities.ts'
import { createEventLines } from './event-lines.ts'
import { createEventQueries } from './events.ts'
import { createOpenSessions } from './open-sessions.ts'
import type { LineReader } from './page-lines.ts'
import { createUndeclaredNotes } from './undeclared.ts'

/** Streams are counted by one statement in so many: its plan has a part for each. */
const countedAtOnce = 100

type StreamQueriesDeps = {
  readonly feeder: Feeder
  readonly cursors: Cursors
  readonly catalogue: Pick<Catalogue, 'sessionsSince'>
}

/** Answers queries on streams of events. */
export function createStreamQueries({ feeder, cursors, catalogue }: StreamQueriesDeps) {
  const events = createEventQueries(cursors)
  const entities = createEntityQueries(cursors)
  const undeclared = createUndeclaredNotes()
  const openSessions = createOpenSessions(catalogue)
  const aggregates = createAggregatePages(cursors)
  const fresh = (target: RegisteredStream, query: StreamQuery): Promise<void> =>
    query.eventual ? Promise.resolve() : feeder.caughtUp(target.queues)

  /** Waits for all queues but those whose events ClickHouse refuses: a note names each whose events are left out. */
  async function caughtUpButFailing(queues: readonly string[]): Promise<string[]> {
    const failing = () => feeder.failures().filter(({ queue }) => queues.includes(queue))
    const well = () => {
      const ill = new Set(failing().map(({ queue }) => queue))
      return queues.filter((queue) => !ill.has(queue))
    }
    const waited = well()
    await feeder.caughtUp(waited).catch(async (error: unknown) => {
      const stillWell = well()
      if (stillWell.length === waited.length) throw error
      await feeder.caughtUp(stillWell)
    })
    return failing().map(
      ({ queue, reason }) => `events of ${queue} that ClickHouse has not taken yet are not counted: ${reason}`,
    )
  }

  /** Streams that are more than one statement may read are counted one by one. */
  async function countTogether(targets: readonly RegisteredStream[], on: QueryClickHouse): Promise<[string, number][]> {
    const sources = targets.map(({ schema, stream, columns }) => ({ schema, stream, columns, now_us: now_us() }))
    try {
      const rows = await on.rows<{ place: number; count: number }>(compileCounts(sources))
      return rows.map(({ place, count }) => [targets[Number(place)]?.stream.name ?? '', Number(count)])
    } catch (error) {
      const isTooMuch = error instanceof Fault && error.details.limit === 'MAX_QUERY_ROWS'
      if (!isTooMuch || targets.length === 1) throw error
      const counts: [string, number][] = []
      for (const target of targets) counts.push(...(await countTogether([target], on)))
      return counts
    }
  }

  return {
    async rows(
      target: RegisteredStream,
      statement: Select<'rows'>,
      query: StreamQuery,
      on: QueryClickHouse,
    ): Promise<Page> {
      await fresh(target, query)
      if (target.stream.kind === 'entity') return entities.rows(target, statement, query, on)
      const open = openQuestion(target, statement.where)
      if (open) return openSessions.rows(target, open, statement.limit, on)
      const page = await events.rows(target, statement, query, on)
      return withNotes(page, await undeclared(target, statement.where, on))
    },

    /** The events of a stream as lines. */
    lines(target: RegisteredStream, statement: Select<'rows'>, query: StreamQuery): LineReader {
      const begin = async (on: QueryClickHouse): Promise<string[]> => {
        await fresh(target, query)
        return undeclared(target, statement.where, on)
      }
      return createEventLines(events, { target, statement, query, begin })
    },

    async count(
      target: RegisteredStream,
      statement: Select<'count'>,
      query: StreamQuery,
      on: QueryClickHouse,
    ): Promise<{ count: number; notes: readonly string[] }> {
      await fresh(target, query)
      if (target.stream.kind === 'entity')
        return { count: await entities.count(target, statement.where, query, on), notes: [] }
      const open = openQuestion(target, statement.where)
      if (open) return { count: await openSessions.count(target, open, on), notes: [] }
      const source = { schema: target.schema, stream: target.stream, columns: target.columns, now_us: now_us() }
      const [row] = await on.rows<{ count: number }>(compileCount(source, statement.where))
      return { count: Number(row?.count ?? 0), notes: await undeclared(target, statement.where, on) }
    },

    /** The events of each stream, as they are in ClickHouse by now: many streams by one statement. */
    async counts(targets: readonly RegisteredStream[], on: QueryClickHouse): Promise<ReadonlyMap<string, number>> {
      const counts = new Map<string, number>()
      for (const target of targets.filter(({ stream }) => stream.kind === 'entity')) {
        counts.set(target.stream.name, await entities.count(target, undefined, {}, on))
      }
      const others = targets.filter(({ stream }) => stream.kind !== 'entity')
      for (let from = 0; from < others.length; from += countedAtOnce) {
        const some = others.slice(from, from + countedAtOnce)
        for (const [name, count] of await countTogether(some, on)) counts.set(name, count)
      }
      return counts
    },

    /** Notes on a condition, as the answer to a query by it has them. */
    async notesOn(target: RegisteredStream, where: Condition | undefined, on: QueryClickHouse): Promise<string[]> {
      return target.stream.kind === 'entity' ? [] : undeclared(target, where, on)
    },

    caughtUpButFailing,

    /** Events posted per minute, all streams of `queues` together. */
    async usage(queues: readonly string[], query: StreamQuery, on: QueryClickHouse): Promise<Page> {
      const notes = query.eventual ? [] : await caughtUpButFailing(queues)
      const [row] = await on.rows<{ v: string }>(compileUsage(now_us()))
      const v = row?.v ?? ''
      return {
        rows: [{ k: rawNumber(now_us()), v }],
        more: false,
        switchDone: 0,
        notes,
        plainRows: () => [
          v.replace('"fromts":', '"from":').replace('"tots":', '"to":').replace('"aggr_val":', '"value":'),
        ],
      }
    },

    async aggregate(
      target: RegisteredStream,
      statement: Select<'aggregate'>,
      query: StreamQuery,
      on: QueryClickHouse,
    ): Promise<Page> {
      const span = spanOf(statement.where)
      const { groupBy, at } = statement
      if (groupBy) {
        const aggregation = withPosition(at, () => groupAggregation(target, statement.attribute, groupBy))
        await fresh(target, query)
        return withNotes(await aggregates.groups(aggregation, span, statement, query, on), emptyPeriod(span))
      }
      if (span.groupKey !== undefined)
        throw new PlacedRefusal(span.groupKeyAt ?? at, 'skey names a group: say which by groupby a:b')
      const aggregation = withPosition(at, () => intervalAggregation(target, statement.attribute))
      await fresh(target, query)
      return withNotes(await aggregates.intervals(aggregation, span, statement, query, on), emptyPeriod(span))
    },
  }
}

export type StreamQueries = ReturnType<typeof createStreamQueries>

const withNotes = (page: Page, notes: readonly string[]): Page => (notes.length === 0 ? page : { ...page, notes })

const emptyPeriod = ({ from, to }: Span): string[] =>
  from > to
    ? [`the period begins at ${from} and ends before that, at ${to}: nothing lies within; are st and et exchanged?`]
    : []
