/** A feed of a schema's graph, and the columns that it reads of an event. */
import { literal } from '../../../literal.ts'
import { attributeOf, valueOf } from '../../columns.ts'
import type { AttributeType, Relation, Stream } from '../../schema.ts'

/** A feed of the schema's graph: the select over a stream's rows, and the table that takes it. */
export type GraphFeed = {
  readonly table: string
  /** Tells it from the others of its table in reports. */
  readonly name: string
  readonly view: string
  /** The columns that `select` gives, in its order. */
  readonly columns: readonly string[]
  select(from: string): string
  /** Rows `_at`, `_seq`, `_end`: the nodes, by label and name, that each event of `from` touches. */
  ends(from: string): string
} & ({ readonly brings: 'triples'; readonly relation: Relation } | { readonly brings: 'nodes' })

export type TripleFeed = Extract<GraphFeed, { readonly brings: 'triples' }>

const valueIn = (stream: Stream, name: string): string => valueOf(attributeOf(stream, name) ?? { name, type: 'STRING' })

export const textOf = (stream: Stream, name: string): string => `toString(assumeNotNull(${valueIn(stream, name)}))`

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

/** The condition that an event has these attributes: the ends of a relation, or a node. */
export const hasAll = (stream: Stream, names: readonly string[]): string =>
  names.map((name) => `isNotNull(${valueIn(stream, name)})`).join(' AND ')
