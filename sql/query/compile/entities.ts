import { suggest } from '../../../base/suggest.ts'
import { identifier, qualified } from '../../identifier.ts'
import { valueType } from '../../schema/columns.ts'
import { readableOfAll, viewColumns } from '../../schema/ddl/aggregate.ts'
import {
  besideWindows,
  type EntityWindow,
  entitiesOf,
  entityMeasures,
  entityWindows,
  hopsAt,
  zerosWhereNone,
} from '../../schema/ddl/entities.ts'
import { intervalColumn } from '../../schema/ddl/intervals.ts'
import { entityTable, topTable } from '../../schema/names.ts'
import type { Schema } from '../../schema/schema.ts'
import type { States } from '../../schema/statistic-values.ts'
import {
  besideTop,
  hasTop,
  type Measure,
  membersOf,
  mergeOf,
  readableOf,
  sketchesOf,
  statesOf,
} from '../../schema/statistics.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Comparison, Condition } from '../ast.ts'
import { pathsOf } from '../compared.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import {
  columnPlace,
  compileCondition,
  createParams,
  isInt64,
  type Params,
  type Place,
  type Resolve,
  timeLiteral,
  timeWanted,
} from './condition.ts'
import { behindKey, joinedKey, type KeyColumn, matchesText } from './group-key.ts'
import { jsonSettings, pageBounds } from './rows.ts'
import { joinTexts, statesWithTop } from './tops.ts'

/** An entity stream: one row a key, with the statistics that all its definitions bring: over all time, and over windows. */
export type EntitySource = {
  readonly database: string
  readonly stream: string
  readonly keys: readonly KeyColumn[]
  readonly measures: readonly Measure[]
  readonly windows: readonly EntityWindow[]
}

export function entitySource(schema: Schema, stream: string): EntitySource {
  const [first] = entitiesOf(schema, stream)
  return {
    database: schema.name,
    stream,
    keys: first?.entity.keys ?? [],
    measures: entityMeasures(schema, stream),
    windows: entityWindows(schema, stream),
  }
}

/** The time of which windows tell, in microseconds. */
type At = { readonly at_us: number }

export type EntitiesRequest = At & {
  readonly where?: Condition
  readonly limit: number
  /** The texts of the last row's key. */
  readonly after?: readonly string[]
}

/** All measures, those over windows behind those over all time. */
const allMeasures = ({ measures, windows }: EntitySource): Measure[] => [
  ...measures,
  ...windows.flatMap((window) => window.measures),
]

/**
 * Columns `_k` (the key, joined by `:` where it has several parts), `_parts` (their texts) and `_v` (merged states by
 * measure, those over windows last), in the order of keys. The underscores keep them apart from keys: `k` may be one.
 */
export function compileEntities(source: EntitySource, request: EntitiesRequest): SqlStatement {
  const params = createParams()
  const keys = source.keys.map(({ name }) => identifier(name))
  const k = keys.length === 1 ? `toString(${keys[0]})` : joinedKey(source.keys)
  const parts = keys.map((key) => `toString(${key})`).join(', ')
  const { aliases, states, clauses } =
    source.windows.length > 0 ? besideAll(source, request, params) : ofAllTime(source, request, params)
  const order = `ORDER BY ${keys.join(', ')}`
  const tops = source.measures.filter(hasTop)
  const page = [
    aliases,
    `SELECT ${tops.length > 0 ? `${keys.join(', ')}, ` : ''}${k} AS _k, [${parts}] AS _parts, tuple(${states.join(', ')}) AS _v`,
    clauses,
    `${order} LIMIT ${request.limit}`,
  ].join(' ')
  return {
    text: [
      ...(tops.length > 0 ? [pageWithTops(source, page), order] : [page]),
      // Merging goes on in the order of the table and ends with the page.
      `SETTINGS optimize_aggregation_in_order = 1${source.windows.length > 0 ? `, ${zerosWhereNone}` : ''}`,
    ].join(' '),
    params: params.params,
  }
}

const ofAllTime = (source: EntitySource, request: EntitiesRequest, params: Params) => ({
  ...merged(source, request, params),
  states: source.measures.map(statesOf),
})

function besideAll(source: EntitySource, request: EntitiesRequest, params: Params) {
  const { columns, text } = withWindows(source, request, params, statesOf)
  return { aliases: '', states: columns, clauses: `FROM ${text}` }
}

