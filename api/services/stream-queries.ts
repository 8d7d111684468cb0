import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import type { Statement } from '../../sql/query/ast.ts'
import { compileGroups, type GroupAggregation } from '../../sql/query/compile/groups.ts'
import {
  type Aggregation,
  compileIntervals,
  compileWholeSpan,
  emptyValue,
  rowLength,
} from '../../sql/query/compile/intervals.ts'
import { compileCount, compileRows, type EventPosition } from '../../sql/query/compile/rows.ts'
import { everTo, type Span, spanOf } from '../../sql/query/compile/span.ts'
import { compileUsage } from '../../sql/query/compile/usage.ts'
import { attributeOf } from '../../sql/schema/columns.ts'
import { groupTable, intervalTable } from '../../sql/schema/names.ts'
import { statistics } from '../../sql/schema/statistics.ts'
import type { Cursors } from './cursors.ts'
import { createEntityQueries } from './entity-queries.ts'
import { fillIntervals } from './intervals.ts'
import type { RegisteredStream } from './registry.ts'
import { type Page, type Row, rawNumber } from './rows.ts'

/** Where a client goes on: what the last answer told it. */
export type Continuation = { readonly lastKey?: string; readonly cursor?: string }
export type StreamQuery = Continuation & { readonly text: string; readonly eventual: boolean }

type Select<Kind> = Extract<Statement, { kind: Kind }>

const pageBytes = 4 * 1024 * 1024
/** Rows of a page of aggregates: about 4 MB of the largest value objects. */
const pageRows = 20_000

const now_us = (): number => Date.now() * 1000

