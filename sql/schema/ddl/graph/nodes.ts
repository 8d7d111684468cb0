import { literal } from '../../../literal.ts'
import { rowAlias } from '../../columns.ts'
import { feedView, propertyTable, schemaGraph } from '../../names.ts'
import type { Relation, Schema, Stream } from '../../schema.ts'
import { both, type GraphFeed, jsonOf, textOf } from './feed.ts'
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

/**
 * One row a node and property, and one with the empty property for the node itself. Both ends are merged together: the
 * rows that a batch makes are few, and how they are cut does not hang on which end comes first.
 *
 * Of a small batch most of the time goes to reading this statement, and arrays that are joined side by side are read in
 * half the time of tuples that are taken apart.
 */
export function nodeFeed(schema: Schema, stream: Stream, relation: Relation, number: number): GraphFeed {
  const table = propertyTable(schemaGraph(schema.name))
  const { subjectProperties, objectProperties, updateSubject, updateObject, subjectLabel, objectLabel } = relation
  const properties = [...new Set([...subjectProperties, ...objectProperties])].sort()
  const updated = new Set([...(updateSubject ? subjectProperties : []), ...(updateObject ? objectProperties : [])])
  const [subject, object] = [literal(subjectLabel, 'String'), literal(objectLabel, 'String')]
  // A text that is the same in all rows is no key to group by.
  const isOneLabel = subjectLabel === objectLabel
  const keys = isOneLabel ? '_name' : '_label, _name'
  const value = (index: number): string => `_value_${index}`
  /** Columns of the two ends, each with its expression for the subject and for the object. */
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
