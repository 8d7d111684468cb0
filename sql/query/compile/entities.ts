import { suggest } from '../../../base/suggest.ts'
import { identifier, qualified } from '../../identifier.ts'
import { valueType } from '../../schema/columns.ts'
import { readableOfAll } from '../../schema/ddl/aggregate.ts'
import { entitiesOf, entityMeasures } from '../../schema/ddl/entities.ts'
import { entityTable, topTable } from '../../schema/names.ts'
import type { Schema } from '../../schema/schema.ts'
import type { States } from '../../schema/statistic-values.ts'
import { besideTop, hasTop, type Measure, membersOf, mergeOf, sketchesOf, statesOf } from '../../schema/statistics.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Condition } from '../ast.ts'
import { pathsOf } from '../compared.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import { columnPlace, compileCondition, createParams, type Params, type Place, type Resolve } from './condition.ts'
import { behindKey, joinedKey, type KeyColumn, matchesText } from './group-key.ts'
import { jsonSettings, pageBounds } from './rows.ts'
import { joinTexts, statesWithTop } from './tops.ts'

/** An entity stream: one row a key, with the lifetime statistics that all its definitions bring. */
export type EntitySource = {
  readonly database: string
  readonly stream: string
  readonly keys: readonly KeyColumn[]
  readonly measures: readonly Measure[]
}

export function entitySource(schema: Schema, stream: string): EntitySource {
  const [first] = entitiesOf(schema, stream)
  return {
    database: schema.name,
    stream,
    keys: first?.entity.keys ?? [],
    measures: entityMeasures(schema, stream),
  }
}

export type EntitiesRequest = {
  readonly where?: Condition
  readonly limit: number
  /** The texts of the last row's key. */
  readonly after?: readonly string[]
}

/**
 * Columns `_k` (the key, joined by `:` where it has several parts), `_parts` (their texts) and `_v` (merged states by
 * measure), in the order of keys. The underscores keep them apart from keys: `k` may be one.
 */
export function compileEntities(source: EntitySource, request: EntitiesRequest): SqlStatement {
  const params = createParams()
  const keys = source.keys.map(({ name }) => identifier(name))
  const k = keys.length === 1 ? `toString(${keys[0]})` : joinedKey(source.keys)
  const parts = keys.map((key) => `toString(${key})`).join(', ')
  const states = source.measures.map(statesOf).join(', ')
  const { aliases, clauses } = merged(source, request, params)
  const order = `ORDER BY ${keys.join(', ')}`
  const tops = source.measures.filter(hasTop)
  const page = [
    aliases,
    `SELECT ${tops.length > 0 ? `${keys.join(', ')}, ` : ''}${k} AS _k, [${parts}] AS _parts, tuple(${states}) AS _v`,
    clauses,
    `${order} LIMIT ${request.limit}`,
  ].join(' ')
  return {
    text: [
      ...(tops.length > 0 ? [pageWithTops(source, page), order] : [page]),
      // Merging goes on in the order of the table and ends with the page.
      'SETTINGS optimize_aggregation_in_order = 1',
    ].join(' '),
    params: params.params,
  }
}

