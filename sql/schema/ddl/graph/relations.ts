import { qualified } from '../../../identifier.ts'
import { literal } from '../../../literal.ts'
import { attributeOf, rowAlias, valueOf } from '../../columns.ts'
import { feedView, graphDatabase, inputTable, propertyTable, queueName, schemaGraph, tripleTable } from '../../names.ts'
import type { AttributeType, Relation, Schema, Stream } from '../../schema.ts'
import { deliveryNames, laneOf, unseen } from '../watermark.ts'
import { tripleWatermarks, write } from './graph.ts'

/** A feed of the schema's graph: the select over a stream's rows, and the table that takes it. */
export type GraphFeed = {
  readonly relation: Relation
  readonly brings: 'triples' | 'nodes'
  readonly table: string
  readonly view: string
  /** What `select` gives, in its order. */
  readonly columns: readonly string[]
  select(from: string): string
}

const valueIn = (stream: Stream, name: string): string => valueOf(attributeOf(stream, name) ?? { name, type: 'STRING' })

const textOf = (stream: Stream, name: string): string => `toString(assumeNotNull(${valueIn(stream, name)}))`

/** A number's own text is JSON, under any of ClickHouse's JSON settings. */
const jsonTexts: Readonly<Record<AttributeType, (value: string) => string>> = {
  STRING: (value) => `toJSONString(${value})`,
  LONG: (value) => `toString(${value})`,
  DOUBLE: (value) => `toString(${value})`,
  BOOL: (value) => `toString(${value})`,
  OBJECT: (value) => value,
}

/** An attribute's value as JSON text behind `before`; '' where it is missing. */
export function jsonOf(stream: Stream, name: string, before = ''): string {
  const value = valueIn(stream, name)
  const text = `assumeNotNull(${jsonTexts[attributeOf(stream, name)?.type ?? 'STRING'](value)})`
  return `if(isNull(${value}), '', ${before === '' ? text : `concat(${literal(before, 'String')}, ${text})`})`
}

const both = (stream: Stream, { subject, object }: Relation): string =>
  `isNotNull(${valueIn(stream, subject)}) AND isNotNull(${valueIn(stream, object)})`

/** What brought a triple: the stream, and the attributes that two relations of one name may differ in. */
const sourceOf = (schema: Schema, stream: Stream, { subject, object }: Relation): string =>
  literal([queueName(schema.name, stream.name), subject, object].join(':'), 'String')

/** The triples of a stream's relation, as a condition on a graph's triples. */
export const isTripleOf = (schema: Schema, stream: Stream, relation: Relation): string =>
  [
    `_source = ${sourceOf(schema, stream, relation)}`,
    `relation = ${literal(relation.relation, 'String')}`,
    `subject_label = ${literal(relation.subjectLabel, 'String')}`,
    `object_label = ${literal(relation.objectLabel, 'String')}`,
  ].join(' AND ')

/** The triples' feed of the relation of any feed. */
export const triplesBeside = (schema: Schema, stream: Stream, { relation }: GraphFeed): GraphFeed =>
  tripleFeed(schema, stream, relation, stream.relations.indexOf(relation))

/** What a stream's relations bring into the graph of its schema. */
export const graphFeeds = (schema: Schema, stream: Stream): GraphFeed[] =>
  stream.relations.flatMap((relation, number) => [
    tripleFeed(schema, stream, relation, number),
    nodeFeed(schema, stream, relation, number),
  ])

const tripleColumns = [
  'subject_label',
  'subject',
  'relation',
  'object_label',
  'object',
  'properties',
  '_at',
  '_seq',
  '_source',
]

function tripleFeed(schema: Schema, stream: Stream, relation: Relation, number: number): GraphFeed {
  const table = tripleTable(schemaGraph(schema.name))
  const view = feedView(table, `${schema.name}__${stream.name}`, number)
  const delivered = schema.redelivered ? `,\n  ${laneOf(view, `${rowAlias}.`)} AS _lane,\n  _position` : ''
  return {
    relation,
    brings: 'triples',
    table,
    view,
    columns: [...tripleColumns, ...(schema.redelivered ? deliveryNames : [])],
    select: (from) =>
      [
        'SELECT',
        `  ${literal(relation.subjectLabel, 'String')} AS subject_label,`,
        `  ${textOf(stream, relation.subject)} AS subject,`,
        `  ${literal(relation.relation, 'String')} AS relation,`,
        `  ${literal(relation.objectLabel, 'String')} AS object_label,`,
        `  ${textOf(stream, relation.object)} AS object,`,
        `  ${propertyObject(stream, relation.relationProperties)} AS properties,`,
        `  ${rowAlias}._pk AS _at,`,
        `  ${rowAlias}._seq AS _seq,`,
        `  ${sourceOf(schema, stream, relation)} AS _source${delivered}`,
        `FROM ${from} AS ${rowAlias}`,
        `WHERE ${both(stream, relation)}`,
      ].join('\n'),
  }
}

/** The properties that an event has, as JSON text. */
const propertyObject = (stream: Stream, names: readonly string[]): string => {
  if (names.length === 0) return "'{}'"
  const members = names.map((name) => jsonOf(stream, name, `${JSON.stringify(name)}:`))
  return `concat('{', arrayStringConcat(arrayFilter(member -> member != '', [${members.join(', ')}]), ','), '}')`
}

