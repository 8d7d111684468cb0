import { Refusal } from '../../../base/refusal.ts'
import { identifier, qualified } from '../../identifier.ts'
import { intervalColumn } from '../../schema/ddl/intervals.ts'
import { stateColumn } from '../../schema/names.ts'
import { areCountedTogether, hasLargeStates, hasTop, mergedTotal, statesOf } from '../../schema/statistics.ts'
import type { SqlStatement } from '../../statement.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import { createParams, type Params } from './condition.ts'
import { behindKey, joinedKey, type KeyColumn, type KeyPart, matchesText, partText, splitKey } from './group-key.ts'
import { type Aggregation, overlapping, rowLength, valuesOf } from './intervals.ts'
import type { Span } from './span.ts'
import { joinTexts, statesWithTop } from './tops.ts'

export type GroupAggregation = Aggregation & {
  readonly pattern: readonly KeyColumn[]
  /** Seconds that an interval is kept after its end; absent: for ever. */
  readonly window?: number
}

export type GroupsRequest = {
  readonly span: Span
  /** Absent: one row a group over the span. */
  readonly rollup?: number
  readonly limit: number
  readonly now_us: number
  /** The last row of the page before. */
  readonly after?: { readonly key: string; readonly start?: string }
}

/**
 * Columns `_k` (`v1:v2`), `_v` (merged states), and `_t` (the interval's start as text) where rows are intervals of groups. All aliases
 * start with an underscore: `k` and `start` may be attributes.
 */
export function compileGroups(aggregation: GroupAggregation, request: GroupsRequest): SqlStatement {
  const { database, table, result, granularity, pattern } = aggregation
  const { rollup, span } = request
  const params = createParams()
  const length = rowLength(granularity, rollup ?? 0)
  const byInterval = rollup !== undefined && rollup !== 1
  const groups = pattern.map(({ name }) => identifier(name))
  const start = `intDiv(${intervalColumn}, ${length}) * ${length}`
  const grouping = byInterval ? ['_start', ...groups] : groups
  const order = byInterval ? ['_start DESC', ...groups] : groups
  const isCounted = areCountedTogether(aggregation)
  const some = isCounted ? [] : [`${mergedTotal(result)} > 0`]
  const conditions = [
    overlapping(span, granularity),
    ...kept(aggregation, request),
    ...keyConditions(aggregation, request, params),
    // A row without a value makes no group, so no `HAVING` needs to count the rows of a group.
    ...(isCounted ? [`${row}.${identifier(stateColumn(result, 'cnt'))} > 0`] : []),
    ...positionConditions(aggregation, request, length, params),
  ]
  const isOne = span.groupKey !== undefined && !span.groupKey.includes('*')
  const rows = `${qualified(database, table)} AS ${row} WHERE ${conditions.join(' AND ')}`
  const isPaged = hasLargeStates(aggregation) && !byInterval && !isOne && request.limit > shortPage
  const ofPage = isPaged ? `${rows} AND (${groups.join(', ')}) <= (${lastKey(rows, groups, some, request)})` : rows
  const columns = [
    `${joinedKey(pattern)} AS _k`,
    `${statesOf(aggregation)} AS _v`,
    ...(byInterval ? [`toString(${start} AS _start) AS _t`] : []),
  ]
  const having = [...some, ...(byInterval ? intervalPosition(aggregation, request, params) : [])]
  // Merging goes on in the order of the table and ends with the page.
  const settings = byInterval || isOne ? [] : [inOrder]
  const page = [
    `SELECT ${[...(hasTop(aggregation) ? grouping : []), ...columns].join(', ')}`,
    `FROM ${ofPage}`,
    `GROUP BY ${grouping.join(', ')}`,
    ...(having.length > 0 ? [`HAVING ${having.join(' AND ')}`] : []),
    `ORDER BY ${order.join(', ')} LIMIT ${request.limit}`,
  ].join(' ')
  if (!hasTop(aggregation)) return { text: [page, ...settings].join(' '), params: params.params }
  const keys = [
    ...groups.map((name) => ({ name, value: name })),
    ...(byInterval ? [{ name: '_start', value: start }] : []),
  ]
  const names = keys.map(({ name }) => name).join(', ')
  const within = [
    overlapping(span, granularity),
    ...kept(aggregation, request),
    `(${keys.map(({ value }) => value).join(', ')}) GLOBAL IN (SELECT ${names} FROM _page)`,
  ]
  const values = joinTexts(aggregation, keys, `${valuesOf(aggregation)} WHERE ${within.join(' AND ')}`)
  return {
    text: [
      `WITH _page AS (${page}) SELECT _k, ${statesWithTop(aggregation, '_page._v')} AS _v${byInterval ? ', _t' : ''}`,
      `FROM _page ${values} ORDER BY ${order.join(', ')}`,
      ...settings,
    ].join(' '),
    params: params.params,
  }
}

