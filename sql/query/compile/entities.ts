import { identifier, qualified } from '../../identifier.ts'
import { entitiesOf, entityMeasures } from '../../schema/ddl/entities.ts'
import { entityTable } from '../../schema/names.ts'
import type { Schema } from '../../schema/schema.ts'
import { type Measure, statistics, valueObject } from '../../schema/statistics.ts'
import type { SqlStatement } from '../../statement.ts'
import type { Condition } from '../ast.ts'
import { PlacedRefusal } from '../placed-refusal.ts'
import { columnPlace, compileCondition, createParams, type Params, type Resolve } from './condition.ts'
import { behindKey, joinedKey, type KeyColumn } from './group-key.ts'

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
 * Columns `_k` (the key, joined by `:` where it has several parts), `_parts` (their texts) and `_v`, in the order of keys.
 * The underscores keep them apart from keys: `k` may be one.
 */
export function compileEntities(source: EntitySource, request: EntitiesRequest): SqlStatement {
  const params = createParams()
  const keys = source.keys.map(({ name }) => identifier(name))
  const [first] = keys
  const k = keys.length === 1 ? `toString(${first})` : joinedKey(source.keys)
  const parts = `[${keys.map((key) => `toString(${key})`).join(', ')}]`
  const members = source.measures.map(
    (measure, index) => `'${index === 0 ? '' : ','}${JSON.stringify(measure.result)}:', ${valueObject(measure)}`,
  )
  return {
    text: [
      `SELECT ${k} AS _k, ${parts} AS _parts, concat('{', ${[...members, "'}'"].join(', ')}) AS _v`,
      `FROM (${merged(source, request, params)}) ORDER BY ${keys.join(', ')}`,
      // Merging goes on in the order of the table and ends with the page; within the subquery the setting does nothing.
      'SETTINGS optimize_aggregation_in_order = 1',
    ].join(' '),
    params: params.params,
  }
}

export function compileEntityCount(source: EntitySource, where?: Condition): SqlStatement {
  const params = createParams()
  return {
    text: `SELECT count() AS count FROM (${merged(source, { ...(where && { where }) }, params)})`,
    params: params.params,
  }
}

/** States merged by key. What asks for keys alone is asked before merging, the rest after it. */
function merged(source: EntitySource, request: Partial<EntitiesRequest>, params: Params): string {
  const { database, stream, keys, measures } = source
  const names = keys.map(({ name }) => identifier(name)).join(', ')
  const terms =
    request.where === undefined
      ? []
      : 'terms' in request.where && request.where.kind === 'and'
        ? request.where.terms
        : [request.where]
  const resolve = entityPlaces(source)
  const isKey = (path: string) => keys.some(({ name }) => name === path)
  const ofKeys = terms.filter((term) => pathsOf(term).every(isKey))
  const ofValues = terms.filter((term) => !ofKeys.includes(term))
  const compiled = (list: readonly Condition[]) => list.map((term) => compileCondition(term, resolve, params))
  const before = [...compiled(ofKeys), ...(request.after ? [behindKey(keys, request.after, params)] : [])]
  const after = compiled(ofValues)
  return [
    `SELECT ${[names, ...measures.flatMap(({ kind, result }) => statistics[kind].merge(result))].join(', ')}`,
    `FROM ${qualified(database, entityTable(stream))}`,
    before.length > 0 ? `WHERE ${before.join(' AND ')}` : '',
    `GROUP BY ${names}`,
    after.length > 0 ? `HAVING ${after.join(' AND ')}` : '',
    request.limit === undefined ? '' : `ORDER BY ${names} LIMIT ${request.limit}`,
  ].join(' ')
}

const pathsOf = (condition: Condition): string[] =>
  'terms' in condition ? condition.terms.flatMap(pathsOf) : [condition.path]

/** A key by its name, or `<result>.<member>` of a value object, such as `nview.cnt`. */
function entityPlaces({ stream, keys, measures }: EntitySource): Resolve {
  return (path, { at }) => {
    const key = keys.find(({ name }) => name === path)
    if (key) return columnPlace(key.name, key.type === 'OBJECT' ? 'STRING' : key.type)
    for (const { kind, result } of measures) {
      const fields = statistics[kind].fields(result)
      for (const [member, sql] of Object.entries(fields)) {
        if (path === `${result}.${member}`) return { kind: 'column', sql, type: member === 'cnt' ? 'LONG' : 'DOUBLE' }
      }
    }
    const there = [...keys.map(({ name }) => name), ...measures.map(({ result }) => `${result}.cnt`)].join(', ')
    throw new PlacedRefusal(at, `${path} is no key and no value of the entity stream ${stream}; there are ${there}`)
  }
}