/** A page of keys with the most frequent values of the measures that have them. */
function pageWithTops(source: EntitySource, page: string): string {
  const { database, stream, keys } = source
  const measures = allMeasures(source)
  const names = keys.map(({ name }) => identifier(name))
  const ofPage = `WHERE (${names.join(', ')}) GLOBAL IN (SELECT ${names.join(', ')} FROM _page)`
  const states = measures.map((measure, index) => {
    const each = `_page._v.${index + 1}`
    return hasTop(measure) ? statesWithTop(measure, each) : each
  })
  const values = measures.filter(hasTop).map((measure) =>
    joinTexts(
      measure,
      names.map((name) => ({ name, value: name })),
      `${qualified(database, topTable(entityTable(stream), measure.result))} ${ofPage}`,
    ),
  )
  return `WITH _page AS (${page}) SELECT _k, _parts, tuple(${states.join(', ')}) AS _v FROM _page ${values.join(' ')}`
}

/** Takes `at = <time>` out of a condition: the time of which windows tell. */
export function timeOfWindows({ keys }: EntitySource, where: Condition | undefined) {
  const isTime = (term: Condition): term is Comparison =>
    term.kind === 'compare' && term.path.toLowerCase() === 'at' && keys.every(({ name }) => name !== term.path)
  const times = termsOf(where).filter(isTime)
  const [time, twice] = times
  if (time === undefined) return where === undefined ? {} : { where }
  if (twice) throw new PlacedRefusal(twice.at, 'at comes twice: windows tell of one time')
  const { value, operator } = time
  const at = value.kind === 'string' ? timeLiteral(value) : value
  if (operator !== '=' || at?.kind !== 'number' || !isInt64(at.text))
    throw new PlacedRefusal(time.at, `at is the time of which windows tell: write at = ${timeWanted}`)
  const terms = termsOf(where).filter((term) => term !== time)
  const [only, ...more] = terms
  return {
    at_us: Number(at.text),
    ...(only && { where: more.length === 0 ? only : { kind: 'and' as const, terms } }),
  }
}

const indexOfColumn = (index: number): string => `_s${index}`

/**
 * The rows of keys with those of their windows beside them. `value` selects a measure's value, which is a column of the rows;
 * a condition's members are, too, where it asks for some. A page without a condition on windows asks for no other keys' windows.
 */
function withWindows(
  source: EntitySource,
  { where, after, limit, at_us, below }: Partial<EntitiesRequest> & At & EntitiesTaken,
  params: Params,
  value?: (measure: Measure) => string,
) {
  const { database, stream, windows } = source
  const names = source.keys.map(({ name }) => identifier(name)).join(', ')
  const isOfWindows = (term: Condition) => pathsOf(term).some((path) => isWindowPath(source, path))
  const terms = termsOf(where)
  const resolve = entityPlaces(source)
  const compiled = (list: readonly Condition[]) => list.map((term) => compileCondition(term, resolve, params))
  const ofKeys = compiled(terms.filter((term) => isOfKeys(source, term)))
  const ofValues = compiled(terms.filter((term) => !isOfKeys(source, term) && !isOfWindows(term)))
  const ofWindows = compiled(terms.filter(isOfWindows))
  const before = [
    ...ofKeys,
    ...(after ? [behindKey(source.keys, after, params)] : []),
    ...belowOf(source, below, params),
  ]
  const all = allMeasures(source)
  const hasMembers = ofWindows.length > 0 || value === undefined
  const select = (measures: readonly Measure[], isCompared: boolean): string =>
    [
      names,
      ...(hasMembers || isCompared ? measures.flatMap(mergeOf) : []),
      ...(value ? measures.map((measure) => `${value(measure)} AS ${indexOfColumn(all.indexOf(measure))}`) : []),
    ].join(', ')
  const whereOf = (conditions: readonly string[]): string =>
    conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const rowsOf = (selected: string): string =>
    [
      `SELECT ${selected} FROM ${qualified(database, entityTable(stream))}${whereOf(before)} GROUP BY ${names}`,
      ...(ofValues.length > 0 ? [`HAVING ${ofValues.join(' AND ')}`] : []),
      ...(limit !== undefined && ofWindows.length === 0 ? [`ORDER BY ${names} LIMIT ${limit}`] : []),
    ].join(' ')
  const isCompared = ofValues.length > 0
  const page = limit !== undefined && ofWindows.length === 0
  const among = page
    ? [`(${names}) GLOBAL IN (SELECT ${names} FROM (${rowsOf(select(source.measures, isCompared))}))`]
    : []
  const beside = windows.map(
    (window) =>
      `SELECT ${select(window.measures, false)} FROM ${qualified(database, window.table)}${whereOf([hopsAt(window, String(at_us)), ...before, ...among])} GROUP BY ${names}`,
  )
  return {
    columns: value ? all.map((_, index) => indexOfColumn(index)) : [],
    text: `${besideWindows(rowsOf(select(source.measures, isCompared)), beside, names)}${whereOf(ofWindows)}`,
  }
}