/** Answers queries on streams of events. */
export function createStreamQueries({
  clickhouse,
  feeder,
  cursors,
}: {
  clickhouse: ClickHouse
  feeder: Feeder
  cursors: Cursors
}) {
  const entities = createEntityQueries({ clickhouse, cursors })
  const fresh = (target: RegisteredStream, query: StreamQuery): Promise<void> =>
    query.eventual ? Promise.resolve() : feeder.caughtUp(target.queues)

  async function events(target: RegisteredStream, statement: Select<'rows'>, query: StreamQuery): Promise<Page> {
    const after = eventPosition(query)
    const limit = statement.limit ?? Number.MAX_SAFE_INTEGER - 1
    if (limit === 0) return { rows: [], more: false, switchDone: 1 }
    const source = { schema: target.schema, stream: target.stream, columns: target.columns, now_us: now_us() }
    const where = statement.where && { where: statement.where }
    const fetch = async (position: EventPosition | undefined, most: number): Promise<EventRow[]> => {
      const compiled = compileRows(source, { ...where, limit: most, pageBytes, ...(position && { after: position }) })
      return eventRows(await clickhouse.read(compiled, 'JSONCompactEachRow'))
    }
    const found = await fetch(after, limit + 1)
    const shown = found.length > limit ? found.slice(0, limit) : found
    const last = shown.at(-1)
    const next = found[limit]
    const more =
      next !== undefined ||
      (last !== undefined && mayBeCut(found) && (await fetch({ pk: last[0], seq: last[1] }, 1)).length > 0)
    const wantsCursor = statement.where !== undefined || (more && (next === undefined || next[0] === last?.[0]))
    return {
      rows: shown.map(([pk, , document]): Row => ({ k: rawNumber(pk), v: document })),
      more,
      switchDone: 1,
      ...(last && (statement.limit !== undefined || more) && { lastKey: rawNumber(last[0]) }),
      ...(wantsCursor && { cursor: cursors.seal(last ? { pk: last[0], seq: last[1] } : { end: '1' }, query.text) }),
    }
  }

  function eventPosition({ lastKey, cursor, text }: StreamQuery): EventPosition | undefined {
    if (cursor !== undefined) {
      const { pk, seq } = cursors.open(cursor, text)
      return pk === undefined || seq === undefined ? undefined : { pk, seq }
    }
    if (lastKey === undefined) return undefined
    return { pk: String(keyOf(lastKey)) }
  }

  async function intervals(
    aggregation: Aggregation,
    span: Span,
    statement: Select<'aggregate'>,
    query: StreamQuery,
  ): Promise<Page> {
    const rollup = statement.rollup ?? 0
    if (rollup === 1) {
      const [row] = await clickhouse.rows<{ v: string }>(compileWholeSpan(aggregation, span))
      return { rows: [{ k: rawNumber(now_us()), v: row?.v ?? '' }], more: false, switchDone: 0 }
    }
    const limit = Math.min(statement.limit ?? pageRows, pageRows)
    const length = rowLength(aggregation.granularity, rollup)
    const before = lastInterval(query)
    if (before !== undefined && before % length !== 0n)
      throw fault('invalid', 'levk: no row of this query has such a key; send the levk of the last answer')
    const compiled = compileIntervals(aggregation, {
      span,
      rollup,
      limit: limit + 1,
      ...(before !== undefined && { before }),
    })
    const held = (await clickhouse.rows<{ k: string; v: string }>(compiled)).map(({ k, v }) => ({
      start: BigInt(k),
      value: v,
    }))
    const end = least(span.to, BigInt(now_us()), ...(before === undefined ? [] : [before - 1n]))
    const { rows, more } = fillIntervals({
      held: held.slice(0, limit),
      more: held.length > limit,
      newest: end - (end % length),
      length,
      limit,
      valueOf: valueReader(aggregation),
      empty: emptyValue(aggregation.kind),
    })
    return aggregatePage(rows, more, statement)
  }

  async function groups(
    aggregation: GroupAggregation,
    span: Span,
    statement: Select<'aggregate'>,
    query: StreamQuery,
  ): Promise<Page> {
    const limit = Math.min(statement.limit ?? pageRows, pageRows)
    const after = groupPosition(query)
    if (after && after.start === undefined && statement.rollup !== undefined && statement.rollup !== 1)
      throw fault('invalid', 'levk alone does not say where to go on here: send the sec_buf of the last answer too')
    const compiled = compileGroups(aggregation, {
      span,
      limit: limit + 1,
      now_us: now_us(),
      ...(statement.rollup !== undefined && { rollup: statement.rollup }),
      ...(after && { after }),
    })
    const found = await clickhouse.rows<{ _k: string; _v: string; _t?: string }>(compiled)
    const shown = found.slice(0, limit)
    const valueOf = statement.rollup === 1 ? (text: string) => text : valueReader(aggregation)
    const rows = shown.map(
      ({ _k, _v, _t }): Row => ({ k: _k, v: valueOf(_v), ...(_t !== undefined && { ts: rawNumber(_t) }) }),
    )
    const more = found.length > limit
    const last = shown.at(-1)
    const page = aggregatePage(rows, more, statement)
    if (!more || last?._t === undefined) return page
    return { ...page, cursor: cursors.seal({ key: last._k, start: last._t }, query.text) }
  }

  function groupPosition({ lastKey, cursor, text }: StreamQuery): { key: string; start?: string } | undefined {
    if (cursor === undefined) return lastKey === undefined ? undefined : { key: lastKey }
    const { key = '', start } = cursors.open(cursor, text)
    return { key, ...(start !== undefined && { start }) }
  }

  return {
    async rows(target: RegisteredStream, statement: Select<'rows'>, query: StreamQuery): Promise<Page> {
      await fresh(target, query)
      return target.stream.kind === 'entity'
        ? entities.rows(target, statement, query)
        : events(target, statement, query)
    },

    async count(target: RegisteredStream, statement: Select<'count'>, query: StreamQuery): Promise<number> {
      await fresh(target, query)
      if (target.stream.kind === 'entity') return entities.count(target, statement.where)
      const source = { schema: target.schema, stream: target.stream, columns: target.columns, now_us: now_us() }
      const [row] = await clickhouse.rows<{ count: number }>(compileCount(source, statement.where))
      return Number(row?.count ?? 0)
    },

    /** Events posted per minute, all streams of `queues` together. */
    async usage(queues: readonly string[], query: StreamQuery): Promise<Page> {
      if (!query.eventual) await feeder.caughtUp(queues)
      const [row] = await clickhouse.rows<{ v: string }>(compileUsage(now_us()))
      return { rows: [{ k: rawNumber(now_us()), v: row?.v ?? '' }], more: false, switchDone: 0 }
    },

    async aggregate(target: RegisteredStream, statement: Select<'aggregate'>, query: StreamQuery): Promise<Page> {
      const span = spanOf(statement.where)
      const { groupBy } = statement
      if (groupBy) {
        const aggregation = groupAggregation(target, statement.attribute, groupBy)
        await fresh(target, query)
        return groups(aggregation, span, statement, query)
      }
      if (span.groupKey !== undefined) throw fault('invalid', 'skey names a group: say which by groupby a:b')
      const aggregation = intervalAggregation(target, statement.attribute)
      await fresh(target, query)
      return intervals(aggregation, span, statement, query)
    },
  }
}