/** What a batch writes of one property of a node: the parts of a write, of which an empty value is none. */
type Written = { readonly isUpdate: string; readonly at: string; readonly seq: string; readonly value: string }

function writtenOf(value: string, mayUpdate: boolean): Written {
  const isThere = `${value} != ''`
  const first = { seq: `-minIf(_seq, ${isThere})`, value: `argMinIf(${value}, _seq, ${isThere})` }
  if (!mayUpdate) return { isUpdate: '0', at: '0', ...first }
  const isUpdate = `${isThere} AND _is_update`
  const latest = `maxIf((_at, _seq, ${value}), ${isUpdate})`
  const either = (of: string, otherwise: string): string => `if(max(${isUpdate}), ${of}, ${otherwise})`
  return {
    isUpdate: `max(${isUpdate})`,
    at: either(`${latest}.1`, '0'),
    seq: either(`${latest}.2`, first.seq),
    value: either(`${latest}.3`, first.value),
  }
}

/**
 * One row a node and property, and one with the empty property for the node itself. Both ends are merged together: the
 * rows that a batch makes are few, and how they are cut does not hang on which end comes first.
 *
 * Of a small batch most of the time goes to reading this statement, and arrays that are joined side by side are read in
 * half the time of tuples that are taken apart.
 */
function nodeFeed(schema: Schema, stream: Stream, relation: Relation, number: number): GraphFeed {
  const table = propertyTable(schemaGraph(schema.name))
  const { subjectProperties, objectProperties, updateSubject, updateObject, subjectLabel, objectLabel } = relation
  const properties = [...new Set([...subjectProperties, ...objectProperties])].sort()
  const updated = new Set([...(updateSubject ? subjectProperties : []), ...(updateObject ? objectProperties : [])])
  const [subject, object] = [literal(subjectLabel, 'String'), literal(objectLabel, 'String')]
  // A text that is the same in all rows is no key to group by.
  const isOneLabel = subjectLabel === objectLabel
  const keys = isOneLabel ? '_name' : '_label, _name'
  const value = (index: number): string => `_value_${index}`
  /** Columns of the two ends, each with what it is of the subject and of the object. */
  const ends: (readonly [column: string, ofSubject: string | boolean, ofObject: string | boolean])[] = [
    ...(isOneLabel ? [] : ([['_label', subject, object]] as const)),
    ['_name', textOf(stream, relation.subject), textOf(stream, relation.object)],
    ...(updated.size > 0 ? ([['_is_update', updateSubject, updateObject]] as const) : []),
    ...properties.map((property, index) => {
      const of = (own: readonly string[]): string => (own.includes(property) ? jsonOf(stream, property) : "''")
      return [value(index), of(subjectProperties), of(objectProperties)] as const
    }),
  ]
  const node: Written = { isUpdate: '0', at: '0', seq: '-min(_seq)', value: "''" }
  const writes = [node, ...properties.map((property, index) => writtenOf(value(index), updated.has(property)))]
  const parts = updated.size > 0 ? (['isUpdate', 'at', 'seq', 'value'] as const) : (['seq', 'value'] as const)
  const part = (name: keyof Written): string => (parts.some((each) => each === name) ? `_${name}` : '0')
  return {
    relation,
    brings: 'nodes',
    table,
    columns: ['label', 'name', 'property', 'written'],
    view: feedView(table, `${schema.name}__${stream.name}`, number),
    select: (from) =>
      [
        `SELECT ${isOneLabel ? subject : '_label'} AS label, _name AS name, property,`,
        `  CAST((${part('isUpdate')}, ${part('at')}, _seq, _value), ${literal(write, 'String')}) AS written`,
        `FROM (SELECT ${keys},`,
        parts.map((name) => `    [${writes.map((each) => each[name]).join(', ')}] AS _${name}s`).join(',\n'),
        '  FROM (SELECT',
        `    ${rowAlias}._pk AS _at,`,
        `    ${rowAlias}._seq AS _seq,`,
        `    ${ends.map(([column]) => column).join(', ')}`,
        `    FROM ${from} AS ${rowAlias}`,
        '    ARRAY JOIN',
        ends.map(([column, ofSubject, ofObject]) => `      [${ofSubject}, ${ofObject}] AS ${column}`).join(',\n'),
        `    WHERE ${both(stream, relation)})`,
        // Rows that come in the table's order are written without a sort of all of them: a fifth less work an event.
        `  GROUP BY ${keys} ORDER BY ${keys})`,
        `ARRAY JOIN [${['', ...properties].map((property) => literal(property, 'String')).join(', ')}] AS property,`,
        `  ${parts.map((name) => `_${name}s AS _${name}`).join(', ')}`,
        "WHERE property = '' OR _value != ''",
      ].join('\n'),
  }
}

export function createGraphFeed(schema: Schema, stream: Stream, { brings, table, view, select }: GraphFeed): string {
  const [input, target] = [qualified(schema.name, inputTable(stream.name)), qualified(graphDatabase, table)]
  // What nodes take is the same however often it comes.
  const isGuarded = schema.redelivered && brings === 'triples'
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, view)}`,
    `TO ${target} AS`,
    select(isGuarded ? unseen(input, target, laneOf(view), tripleWatermarks) : input),
  ].join('\n')
}
