import { literal } from '../../../literal.ts'
import { rowAlias } from '../../columns.ts'
import { feedView, nodeView, propertyTable, schemaGraph } from '../../names.ts'
import type { NodeOfEvent, Relation, Schema, Stream } from '../../schema.ts'
import { type GraphFeed, hasAll, jsonOf, textOf } from './feed.ts'
import { write } from './graph.ts'

/** The columns that a batch writes for one property of a node: the parts of a write, of which an empty value is none. */
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

/** The nodes that events give in one place: an end of a relation, or a node without one. */
type End = {
  readonly label: string
  readonly attribute: string
  readonly properties: readonly string[]
  readonly isUpdated: boolean
}

/**
 * One row a node and property, and one with the empty property for the node itself. Both ends of a relation are merged
 * together: the rows that a batch makes are few, and how they are cut does not hang on which end comes first.
 *
 * Of a small batch most of the time goes to reading this statement, and arrays that are joined side by side are read in
 * half the time of tuples that are taken apart.
 */
function selectNodes(stream: Stream, ends: readonly End[], from: string): string {
  const properties = [...new Set(ends.flatMap((end) => end.properties))].sort()
  const updated = new Set(ends.filter(({ isUpdated }) => isUpdated).flatMap((end) => end.properties))
  const labels = ends.map(({ label }) => literal(label, 'String'))
  // A text that is the same in all rows is no key to group by.
  const oneLabel = new Set(labels).size === 1 ? labels[0] : undefined
  const keys = oneLabel === undefined ? '_label, _name' : '_name'
  const value = (index: number): string => `_value_${index}`
  /** Columns of the ends, each with its expressions for them. */
  const columns: (readonly [column: string, ofEnds: readonly (string | boolean)[]])[] = [
    ...(oneLabel === undefined ? [['_label', labels] as const] : []),
    ['_name', ends.map(({ attribute }) => textOf(stream, attribute))],
    ...(updated.size > 0 ? [['_is_update', ends.map(({ isUpdated }) => isUpdated)] as const] : []),
    ...properties.map((property, index) => {
      const of = (own: readonly string[]): string => (own.includes(property) ? jsonOf(stream, property) : "''")
      return [value(index), ends.map((end) => of(end.properties))] as const
    }),
  ]
  const node: Written = { isUpdate: '0', at: '0', seq: '-min(_seq)', value: "''" }
  const writes = [node, ...properties.map((property, index) => writtenOf(value(index), updated.has(property)))]
  const parts = updated.size > 0 ? (['isUpdate', 'at', 'seq', 'value'] as const) : (['seq', 'value'] as const)
  const part = (name: keyof Written): string => (parts.some((each) => each === name) ? `_${name}` : '0')
  return [
    `SELECT ${oneLabel ?? '_label'} AS label, _name AS name, property,`,
    `  CAST((${part('isUpdate')}, ${part('at')}, _seq, _value), ${literal(write, 'String')}) AS written`,
    `FROM (SELECT ${keys},`,
    parts.map((name) => `    [${writes.map((each) => each[name]).join(', ')}] AS _${name}s`).join(',\n'),
    '  FROM (SELECT',
    `    ${rowAlias}._pk AS _at,`,
    `    ${rowAlias}._seq AS _seq,`,
    `    ${columns.map(([column]) => column).join(', ')}`,
    `    FROM ${from} AS ${rowAlias}`,
    '    ARRAY JOIN',
    columns.map(([column, ofEnds]) => `      [${ofEnds.join(', ')}] AS ${column}`).join(',\n'),
    `    WHERE ${hasAll(
      stream,
      ends.map(({ attribute }) => attribute),
    )})`,
    // Rows that come in the table's order are written without a sort of all of them: a fifth less work an event.
    `  GROUP BY ${keys} ORDER BY ${keys})`,
    `ARRAY JOIN [${['', ...properties].map((property) => literal(property, 'String')).join(', ')}] AS property,`,
    `  ${parts.map((name) => `_${name}s AS _${name}`).join(', ')}`,
    "WHERE property = '' OR _value != ''",
  ].join('\n')
}

const columns = ['label', 'name', 'property', 'written']

type OfRelation = { readonly number: number; readonly ends: GraphFeed['ends'] }

/** The nodes at both ends of a relation; `ends` are those of its triples. */
export function nodeFeed(schema: Schema, stream: Stream, relation: Relation, { number, ends }: OfRelation): GraphFeed {
  const table = propertyTable(schemaGraph(schema.name))
  const both: readonly End[] = [
    {
      label: relation.subjectLabel,
      attribute: relation.subject,
      properties: relation.subjectProperties,
      isUpdated: relation.updateSubject,
    },
    {
      label: relation.objectLabel,
      attribute: relation.object,
      properties: relation.objectProperties,
      isUpdated: relation.updateObject,
    },
  ]
  return {
    brings: 'nodes',
    table,
    name: relation.relation,
    columns,
    view: feedView(table, `${schema.name}__${stream.name}`, number),
    select: (from) => selectNodes(stream, both, from),
    ends,
  }
}

/** The nodes of a stream's `node`. */
export function nodesOfEvent(schema: Schema, stream: Stream, node: NodeOfEvent, number: number): GraphFeed {
  const table = propertyTable(schemaGraph(schema.name))
  const { label, subject: attribute, properties, update: isUpdated } = node
  const end = `(${literal(label, 'String')}, ${textOf(stream, attribute)})`
  return {
    brings: 'nodes',
    table,
    name: `node ${label}:${attribute}`,
    columns,
    view: nodeView(schema.name, stream.name, number),
    select: (from) => selectNodes(stream, [{ label, attribute, properties, isUpdated }], from),
    ends: (from) =>
      `SELECT ${rowAlias}._pk AS _at, ${rowAlias}._seq AS _seq, ${end} AS _end FROM ${from} AS ${rowAlias} WHERE ${hasAll(stream, [attribute])}`,
  }
}