const isWindowPath = ({ windows }: EntitySource, path: string): boolean =>
  windows.some(({ measures }) => measures.some((measure) => path.startsWith(`${measure.path}.`)))

const termsOf = (where: Condition | undefined): readonly Condition[] =>
  where === undefined ? [] : 'terms' in where && where.kind === 'and' ? where.terms : [where]

const isOfKeys = ({ keys }: EntitySource, term: Condition): boolean =>
  pathsOf(term).every((path) => keys.some(({ name }) => name === path))

/** A row of `compileEntityStates`: the texts of its key, and of each measure the merged states and what they leave out. */
export type EntityStates = {
  readonly _parts: readonly string[]
  readonly _v: readonly (readonly [states: States, sketches: readonly string[]])[]
}

/** Rows of these keys, or of all in a part of them. */
export type WantedKeys =
  | { readonly texts: readonly (readonly string[])[] }
  | { readonly part: number; readonly parts: number }

function compileWanted({ keys }: EntitySource, wanted: WantedKeys, params: Params): string {
  const names = keys.map(({ name }) => identifier(name)).join(', ')
  const matching = (texts: readonly string[]): string =>
    `(${keys.map((key, index) => matchesText(key, texts[index] ?? '', params)).join(' AND ')})`
  return 'texts' in wanted
    ? wanted.texts.map(matching).join(' OR ')
    : `sipHash64(${names}) % ${wanted.parts} = ${wanted.part}`
}

const statesAndSketches = (measures: readonly Measure[]): string =>
  `tuple(${measures.map((measure) => `tuple(${statesOf(measure)}, CAST([${sketchesOf(measure).join(', ')}], 'Array(String)'))`).join(', ')})`

/** `measures` are those that are wanted. */
export function compileEntityStates(
  source: EntitySource,
  measures: readonly Measure[],
  wanted: WantedKeys,
): SqlStatement {
  const { database, stream, keys } = source
  const params = createParams()
  const names = keys.map(({ name }) => identifier(name)).join(', ')
  const parts = keys.map(({ name }) => `toString(${identifier(name)})`).join(', ')
  return {
    text: `SELECT [${parts}] AS _parts, ${statesAndSketches(measures)} AS _v FROM ${qualified(database, entityTable(stream))} WHERE ${compileWanted(source, wanted, params)} GROUP BY ${names}`,
    params: params.params,
  }
}

/** A row of `compileWindowStates`: the texts of a key, and of each of its hops the start and what `EntityStates` has. */
export type WindowStates = {
  readonly _parts: readonly string[]
  readonly _hops: readonly (readonly [start: number, of: EntityStates['_v']])[]
}

/** The hops of these keys; the measures of the window are those that are wanted. */
export function compileWindowStates(source: EntitySource, window: EntityWindow, wanted: WantedKeys): SqlStatement {
  const { database, keys } = source
  const params = createParams()
  const names = keys.map(({ name }) => identifier(name)).join(', ')
  const parts = keys.map(({ name }) => `toString(${identifier(name)})`).join(', ')
  return {
    text: [
      `SELECT [${parts}] AS _parts, groupArray(_hop) AS _hops FROM (`,
      `SELECT ${names}, tuple(toFloat64(${intervalColumn}), ${statesAndSketches(window.measures)}) AS _hop`,
      `FROM ${qualified(database, window.table)} WHERE ${compileWanted(source, wanted, params)}`,
      `GROUP BY ${names}, ${intervalColumn}) GROUP BY ${names}`,
    ].join(' '),
    params: params.params,
  }
}

/** Column `keys`: about how many rows there are. */
export const compileEntityKeyCount = ({ database, stream, keys }: EntitySource): SqlStatement => ({
  text: `SELECT toFloat64(uniqCombined64(${keys.map(({ name }) => identifier(name)).join(', ')})) AS keys FROM ${qualified(database, entityTable(stream))}`,
  params: {},
})

