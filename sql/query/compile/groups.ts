import { identifier, qualified } from '../../identifier.ts'
import { Refusal } from '../../refusal.ts'
import { intervalColumn } from '../../schema/ddl/intervals.ts'
import { stateColumn } from '../../schema/names.ts'
import type { AttributeType } from '../../schema/schema.ts'
import { statistics, valueExpression } from '../../schema/statistics.ts'
import type { SqlStatement } from '../../statement.ts'
import { createParams, isInt64, type Params } from './condition.ts'
import { type Aggregation, overlapping, rowLength, spanObject } from './intervals.ts'
import type { Span } from './span.ts'

export type GroupAggregation = Aggregation & {
  readonly pattern: readonly { readonly name: string; readonly type: AttributeType }[]
}

export type GroupsRequest = {
  readonly span: Span
  /** Absent: one row a group over the span. */
  readonly rollup?: number
  readonly limit: number
  /** The last row of the page before. */
  readonly after?: { readonly key: string; readonly start?: string }
}

/** Columns `k` (`v1:v2`), `v`, and `t` (the interval's start as text) where rows are intervals of groups. */
export function compileGroups(aggregation: GroupAggregation, request: GroupsRequest): SqlStatement {
  const { database, table, result, kind, granularity, pattern } = aggregation
  const { rollup, span } = request
  const params = createParams()
  const length = rowLength(granularity, rollup ?? 0)
  const byInterval = rollup !== undefined && rollup !== 1
  const groups = pattern.map(({ name }) => identifier(name))
  const rows = byInterval ? [`intDiv(${intervalColumn}, ${length}) * ${length} AS start`, ...groups] : groups
  const order = byInterval ? ['start DESC', ...groups] : groups
  const value = rollup === 1 ? spanObject(aggregation, span) : `toString(${valueExpression(aggregation)})`
  const conditions = [overlapping(span, granularity), ...keyConditions(aggregation, request, params)]
  const inner = [
    `SELECT ${rows.join(', ')}, ${statistics[kind].merge(result).join(', ')}`,
    `FROM ${qualified(database, table)} WHERE ${conditions.join(' AND ')}`,
    `GROUP BY ${byInterval ? 'start, ' : ''}${groups.join(', ')}`,
    `HAVING ${[`${identifier(stateColumn(result, 'n'))} > 0`, ...positionConditions(aggregation, request, params)].join(' AND ')}`,
    `ORDER BY ${order.join(', ')} LIMIT ${request.limit}`,
  ].join(' ')
  return {
    text: [
      `SELECT ${groupKey(pattern)} AS k, ${value} AS v${byInterval ? ', toString(start) AS t' : ''}`,
      `FROM (${inner}) ORDER BY ${order.join(', ')}`,
    ].join(' '),
    params: params.params,
  }
}

/** `v1:v2`, with `\` and `:` inside a value written `\\` and `\:`. */
const groupKey = (pattern: GroupAggregation['pattern']): string =>
  joined(
    pattern.map(
      ({ name }) => `replaceAll(replaceAll(toString(${identifier(name)}), '\\\\', '\\\\\\\\'), ':', '\\\\:')`,
    ),
  )

const joined = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? "''") : `concat(${parts.join(", ':', ")})`

/** A part of a group key: its text, or any. */
type KeyPart = { readonly text: string } | 'any'

/** Splits `a:b` at its unescaped colons; a bare `*` is any value. */
export function splitGroupKey(key: string): KeyPart[] {
  const parts = ['']
  for (const piece of key.match(/\\[\s\S]|[\s\S]/g) ?? []) {
    if (piece === ':') parts.push('')
    else parts.push(`${parts.pop() ?? ''}${piece}`)
  }
  return parts.map((part) => (part === '*' ? 'any' : { text: part.replace(/\\([\s\S])/g, '$1') }))
}

const matches: Readonly<Record<AttributeType, (column: string, text: string, params: Params) => string>> = {
  STRING: (column, text, params) => `${column} = ${params.add(text, 'String')}`,
  OBJECT: (column, text, params) => `${column} = ${params.add(text, 'String')}`,
  LONG: (column, text, params) => (isInt64(text) ? `${column} = ${params.add(text, 'Int64')}` : 'false'),
  DOUBLE: (column, text, params) =>
    text.trim() === '' || Number.isNaN(Number(text)) ? 'false' : `${column} = ${params.add(Number(text), 'Float64')}`,
  BOOL: (column, text) => (text === 'true' || text === 'false' ? `${column} = ${text}` : 'false'),
}

function keyConditions({ pattern }: GroupAggregation, { span }: GroupsRequest, params: Params): string[] {
  if (span.groupKey === undefined) return []
  const parts = splitGroupKey(span.groupKey)
  if (parts.length !== pattern.length) {
    const form = pattern.map(({ name }) => `<${name}>`).join(':')
    throw new Refusal(
      `skey: "${span.groupKey.slice(0, 80)}" has ${parts.length} parts, the group has ${pattern.length}: ${form}`,
    )
  }
  return pattern.flatMap(({ name, type }, index) => {
    const part = parts[index]
    return part === undefined || part === 'any' ? [] : [matches[type](identifier(name), part.text, params)]
  })
}

const typedValue: Readonly<Record<AttributeType, (text: string, params: Params) => string>> = {
  STRING: (text, params) => params.add(text, 'String'),
  OBJECT: (text, params) => params.add(text, 'String'),
  LONG: (text, params) => params.add(isInt64(text) ? text : '0', 'Int64'),
  DOUBLE: (text, params) => params.add(Number(text) || 0, 'Float64'),
  BOOL: (text) => String(text === 'true'),
}

/** Rows behind the last one of the page before, in the order of the answer. */
function positionConditions({ pattern }: GroupAggregation, { after }: GroupsRequest, params: Params): string[] {
  if (!after) return []
  const parts = splitGroupKey(after.key)
  if (parts.length !== pattern.length) throw new Refusal(`levk: "${after.key.slice(0, 80)}" is no key of this query`)
  const last = pattern.map(({ type }, index) => {
    const part = parts[index]
    return typedValue[type](part === undefined || part === 'any' ? '*' : part.text, params)
  })
  const columns = pattern.map(({ name }) => identifier(name)).join(', ')
  const behind = `(${columns}) > (${last.join(', ')})`
  if (after.start === undefined) return [behind]
  const start = params.add(after.start, 'Int64')
  return [`(start < ${start} OR (start = ${start} AND ${behind}))`]
}