/** Intervals that have expired are gone, whether or not their space is freed yet. */
const kept = ({ window, granularity }: GroupAggregation, { now_us }: GroupsRequest): string[] =>
  window === undefined ? [] : [`${intervalColumn} > ${now_us - (window + granularity) * 1_000_000}`]

/** Backslashes stand as in the `k` of an answer, or doubled, as in any other string. */
function partsOf(key: string, count: number): KeyPart[] {
  const parts = splitKey(key)
  const halved = parts.length === count ? parts : splitKey(key.replaceAll('\\\\', '\\'))
  return halved.length === count ? halved : parts
}

function keyConditions({ pattern }: GroupAggregation, { span }: GroupsRequest, params: Params): string[] {
  if (span.groupKey === undefined) return []
  const parts = partsOf(span.groupKey, pattern.length)
  if (parts.length !== pattern.length) {
    const form = pattern.map(({ name }) => `<${name}>`).join(':')
    const problem = `skey: "${span.groupKey.slice(0, 80)}" has ${parts.length} parts, the group has ${pattern.length}: ${form}`
    throw span.groupKeyAt ? new PlacedRefusal(span.groupKeyAt, problem) : new Refusal(problem)
  }
  return pattern.flatMap((column, index) => {
    const part = parts[index]
    return part === undefined || part === 'any' ? [] : [matchesText(column, part.text, params)]
  })
}

/** The rows of the table that can stand behind the last row of the page before. */
function positionConditions(
  { pattern }: GroupAggregation,
  { after }: GroupsRequest,
  length: bigint,
  params: Params,
): string[] {
  if (!after) return []
  if (after.start === undefined) return [behindKey(pattern, splitKey(after.key).map(partText), params)]
  return [`intDiv(${intervalColumn}, ${length}) * ${length} <= ${params.add(after.start, 'Int64')}`]
}

/** Intervals of groups behind it, in the order of the answer. */
function intervalPosition({ pattern }: GroupAggregation, { after }: GroupsRequest, params: Params): string[] {
  if (after?.start === undefined) return []
  const behind = behindKey(pattern, splitKey(after.key).map(partText), params)
  const start = params.add(after.start, 'Int64')
  return [`(_start < ${start} OR (_start = ${start} AND ${behind}))`]
}

const row = '_row'
/** Groups from which on it costs less to look for the last key of a page first than to merge what lies behind it. */
const shortPage = 2_000
const inOrder = 'SETTINGS optimize_aggregation_in_order = 1'

/** The last group of the page: the keys alone are found in the order of the table, which ends with the page. */
const lastKey = (
  rows: string,
  groups: readonly string[],
  having: readonly string[],
  { limit }: GroupsRequest,
): string => {
  const keys = groups.join(', ')
  const some = having.length > 0 ? ` HAVING ${having.join(' AND ')}` : ''
  return `SELECT max((${keys})) FROM (SELECT ${keys} FROM ${rows} GROUP BY ${keys}${some} ORDER BY ${keys} LIMIT ${limit} ${inOrder})`
}
