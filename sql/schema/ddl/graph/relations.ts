import { qualified } from '../../../identifier.ts'
import { literal } from '../../../literal.ts'
import { attributeOf, rowAlias, valueOf } from '../../columns.ts'
import { feedView, graphDatabase, inputTable, propertyTable, queueName, schemaGraph, tripleTable } from '../../names.ts'
import type { AttributeType, Relation, Schema, Stream } from '../../schema.ts'
import { deliveryNames, laneOf, unseen } from '../watermark.ts'
import { firstWrite, tripleWatermarks, update } from './graph.ts'

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

/**
 * One row a node and property, and one with the empty property for the node itself. Both ends are merged together: the
 * rows that a batch makes are few, and how they are cut does not hang on which end comes first.
 */
function nodeFeed(schema: Schema, stream: Stream, relation: Relation, number: number): GraphFeed {
  const table = propertyTable(schemaGraph(schema.name))
  const { subjectProperties, objectProperties, updateSubject, updateObject } = relation
  const properties = [...new Set([...subjectProperties, ...objectProperties])].sort()
  const updated = new Set([...(updateSubject ? subjectProperties : []), ...(updateObject ? objectProperties : [])])
  const end = (label: string, name: string, own: readonly string[], isUpdate: boolean): string =>
    `(${[
      literal(label, 'String'),
      textOf(stream, name),
      isUpdate,
      ...properties.map((property) => (own.includes(property) ? jsonOf(stream, property) : "''")),
    ].join(', ')})`
  const entry = (property: string, index: number): string => {
    const value = `_value_${index}`
    const isThere = `${value} != ''`
    const isUpdate = `${isThere} AND _is_update`
    const first = firstWrite(`argMinIf(${value}, _seq, ${isThere})`, `minIf(_seq, ${isThere})`)
    const latest = `maxIf(${update(value, '_at', '_seq')}, ${isUpdate})`
    const write = updated.has(property) ? `if(max(${isUpdate}), ${latest}, ${first})` : first
    return `(${literal(property, 'String')}, ${write}, max(${isThere}))`
  }
  return {
    relation,
    brings: 'nodes',
    table,
    columns: ['label', 'name', 'property', 'written'],
    view: feedView(table, `${schema.name}__${stream.name}`, number),
    select: (from) =>
      [
        'SELECT label, name, entry.1 AS property, entry.2 AS written',
        'FROM (SELECT label, name, [',
        [`('', ${firstWrite("''", 'min(_seq)')}, true)`, ...properties.map(entry)]
          .map((line) => `    ${line}`)
          .join(',\n'),
        '  ] AS entries',
        '  FROM (SELECT',
        `    ${rowAlias}._pk AS _at,`,
        `    ${rowAlias}._seq AS _seq,`,
        '    arrayJoin([',
        `      ${end(relation.subjectLabel, relation.subject, subjectProperties, updateSubject)},`,
        `      ${end(relation.objectLabel, relation.object, objectProperties, updateObject)}`,
        '    ]) AS _node,',
        `    ${['label', 'name', '_is_update', ...properties.map((_, index) => `_value_${index}`)]
          .map((column, index) => `_node.${index + 1} AS ${column}`)
          .join(', ')}`,
        `    FROM ${from} AS ${rowAlias}`,
        `    WHERE ${both(stream, relation)})`,
        // Rows that come in the table's order are written without a sort of all of them: a fifth less work an event.
        '  GROUP BY label, name ORDER BY label, name)',
        'ARRAY JOIN entries AS entry',
        'WHERE entry.3',
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
