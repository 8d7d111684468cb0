import { qualified } from '../../../identifier.ts'
import { literal } from '../../../literal.ts'
import { rowAlias } from '../../columns.ts'
import { feedView, graphDatabase, inputTable, queueName, schemaGraph, tripleTable } from '../../names.ts'
import type { Relation, Schema, Stream } from '../../schema.ts'
import { deliveryNames, laneOf, unseen } from '../watermark.ts'
import { type GraphFeed, hasAll, jsonOf, type TripleFeed, textOf } from './feed.ts'
import { tripleWatermarks } from './graph.ts'
import { nodeFeed, nodesOfEvent } from './nodes.ts'

/** The origin of a triple: the stream, and the attributes that two relations of one name may differ in. */
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

/** The feeds of a stream's relations, and of its nodes without one, into the graph of its schema. */
export const graphFeeds = (schema: Schema, stream: Stream): GraphFeed[] => [
  ...stream.relations.flatMap((relation, number) => {
    const triples = tripleFeed(schema, stream, relation, number)
    return [triples, nodeFeed(schema, stream, relation, { number, ends: triples.ends })]
  }),
  ...stream.nodes.map((node, number) => nodesOfEvent(schema, stream, node, number)),
]

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

function tripleFeed(schema: Schema, stream: Stream, relation: Relation, number: number): TripleFeed {
  const table = tripleTable(schemaGraph(schema.name))
  const view = feedView(table, `${schema.name}__${stream.name}`, number)
  const delivered = schema.redelivered ? `,\n  ${laneOf(view, `${rowAlias}.`)} AS _lane,\n  _position` : ''
  const select = (from: string): string =>
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
      `WHERE ${hasAll(stream, [relation.subject, relation.object])}`,
    ].join('\n')
  return {
    relation,
    brings: 'triples',
    table,
    name: relation.relation,
    view,
    columns: [...tripleColumns, ...(schema.redelivered ? deliveryNames : [])],
    select,
    ends: (from) =>
      `SELECT _at, _seq, arrayJoin([(subject_label, subject), (object_label, object)]) AS _end FROM (${select(from)})`,
  }
}

/** The properties that an event has, as JSON text. */
const propertyObject = (stream: Stream, names: readonly string[]): string => {
  if (names.length === 0) return "'{}'"
  const members = names.map((name) => jsonOf(stream, name, `${JSON.stringify(name)}:`))
  return `concat('{', arrayStringConcat(arrayFilter(member -> member != '', [${members.join(', ')}]), ','), '}')`
}

export function createGraphFeed(schema: Schema, stream: Stream, { brings, table, view, select }: GraphFeed): string {
  const [input, target] = [qualified(schema.name, inputTable(stream.name)), qualified(graphDatabase, table)]
  // A node stays the same however often its properties come.
  const isGuarded = schema.redelivered && brings === 'triples'
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, view)}`,
    `TO ${target} AS`,
    select(isGuarded ? unseen(input, target, laneOf(view), tripleWatermarks) : input),
  ].join('\n')
}