/** A page of keys with the most frequent values of the measures that have them. */
function pageWithTops({ database, stream, keys, measures }: EntitySource, page: string): string {
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

/** A row of `compileEntityStates`: the texts of its key, and of each measure the merged states and what they leave out. */
export type EntityStates = {
  readonly _parts: readonly string[]
  readonly _v: readonly (readonly [states: States, sketches: readonly string[]])[]
}

/** Rows of these keys, or of all in a part of them. `measures` are those that are wanted. */
export function compileEntityStates(
  { database, stream, keys }: EntitySource,
  measures: readonly Measure[],
  wanted: { readonly texts: readonly (readonly string[])[] } | { readonly part: number; readonly parts: number },
): SqlStatement {
  const params = createParams()
  const names = keys.map(({ name }) => identifier(name)).join(', ')
  const parts = keys.map(({ name }) => `toString(${identifier(name)})`).join(', ')
  const values = measures.map(
    (measure) => `tuple(${statesOf(measure)}, CAST([${sketchesOf(measure).join(', ')}], 'Array(String)'))`,
  )
  const matching = (texts: readonly string[]): string =>
    `(${keys.map((key, index) => matchesText(key, texts[index] ?? '', params)).join(' AND ')})`
  const where =
    'texts' in wanted
      ? wanted.texts.map(matching).join(' OR ')
      : `sipHash64(${names}) % ${wanted.parts} = ${wanted.part}`
  return {
    text: `SELECT [${parts}] AS _parts, tuple(${values.join(', ')}) AS _v FROM ${qualified(database, entityTable(stream))} WHERE ${where} GROUP BY ${names}`,
    params: params.params,
  }
}

/** Column `keys`: about how many rows there are. */
export const compileEntityKeyCount = ({ database, stream, keys }: EntitySource): SqlStatement => ({
  text: `SELECT toFloat64(uniqCombined64(${keys.map(({ name }) => identifier(name)).join(', ')})) AS keys FROM ${qualified(database, entityTable(stream))}`,
  params: {},
})

export function compileEntityCount(source: EntitySource, where?: Condition): SqlStatement {
  const params = createParams()
  const { aliases, clauses } = merged(source, { ...(where && { where }) }, params)
  return {
    // In the order of the table one key is merged at a time, however many there are.
    text: `SELECT count() AS count FROM (${aliases} SELECT 1 ${clauses}) SETTINGS optimize_aggregation_in_order = 1`,
    params: params.params,
  }
}

export type EntityLinesRequest = {
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
export function compileEntityLines(whole: EntitySource, { limit, after, maxBytes }: EntityLinesRequest): SqlStatement {
  const params = createParams()
  const source = { ...whole, measures: whole.measures.map(besideTop) }
  const keys = source.keys.map(({ name }) => identifier(name)).join(', ')
  const { formulas, clauses } = merged(source, { ...(after && { after }) }, params)
  const members = [
    ...source.keys.map(({ name, type }) => ({ name, value: identifier(name), type: valueType(type) })),
    ...[...readableOfAll(source.measures)].map(([name, { value, type }]) => ({ name, value, type })),
  ]
  const type = `Tuple(${members.map((member) => `${identifier(member.name)} ${member.type}`).join(', ')})`
  const tuple = `tuple(${members.map(({ value }) => value).join(', ')})`
  const parts = source.keys.map(({ name }) => `toString(${identifier(name)})`).join(', ')
  return {
    text: [
      `SELECT toJSONString([${parts}]) AS _k, toJSONString(CAST(${tuple}, '${type}')) AS _line`,
      `FROM (SELECT ${[keys, ...formulas].join(', ')} ${clauses} ORDER BY ${keys} LIMIT ${limit}) ORDER BY ${keys}`,
      `SETTINGS ${['optimize_aggregation_in_order = 1', jsonSettings, pageBounds(maxBytes)].filter((each) => each !== '').join(', ')}`,
    ].join(' '),
    params: params.params,
  }
}

/** Rows of the keys that match. */
export function compileEntityKeys(source: EntitySource, where: Condition): SqlStatement {
  const params = createParams()
  const { aliases, clauses } = merged(source, { where }, params)
  const keys = source.keys.map(({ name }) => identifier(name)).join(', ')
  return { text: `${aliases} SELECT ${keys} ${clauses}`.trimStart(), params: params.params }
}

/** States merged by key. Conditions on keys alone are asked before merging, the rest after it, over aliases. */
function merged(source: EntitySource, { where, after }: Omit<EntitiesRequest, 'limit'>, params: Params) {
  const { database, stream, keys, measures } = source
  const isKey = (path: string) => keys.some(({ name }) => name === path)
  const terms = where === undefined ? [] : 'terms' in where && where.kind === 'and' ? where.terms : [where]
  const ofKeys = terms.filter((term) => pathsOf(term).every(isKey))
  const ofValues = terms.filter((term) => !ofKeys.includes(term))
  const resolve = entityPlaces(source)
  const compiled = (list: readonly Condition[]) => list.map((term) => compileCondition(term, resolve, params))
  const before = [...compiled(ofKeys), ...(after ? [behindKey(keys, after, params)] : [])]
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
function entityPlaces({ stream, keys, measures }: EntitySource): Resolve {
  return (path, { at }) => {
    const key = keys.find(({ name }) => name === path)
    if (key) return columnPlace(key.name, key.type === 'OBJECT' ? 'STRING' : key.type)
    for (const measure of measures) {
      for (const [member, sql] of Object.entries(membersOf(measure))) {
        if (path === `${measure.result}.${member}`) return columnOfMember(member, sql, measure)
      }
    }
    const values = measures.flatMap((measure) =>
      Object.keys(membersOf(measure)).map((member) => `${measure.result}.${member}`),
    )
    const names = [...keys.map(({ name }) => name), ...values]
    const others = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
    const there = `${names.slice(0, maxNamed).join(', ')}${others}`
    const meant = suggest(path, names)
    const right = meant === undefined ? `; there are ${there}` : `; did you mean ${meant}?`
    throw new PlacedRefusal(at, `${path} is no key and no value of the entity stream ${stream}${right}`)
  }
}
