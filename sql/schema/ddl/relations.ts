import { qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { attributeOf, rowAlias, valueOf } from '../columns.ts'
import { feedView, graphDatabase, inputTable, propertyTable, queueName, schemaGraph, tripleTable } from '../names.ts'
import type { Relation, Schema, Stream } from '../schema.ts'

/** A feed of the schema's graph: the select over a stream's rows, and the table that takes it. */
export type GraphFeed = {
  readonly relation: Relation
  readonly brings: 'triples' | 'nodes'
  readonly table: string
  readonly view: string
  select(from: string): string
}

const valueIn = (stream: Stream, name: string): string => valueOf(attributeOf(stream, name) ?? { name, type: 'STRING' })

const textOf = (stream: Stream, name: string): string => `toString(assumeNotNull(${valueIn(stream, name)}))`

const jsonOf = (stream: Stream, name: string): string =>
  attributeOf(stream, name)?.type === 'OBJECT'
    ? `assumeNotNull(${valueIn(stream, name)})`
    : `assumeNotNull(toJSONString(${valueIn(stream, name)}))`

const both = (stream: Stream, { subject, object }: Relation): string =>
  `isNotNull(${valueIn(stream, subject)}) AND isNotNull(${valueIn(stream, object)})`

/** Takes the triples of a stream's relation out of the graph. */
export const forgetRelation = (schema: Schema, stream: Stream, relation: Relation): string =>
  [
    `DELETE FROM ${qualified(graphDatabase, tripleTable(schemaGraph(schema.name)))}`,
    `WHERE _source = ${literal(queueName(schema.name, stream.name), 'String')}`,
    `AND relation = ${literal(relation.relation, 'String')}`,
    `AND subject_label = ${literal(relation.subjectLabel, 'String')}`,
    `AND object_label = ${literal(relation.objectLabel, 'String')}`,
  ].join(' ')

/** What a stream's relations bring into the graph of its schema. */
export const graphFeeds = (schema: Schema, stream: Stream): GraphFeed[] =>
  stream.relations.flatMap((relation, number) => [
    tripleFeed(schema, stream, relation, number),
    nodeFeed(schema, stream, relation, number),
  ])

function tripleFeed(schema: Schema, stream: Stream, relation: Relation, number: number): GraphFeed {
  const table = tripleTable(schemaGraph(schema.name))
  return {
    relation,
    brings: 'triples',
    table,
    view: feedView(table, `${schema.name}__${stream.name}`, number),
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
        `  ${literal(queueName(schema.name, stream.name), 'String')} AS _source`,
        `FROM ${from} AS ${rowAlias}`,
        `WHERE ${both(stream, relation)}`,
      ].join('\n'),
  }
}

/** The properties that an event has, as JSON text. */
const propertyObject = (stream: Stream, names: readonly string[]): string => {
  if (names.length === 0) return "'{}'"
  const members = names.map(
    (name) =>
      `if(isNull(${valueIn(stream, name)}), '', concat(${literal(`${JSON.stringify(name)}:`, 'String')}, ${jsonOf(stream, name)}))`,
  )
  return `concat('{', arrayStringConcat(arrayFilter(member -> member != '', [${members.join(', ')}]), ','), '}')`
}

/** One row a property of each end, and one with the empty name for the node itself. */
function nodeFeed(schema: Schema, stream: Stream, relation: Relation, number: number): GraphFeed {
  const table = propertyTable(schemaGraph(schema.name))
  const rows = [
    ...endRows(stream, relation.subjectLabel, relation.subject, relation.subjectProperties, relation.updateSubject),
    ...endRows(stream, relation.objectLabel, relation.object, relation.objectProperties, relation.updateObject),
  ]
  return {
    relation,
    brings: 'nodes',
    table,
    view: feedView(table, `${schema.name}__${stream.name}`, number),
    select: (from) =>
      [
        'SELECT label, name, property,',
        '  argMinState(value, at) AS first,',
        '  argMaxStateIf(value, at, isUpdate) AS updated',
        'FROM (SELECT',
        `  (${rowAlias}._pk, ${rowAlias}._seq) AS at,`,
        `  arrayJoin([${rows.join(', ')}]) AS node,`,
        '  node.1 AS label, node.2 AS name, node.3 AS property, node.4 AS value, node.5 AS isUpdate',
        `  FROM ${from} AS ${rowAlias}`,
        `  WHERE ${both(stream, relation)})`,
        "WHERE property = '' OR value != ''",
        'GROUP BY label, name, property',
      ].join('\n'),
  }
}

function endRows(
  stream: Stream,
  label: string,
  end: string,
  properties: readonly string[],
  isUpdate: boolean,
): string[] {
  const row = (property: string, value: string, update: boolean): string =>
    `(${literal(label, 'String')}, ${textOf(stream, end)}, ${literal(property, 'String')}, ${value}, ${update})`
  return [
    row('', "''", false),
    ...properties.map((name) =>
      row(name, `if(isNull(${valueIn(stream, name)}), '', ${jsonOf(stream, name)})`, isUpdate),
    ),
  ]
}

export const createGraphFeed = (schema: Schema, stream: Stream, { table, view, select }: GraphFeed): string =>
  [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, view)}`,
    `TO ${qualified(graphDatabase, table)} AS`,
    select(qualified(schema.name, inputTable(stream.name))),
  ].join('\n')
