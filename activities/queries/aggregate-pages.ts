import { fault } from '../../base/faults.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { partText, splitKey } from '../../sql/query/compile/group-key.ts'
import { compileGroups, type GroupAggregation } from '../../sql/query/compile/groups.ts'
import {
  type Aggregation,
  compileIntervalBelow,
  compileIntervals,
  compileWholeSpan,
  rowLength,
} from '../../sql/query/compile/intervals.ts'
import { everTo, type Span, wholeIntervals } from '../../sql/query/compile/span.ts'
import { emptyStates, objectText, type States, valueText } from '../../sql/schema/statistic-values.ts'
import { isBareNumber } from '../../sql/schema/statistics.ts'
import { cutPage, now_us, pageBytesOf, type Select, type StreamQuery } from '../pages/continuation.ts'
import type { Cursors } from '../pages/cursors.ts'
import { keyText, type Page, type Row, rawNumber } from '../pages/page.ts'
import { objectOf } from '../pages/plain.ts'
import { keyJson } from './entities.ts'
import { fillIntervals } from './fill-intervals.ts'
import { keyOf } from './interval-key.ts'

/** Rows of a page of aggregates: about 4 MB of the largest value objects, and about 32 MB where the client has a limit. */
const pageRows = 20_000
const limitedRows = 160_000

const pageRowsOf = (limit: number | undefined): number =>
  limit === undefined ? pageRows : Math.min(limit, limitedRows)

/** The pages of aggregates of a stream: by interval, and by group. */
export function createAggregatePages(cursors: Cursors) {
  async function intervals(
    aggregation: Aggregation,
    span: Span,
    statement: Select<'aggregate'>,
    query: StreamQuery,
    on: QueryClickHouse,
  ): Promise<Page> {
    const rollup = statement.rollup ?? 0
    if (rollup === 1) {
      const [row] = await on.rows<{ v: States }>(compileWholeSpan(aggregation, span))
      const states = row?.v ?? emptyStates(aggregation.statistics)
      const counted = wholeIntervals(span, aggregation.granularity)
      const found = statement.limit === 0 ? [] : [{ k: rawNumber(now_us()), v: spanText(aggregation, counted, states) }]
      const plain = objectOf([...periodOf(counted), ['value', valueText(aggregation.statistics, states)]])
      return aggregatePage(found, false, statement, () => found.map(() => plain))
    }
    const limit = pageRowsOf(statement.limit)
    const length = rowLength(aggregation.granularity, rollup)
    const before = lastInterval(query)
    if (before !== undefined && before % length !== 0n)
      throw fault('invalid', 'levk: no row of this query has such a key; send the levk of the last answer')
    const end = min(span.to, BigInt(now_us()), ...(before === undefined ? [] : [before - 1n]))
    const newest = end - (end % length)
    // A page has a row for each interval down from the newest one, whatever it holds: older ones cannot be on it.
    const floor = newest - BigInt(limit) * length
    const isBounded = floor > span.from
    const compiled = compileIntervals(aggregation, {
      span,
      rollup,
      limit: limit + 1,
      ...(before !== undefined && { before }),
      ...(isBounded && { floor }),
    })
    const held = (await on.rows<{ k: string; v: States }>(compiled)).map(({ k, v }) => ({
      start: BigInt(k),
      value: valueText(aggregation.statistics, v),
    }))
    if (isBounded && held.length <= limit) held.push(...(await heldBelow(aggregation, span, floor, on)))
    const { rows, more } = fillIntervals({
      held,
      more: held.length > limit,
      newest,
      length,
      limit,
      valueOf: valueReader(aggregation),
      empty: valueText(aggregation.statistics, emptyStates(aggregation.statistics)),
    })
    const plainOf = ({ k, v }: Row): string => {
      const from = BigInt(keyText(k))
      return objectOf([...periodOf({ from, to: min(from + length - 1n, everTo) }), ['value', jsonOf(v)]])
    }
    return aggregatePage(rows, more, statement, () => rows.map(plainOf))
  }

  /** The last interval with values below those of a page: it shows that there is more, and is not part of the page. */
  async function heldBelow(aggregation: Aggregation, span: Span, floor: bigint, on: QueryClickHouse) {
    const found = await on.rows<{ k: string }>(compileIntervalBelow(aggregation, span, floor))
    return found.map(({ k }) => ({ start: BigInt(k), value: '' }))
  }

  async function groups(
    aggregation: GroupAggregation,
    span: Span,
    statement: Select<'aggregate'>,
    query: StreamQuery,
    on: QueryClickHouse,
  ): Promise<Page> {
    const limit = pageRowsOf(statement.limit)
    const after = groupPosition(query)
    if (after && after.start === undefined && statement.rollup !== undefined && statement.rollup !== 1)
      throw fault('invalid', 'levk alone does not say where to go on here: send the sec_buf of the last answer too')
    const read = (groupKey = span.groupKey) =>
      on.rows<{ _k: string; _v: States; _t?: string }>(
        compileGroups(aggregation, {
          span: { ...span, ...(groupKey !== undefined && { groupKey }) },
          limit: limit + 1,
          now_us: now_us(),
          ...(statement.rollup !== undefined && { rollup: statement.rollup }),
          ...(after && { after }),
        }),
      )
    let merged = await read()
    // A key goes as it stands in answers; where there is none such, its backslashes may be doubled as in other strings.
    const halved = span.groupKey?.replaceAll('\\\\', '\\') ?? ''
    const isAnother = halved !== (span.groupKey ?? '') && splitKey(halved).length === aggregation.pattern.length
    if (merged.length === 0 && isAnother) merged = await read(halved)
    const counted = wholeIntervals(span, aggregation.granularity)
    const textOf = (states: States): string =>
      statement.rollup === 1 ? spanText(aggregation, counted, states) : valueText(aggregation.statistics, states)
    const found = merged.map((row) => ({ ...row, _v: textOf(row._v), states: row._v }))
    const { shown, cut } = cutPage(
      found.slice(0, limit),
      ({ _k, _v }) => Buffer.byteLength(_k) + _v.length,
      pageBytesOf(statement.limit),
    )
    const valueOf = statement.rollup === 1 ? (text: string) => text : valueReader(aggregation)
    const rows = shown.map(
      ({ _k, _v, _t }): Row => ({ k: _k, v: valueOf(_v), ...(_t !== undefined && { ts: rawNumber(_t) }) }),
    )
    const more = cut || found.length > limit
    const last = shown.at(-1)
    const length = rowLength(aggregation.granularity, statement.rollup ?? 0)
    const plainOf = ({ _k, _t, states }: (typeof found)[number]): string => {
      const start = BigInt(_t ?? 0)
      const period = _t === undefined ? counted : { from: start, to: min(start + length - 1n, everTo) }
      return plainGroup(
        aggregation,
        _k,
        valueText(aggregation.statistics, states),
        statement.rollup === undefined ? undefined : period,
      )
    }
    const page = aggregatePage(rows, more, statement, () => shown.map(plainOf))
    // The key alone names no interval, and an empty one sent back is as good as none.
    if (!more || last === undefined || (last._t === undefined && last._k !== '')) return page
    const position = { key: last._k, ...(last._t !== undefined && { start: last._t }) }
    return { ...page, cursor: cursors.seal(position, query.text) }
  }

  function groupPosition({ lastKey, cursor, text }: StreamQuery): { key: string; start?: string } | undefined {
    if (cursor === undefined) return lastKey === undefined ? undefined : { key: lastKey }
    const { key = '', start } = cursors.open(cursor, text)
    return { key, ...(start !== undefined && { start }) }
  }

  return { intervals, groups }
}