export function compileEntityCount(source: EntitySource, where: Condition | undefined, at_us: number): SqlStatement {
  const params = createParams()
  if (where !== undefined && pathsOf(where).some((path) => isWindowPath(source, path))) {
    const { text } = withWindows(source, { where, at_us }, params)
    return {
      text: `SELECT count() AS count FROM ${text} SETTINGS optimize_aggregation_in_order = 1, ${zerosWhereNone}`,
      params: params.params,
    }
  }
  const { aliases, clauses } = merged(source, { ...(where && { where }) }, params)
  return {
    // In the order of the table one key is merged at a time, however many there are.
    text: `SELECT count() AS count FROM (${aliases} SELECT 1 ${clauses}) SETTINGS optimize_aggregation_in_order = 1`,
    params: params.params,
  }
}

/** The rows of an entity stream that a training takes: those that match, of which the key's hash is below a bound. */
export type EntitiesTaken = { readonly where?: Condition; readonly below?: string }

export type EntityLinesRequest = At & {
  readonly taken?: EntitiesTaken
  readonly limit: number
  /** The texts of the last row's key. */
  readonly after?: readonly string[]
  /** An answer beyond this is ClickHouse's error 396, one that takes much more to make is 241. */
  readonly maxBytes?: number
}

/**
 * Columns `_k` (the texts of the key, as JSON) and `_line` (an object: the keys, and the statistics by the names that
 * analysts see, but the most frequent values; null where there is none), in the order of keys.
 */
export function compileEntityLines(whole: EntitySource, request: EntityLinesRequest): SqlStatement {
  const { limit, after, at_us, maxBytes, taken = {} } = request
  const params = createParams()
  const source = { ...whole, measures: whole.measures.map(besideTop) }
  const keys = source.keys.map(({ name }) => identifier(name)).join(', ')
  const asked = { ...taken, limit, at_us, ...(after && { after }) }
  const { formulas, clauses } = merged(source, asked, params)
  const rows =
    source.windows.length > 0
      ? `${withWindows(source, asked, params).text} ORDER BY ${keys} LIMIT ${limit}`
      : `(SELECT ${[keys, ...formulas].join(', ')} ${clauses} ORDER BY ${keys} LIMIT ${limit}) ORDER BY ${keys}`
  const members = [
    ...source.keys.map(({ name, type }) => ({ name, value: identifier(name), type: valueType(type) })),
    ...[...readableOfAll(allMeasures(source))].map(([name, { value, type }]) => ({ name, value, type })),
  ]
  const type = `Tuple(${members.map((member) => `${identifier(member.name)} ${member.type}`).join(', ')})`
  const tuple = `tuple(${members.map(({ value }) => value).join(', ')})`
  const parts = source.keys.map(({ name }) => `toString(${identifier(name)})`).join(', ')
  return {
    text: [
      `SELECT toJSONString([${parts}]) AS _k, toJSONString(CAST(${tuple}, '${type}')) AS _line`,
      `FROM ${rows}`,
      `SETTINGS ${['optimize_aggregation_in_order = 1', source.windows.length > 0 ? zerosWhereNone : '', jsonSettings, pageBounds(maxBytes)].filter((each) => each !== '').join(', ')}`,
    ].join(' '),
    params: params.params,
  }
}

/** The columns of the lines that hold statistics over these results, of all time and over windows. */
export function columnsOfResults(whole: EntitySource, results: ReadonlySet<string>): string[] {
  const source = { ...whole, measures: whole.measures.map(besideTop) }
  const wanted = new Set<Measure>([
    ...source.measures.filter(({ result }) => results.has(result)),
    ...source.windows.flatMap(({ measures }) => measures.filter(({ of }) => results.has(of))),
  ])
  return viewColumns(allMeasures(source), readableOf).flatMap(({ name, measure }) =>
    wanted.has(measure) ? [name] : [],
  )
}

/** Rows of the keys that match. */
export function compileEntityKeys(source: EntitySource, where: Condition | undefined, at_us: number): SqlStatement {
  const params = createParams()
  if (where !== undefined && pathsOf(where).some((path) => isWindowPath(source, path))) {
    const names = source.keys.map(({ name }) => identifier(name)).join(', ')
    return { text: `SELECT ${names} FROM ${withWindows(source, { where, at_us }, params).text}`, params: params.params }
  }
  const { aliases, clauses } = merged(source, where === undefined ? {} : { where }, params)
  const keys = source.keys.map(({ name }) => identifier(name)).join(', ')
  return { text: `${aliases} SELECT ${keys} ${clauses}`.trimStart(), params: params.params }
}

