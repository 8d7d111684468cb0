/** Comments of columns and tables, which analysts read (DESCRIBE, system.columns, information_schema). */
import { literal } from '../../literal.ts'
import type { Attribute, Stream } from '../schema.ts'

/** `COMMENT 'text'`, behind a column's type and default or behind a table. */
export const commented = (text: string): string => `COMMENT ${literal(text, 'String')}`

/** Columns that every table of events has beside its attributes. */
export const eventComments = {
  _pk: 'Time of the event, in microseconds since 1970',
  _seq: 'Number by which the event came in; tells events of one _pk apart',
  _rest: 'Members of the event that the schema does not declare, as JSON',
  _v: 'Version of the event: 1',
  _time: 'Time of the event: _pk as a time; a condition on it reads that part of the table alone',
} as const

/** Columns of rows that a log may deliver again. */
export const deliveryComments = {
  _lane: "The service's own: the way by which the log delivered the row",
  _position: "The service's own: the place of the row in its lane",
} as const

export const attributeComment = ({ computed }: Stream, { name, type }: Pick<Attribute, 'name' | 'type'>): string => {
  const isComputed = computed.some((each) => each.name === name)
  return `${isComputed ? 'Computed attribute' : 'Attribute'} of type ${type}; NULL where the event has none`
}

const eventsOf: Readonly<Record<Stream['kind'], string>> = {
  input: 'Events of the stream',
  filter: 'Events that a filter copied to the stream',
  join: 'Events that a join or a pattern made for the stream',
  entity: 'Rows of the entity stream',
}

export const eventsComment = (schema: string, { name, kind }: Stream): string => `${eventsOf[kind]} ${schema}.${name}`

/** Columns of a stream's lines that were rejected. */
export const rejectedComments = {
  at: 'Time at which the line was rejected',
  line: 'The line as it came from the log',
  reason: 'Reason for which ClickHouse did not take the line',
} as const

/** Columns of the nodes of a graph. */
export const nodeComments = {
  label: 'Label of the node',
  name: 'Name of the node',
  properties: 'Properties of the node, as a JSON object',
} as const