export type StreamQueries = ReturnType<typeof createStreamQueries>

/** `_pk`, `_seq`, document. */
type EventRow = [pk: string, seq: string, document: string]

const eventRows = (answer: Buffer): EventRow[] =>
  answer
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): EventRow => JSON.parse(line))

/** ClickHouse ends a page after the block that exceeds it, so an answer far below that size is whole. */
const mayBeCut = (rows: readonly EventRow[]): boolean =>
  rows.reduce((bytes, [, , document]) => bytes + document.length, 0) > pageBytes / 4

const valueReader =
  ({ kind }: Aggregation) =>
  (text: string): Row['v'] =>
    statistics[kind].bareNumber ? rawNumber(text) : text

const aggregatePage = (rows: readonly Row[], more: boolean, { limit }: Select<'aggregate'>): Page => {
  const lastKey = rows.at(-1)?.k
  return { rows, more, switchDone: 0, ...(lastKey !== undefined && (limit !== undefined || more) && { lastKey }) }
}

function lastInterval({ lastKey }: StreamQuery): bigint | undefined {
  if (lastKey === undefined) return undefined
  return keyOf(lastKey)
}

function keyOf(lastKey: string): bigint {
  const key = /^\d{1,19}$/.test(lastKey) ? BigInt(lastKey) : everTo + 1n
  if (key > everTo) throw fault('invalid', 'levk: send the levk of the last answer, a number')
  return key
}

const least = (...values: readonly bigint[]): bigint => values.reduce((least, value) => (value < least ? value : least))

function intervalAggregation({ schema, stream }: RegisteredStream, name: string): Aggregation {
  const attribute = attributeOf(stream, name)
  if (attribute?.statistic) {
    const { statistic: kind, granularity } = attribute
    return { database: schema.name, table: intervalTable(stream.name, granularity), result: name, kind, granularity }
  }
  const measured = stream.attributes.filter(({ statistic }) => statistic).map((each) => each.name)
  const there =
    measured.length > 0 ? `running statistics are kept for ${measured.join(', ')}` : 'it has no running statistics'
  throw fault('invalid', `aggr(${name}): ${schema.name}.${stream.name} keeps no running statistic of ${name}; ${there}`)
}

function groupAggregation(
  { schema, stream }: RegisteredStream,
  input: string,
  names: readonly string[],
): GroupAggregation {
  const found = stream.groupBys.find(
    (groupBy) =>
      groupBy.input === input &&
      groupBy.pattern.length === names.length &&
      groupBy.pattern.every((name, i) => name === names[i]),
  )
  if (found) {
    return {
      database: schema.name,
      table: groupTable(stream.name, found.granularity, found.pattern),
      result: input,
      kind: found.statistic,
      granularity: found.granularity,
      ...(found.window !== undefined && { window: found.window }),
      pattern: found.pattern.map((name) => ({ name, type: attributeOf(stream, name)?.type ?? 'STRING' })),
    }
  }
  const defined = stream.groupBys.map((groupBy) => `aggr(${groupBy.input}) groupby ${groupBy.pattern.join(':')}`)
  const there = defined.length > 0 ? `defined are ${defined.join(', ')}` : 'none is defined'
  throw fault(
    'invalid',
    `${schema.name}.${stream.name} has no group-by for aggr(${input}) groupby ${names.join(':')}; ${there}`,
  )
}
