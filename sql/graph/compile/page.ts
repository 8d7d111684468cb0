/** WHERE, DISTINCT, SORT and LIMIT over a source, and where to go on behind a page. */
import { z } from 'zod'
import type { Params } from '../../query/compile/condition.ts'
import type { Condition, Sort } from '../ast.ts'
import { isBehind, type Key, orderOf, type Source } from './source.ts'
import { type Cell, isThere, numberOf, textOf } from './values/cell.ts'
import { compileComparison } from './values/comparison.ts'

/** A row's place in the order: numbers before texts before missing values, then the value, then the row's key. */
export const rowPlace = z.tuple([z.number(), z.number(), z.string(), z.array(z.string()).readonly()]).readonly()
export type RowPlace = z.infer<typeof rowPlace>

export type Page = {
  /** Rows at most; all if absent. */
  readonly rows?: number
  /** Whether each row brings its place. */
  readonly places?: boolean
  readonly after?: RowPlace
  /** The SHA-256 of a place's text, in capital hexadecimal digits: only the row with that place. */
  readonly at?: string
  /** ClickHouse's settings, as they stand in the statement. */
  readonly settings?: Readonly<Record<string, number | string>>
}

type Clauses = {
  readonly page: Page
  readonly params: Params
  readonly isDistinct: boolean
  readonly where?: Condition
  readonly sort?: Sort
}

export function compilePage(source: Source, clauses: Clauses): string {
  const { params, isDistinct, where, sort } = clauses
  const order = isDistinct ? undefined : source.key
  const keys = sort ? sortKeys(source.cell(sort.column.name)) : undefined
  const tested = where ? [compileCondition(where, source.cell, params)] : []
  const conditions = [...(source.conditions ?? []), ...tested]
  if (order) return namedIn(source) + rowsOf(source.from, source.row, conditions, order, keys, clauses)
  const names: SortKeys = ['_rank', '_number', '_text']
  const own = keys ? keys.map((sql, number) => `, ${sql} AS ${names[number]}`).join('') : ''
  const selected = `${namedIn(source)}SELECT ${isDistinct ? 'DISTINCT ' : ''}${source.row} AS _row${own} FROM ${source.from}`
  const rows = `(${selected}${conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : ''})`
  return rowsOf(rows, '_row', [], [{ sql: '_row', type: 'String' }], keys && names, clauses)
}

const namedIn = ({ named = [] }: Source): string => (named.length > 0 ? `WITH ${named.join(', ')} ` : '')

function rowsOf(
  from: string,
  row: string,
  tested: readonly string[],
  order: Key,
  keys: SortKeys | undefined,
  { page, params, sort }: Clauses,
): string {
  const descending = sort?.descending === true
  const place = `toJSONString((${keys ? keys.join(', ') : "0, 0., ''"}, [${order.map(({ sql }) => `toString(${sql})`).join(', ')}]))`
  const conditions = [
    ...tested,
    ...(page.after ? [behind(page.after, order, keys, descending, params)] : []),
    ...(page.at === undefined ? [] : [`hex(SHA256(${place})) = ${params.add(page.at, 'String')}`]),
  ]
  const direction = descending ? ' DESC' : ''
  const sorted = keys ? `${keys[0]}, ${keys[1]}${direction}, ${keys[2]}${direction}, ` : ''
  return [
    `SELECT ${row} AS _row${page.places ? `, ${place} AS _place` : ''} FROM ${from}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    `ORDER BY ${sorted}${orderOf(order)}`,
    ...(page.rows === undefined ? [] : [`LIMIT ${page.rows}`]),
    `SETTINGS ${settingsOf(page)}`,
  ].join(' ')
}

type SortKeys = readonly [rank: string, number: string, text: string]

const settingsOf = ({ settings = {} }: Page): string =>
  Object.entries({
    output_format_json_escape_forward_slashes: 0,
    output_format_json_quote_64bit_integers: 0,
    distributed_product_mode: "'global'",
    enable_materialized_cte: 1,
    // In the order of a projection ClickHouse (26.7) gives rows, too, that a DELETE has taken.
    optimize_read_in_order: 0,
    ...settings,
  })
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')

function sortKeys(cell: Cell): SortKeys {
  const number = numberOf(cell)
  return [
    `multiIf(NOT (${isThere(cell)}), 2, isNotNull(${number}), 0, 1)`,
    `ifNull(${number}, 0.)`,
    cell.kind === 'number' ? "''" : textOf(cell),
  ]
}

/** Ranks go up either way. */
function behind(
  [rank, number, text, place]: RowPlace,
  order: Key,
  keys: SortKeys | undefined,
  descending: boolean,
  params: Params,
): string {
  const next = isBehind(order, place, params)
  if (keys === undefined) return next
  const sign = descending ? '<' : '>'
  const [r, n, t] = [params.add(rank, 'Int64'), params.add(number, 'Float64'), params.add(text, 'String')]
  const [isRank, isNumber, isText] = keys
  return `(${isRank} > ${r} OR (${isRank} = ${r} AND (${isNumber} ${sign} ${n} OR (${isNumber} = ${n} AND (${isText} ${sign} ${t} OR (${isText} = ${t} AND ${next}))))))`
}

export function compileCondition(condition: Condition, cell: Source['cell'], params: Params): string {
  if (condition.kind === 'compare')
    return compileComparison(cell(condition.left.name), condition, params, ({ name }) => cell(name))
  const terms = condition.terms.map((term) => compileCondition(term, cell, params))
  return `(${terms.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`
}