const valueReader =
  ({ statistics }: Pick<Aggregation, 'statistics'>) =>
  (text: string): Row['v'] =>
    isBareNumber(statistics) ? rawNumber(text) : text

/** A page without rows has nowhere to go on from. */
const aggregatePage = (
  rows: readonly Row[],
  isCut: boolean,
  { limit }: Select<'aggregate'>,
  plainRows: Page['plainRows'],
): Page => {
  const lastKey = rows.at(-1)?.k
  const more = isCut && lastKey !== undefined
  return {
    rows,
    more,
    switchDone: 0,
    plainRows,
    ...(lastKey !== undefined && (limit !== undefined || more) && { lastKey }),
  }
}

type Period = Pick<Span, 'from' | 'to'>

/** Both ends are within: the two bounds by which the same period is asked for. */
const periodOf = ({ from, to }: Period): [name: string, json: string][] => [
  ['from', String(from)],
  ['to', String(to)],
]

/** `{"from", "to", <attribute>..., "value"}`; of these words one that is an attribute's name has an underscore in front. */
function plainGroup({ pattern }: GroupAggregation, key: string, value: string, period: Period | undefined): string {
  const parts = splitKey(key)
  const names = new Set(pattern.map(({ name }) => name))
  const own = (name: string): string => (names.has(name) ? `_${name}` : name)
  return objectOf([
    ...(period === undefined ? [] : periodOf(period)).map(([name, json]): [string, string] => [own(name), json]),
    ...pattern.map(({ name, type }, index): [string, string] => [name, keyJson(type, partText(parts[index]))]),
    [own('value'), value],
  ])
}

/** A value of a row, a number or an object in text, as JSON. */
const jsonOf = (value: Row['v']): string => (typeof value === 'string' ? value : value.number)

function lastInterval({ lastKey }: StreamQuery): bigint | undefined {
  if (lastKey === undefined) return undefined
  return keyOf(lastKey)
}

/** The value of a row that covers the whole span. */
const spanText = ({ statistics }: Pick<Aggregation, 'statistics'>, { from, to }: Period, states: States): string =>
  `{"fromts":${from},"tots":${to},"aggr_val":${objectText(statistics, states)}}`

const min = (...values: readonly bigint[]): bigint => [...values].sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n