const hashOfKey = ({ keys }: EntitySource): string =>
  `sipHash64(${keys.map(({ name }) => identifier(name)).join(', ')})`

const belowOf = (source: EntitySource, below: string | undefined, params: Params): string[] =>
  below === undefined ? [] : [`${hashOfKey(source)} < ${params.add(below, 'UInt64')}`]

/** One row, `below`: the hash behind the `count` least ones of the keys that match; no row where there are no more. */
export function compileEntitySampleBound(
  source: EntitySource,
  { where, at_us, count }: At & { readonly where?: Condition; readonly count: number },
): SqlStatement<{ below: string }> {
  const { text, params } = compileEntityKeys(source, where, at_us)
  return {
    text: `SELECT toString(_hash) AS below FROM (SELECT ${hashOfKey(source)} AS _hash FROM (${text})) ORDER BY _hash LIMIT 1 OFFSET ${count}`,
    params,
  }
}

/** States merged by key. Conditions on keys alone are asked before merging, the rest after it, over aliases. */
function merged(
  source: EntitySource,
  { where, after, below }: Pick<EntitiesRequest, 'where' | 'after'> & EntitiesTaken,
  params: Params,
) {
  const { database, stream, keys, measures } = source
  const terms = termsOf(where)
  const ofKeys = terms.filter((term) => isOfKeys(source, term))
  const ofValues = terms.filter((term) => !ofKeys.includes(term))
  const resolve = entityPlaces(source)
  const compiled = (list: readonly Condition[]) => list.map((term) => compileCondition(term, resolve, params))
  const before = [
    ...compiled(ofKeys),
    ...(after ? [behindKey(keys, after, params)] : []),
    ...belowOf(source, below, params),
  ]
  const having = compiled(ofValues)
  const formulas = measures.flatMap(mergeOf)
  return {
    formulas,
    aliases: having.length > 0 ? `WITH ${formulas.join(', ')}` : '',
    clauses: [
      `FROM ${qualified(database, entityTable(stream))}`,
      ...(before.length > 0 ? [`WHERE ${before.join(' AND ')}`] : []),
      `GROUP BY ${keys.map(({ name }) => identifier(name)).join(', ')}`,
      ...(having.length > 0 ? [`HAVING ${having.join(' AND ')}`] : []),
    ].join(' '),
  }
}

/** A member as conditions compare it. */
function columnOfMember(member: string, sql: string, { input }: Measure): Place {
  if (member === 'cnt' || member === 'unique') return { kind: 'column', sql, type: 'LONG' }
  const isValue = member === 'last' || member === 'first'
  return { kind: 'column', sql, type: isValue ? (input.type === 'OBJECT' ? 'STRING' : input.type) : 'DOUBLE' }
}

/** Keys and values that a refusal names. */
const maxNamed = 60

/** A key by its name, or `<result>.<member>` of a value object, such as `nview.cnt`. */
function entityPlaces(source: EntitySource): Resolve {
  const { stream, keys } = source
  const measures = [
    ...source.measures.map((measure) => ({ ...measure, path: measure.result })),
    ...source.windows.flatMap((window) => window.measures),
  ]
  return (path, { at }) => {
    const key = keys.find(({ name }) => name === path)
    if (key) return columnPlace(key.name, key.type === 'OBJECT' ? 'STRING' : key.type)
    for (const measure of measures) {
      for (const [member, sql] of Object.entries(membersOf(measure))) {
        if (path === `${measure.path}.${member}`) return columnOfMember(member, sql, measure)
      }
    }
    const values = measures.flatMap((measure) =>
      Object.keys(membersOf(measure)).map((member) => `${measure.path}.${member}`),
    )
    const names = [...keys.map(({ name }) => name), ...values]
    const others = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
    const there = `${names.slice(0, maxNamed).join(', ')}${others}`
    const meant = suggest(path, names)
    const right = meant === undefined ? `; there are ${there}` : `; did you mean ${meant}?`
    throw new PlacedRefusal(at, `${path} is no key and no value of the entity stream ${stream}${right}`)
  }
}
