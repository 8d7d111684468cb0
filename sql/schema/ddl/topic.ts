import { identifier, qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { columnType, pivotedAttributes, storedAttributes } from '../columns.ts'
import { deliveredTable, feedView, inputTable, pivotColumn, rejectedTable, topicTable } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { createRejectedTable, rejectedWatermarks } from './events.ts'
import { deliveryColumns, deliveryNames, unseen } from './watermark.ts'

/** How ClickHouse reaches the brokers; `settings` are those of security. */
export type Broker = { readonly brokers: string; readonly settings: Readonly<Record<string, string>> }

export type Topic = { readonly topic: string; readonly group: string }

/** Short waits: an event is to be seen soon. Measured with Kafka 4.1 and ClickHouse 26.7. */
const pace = {
  kafka_flush_interval_ms: 100,
  kafka_poll_timeout_ms: 50,
  kafka_max_block_size: 65536,
  kafka_poll_max_batch_size: 65536,
  kafka_consumer_reschedule_ms: 20,
}

const columnsOf = (schema: Schema, stream: Stream): [name: string, type: string][] => [
  ['_pk', 'Int64'],
  ['_seq', 'Int64'],
  ['_rest', 'String'],
  ...storedAttributes(stream).map(({ name, type }): [string, string] => [name, columnType(type)]),
  ...pivotedAttributes(schema, stream).map((name): [string, string] => [pivotColumn(name), 'Float64']),
]

/** The table by which a ClickHouse server reads a stream's topic. It begins to as soon as a view hangs on it. */
export function createTopicTable(schema: Schema, stream: Stream, { topic, group }: Topic, broker: Broker): string {
  const settings = {
    kafka_broker_list: broker.brokers,
    kafka_topic_list: topic,
    kafka_group_name: group,
    kafka_format: 'JSONEachRow',
    kafka_handle_error_mode: 'stream',
    ...broker.settings,
  }
  return [
    `CREATE TABLE IF NOT EXISTS ${qualified(schema.name, topicTable(stream.name))} (`,
    columnsOf(schema, stream)
      .map(([name, type]) => `  ${identifier(name)} ${type}`)
      .join(',\n'),
    ') ENGINE = Kafka SETTINGS',
    [
      ...Object.entries(settings).map(([name, value]) => `  ${name} = ${literal(value, 'String')}`),
      ...Object.entries(pace).map(([name, value]) => `  ${name} = ${value}`),
      '  input_format_skip_unknown_fields = 1',
    ].join(',\n'),
  ].join('\n')
}

/** Every line that Weir writes has a `_seq`; a message without one is another writer's. */
const reason = [
  'multiIf(',
  "_error != '', concat('partition ', toString(_partition), ', offset ', toString(_offset), ': ', _error),",
  "_seq = 0, concat('partition ', toString(_partition), ', offset ', toString(_offset), ': none of Weir\\'s lines, it has no _seq'),",
  "'')",
].join(' ')

const lines = (items: readonly string[]): string => items.map((item) => `  ${item}`).join(',\n')

/**
 * The view that carries the rows that ClickHouse read of the topic: one, so that no row is read that nothing takes. `base`
 * goes to each offset: more than any position that a topic of before had, or 0. `begins` has the offsets by partition from
 * which the group goes on. Where the brokers have forgotten the group, ClickHouse reads the topic from its begin, and
 * events before those offsets may have been erased.
 */
export const createTopicFeed = (
  schema: Schema,
  stream: Stream,
  base: number,
  begins: ReadonlyMap<number, number>,
): string =>
  [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, feedView(deliveredTable(stream.name), 'topic'))}`,
    `TO ${qualified(schema.name, deliveredTable(stream.name))} AS SELECT`,
    lines([
      ...columnsOf(schema, stream).map(([name]) => identifier(name)),
      'toUInt64(_partition) AS _lane',
      `toInt64(_offset) + ${base + 1} AS _position`,
      '_raw_message AS _line',
      `${reason} AS _reason`,
    ]),
    `FROM ${qualified(schema.name, topicTable(stream.name))}`,
    ...fromOffsets([...begins].filter(([, offset]) => offset > 0)),
  ].join('\n')

function fromOffsets(begins: readonly (readonly [partition: number, offset: number])[]): string[] {
  if (begins.length === 0) return []
  const [partitions, offsets] = [0, 1].map((at) => `[${begins.map((begin) => begin[at]).join(', ')}]`)
  return [`WHERE _offset >= CAST((${partitions}, ${offsets}), 'Map(UInt64, UInt64)')[_partition]`]
}

/** The views that the topic's rows pass: events into the stream's Null table, the rest among the rejected. */
export function createDelivered(schema: Schema, stream: Stream): string[] {
  const delivered = qualified(schema.name, deliveredTable(stream.name))
  const [input, rejected] = [inputTable(stream.name), rejectedTable(stream.name)]
  const columns = columnsOf(schema, stream)
  return [
    [
      `CREATE TABLE IF NOT EXISTS ${delivered} (`,
      lines([
        ...columns.map(([name, type]) => `${identifier(name)} ${type}`),
        ...deliveryColumns,
        '_line String',
        '_reason String',
      ]),
      ') ENGINE = Null',
    ].join('\n'),
    createRejectedTable(schema.name, stream.name, true),
    [
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, feedView(rejected, stream.name))}`,
      `TO ${qualified(schema.name, rejected)} AS`,
      'SELECT _line AS line, _reason AS reason, _lane, _position',
      `FROM ${unseen(`(SELECT * FROM ${delivered} WHERE _reason != '')`, qualified(schema.name, rejected), '_lane', rejectedWatermarks)}`,
    ].join('\n'),
    [
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, feedView(input, stream.name))}`,
      `TO ${qualified(schema.name, input)} AS SELECT`,
      lines([...columns.map(([name]) => identifier(name)), ...deliveryNames]),
      `FROM ${delivered}`,
      "WHERE _reason = ''",
    ].join('\n'),
  ]
}

export const dropDelivered = (schema: string, stream: string): string[] => [
  ...[feedView(inputTable(stream), stream), feedView(rejectedTable(stream), stream)].map(
    (view) => `DROP VIEW IF EXISTS ${qualified(schema, view)} SYNC`,
  ),
  `DROP TABLE IF EXISTS ${qualified(schema, deliveredTable(stream))} SYNC`,
]

/** Drops the table first: it ends its reads, and no row is read that no view would take. */
export const dropTopic = (schema: string, stream: string): string[] => [
  `DROP TABLE IF EXISTS ${qualified(schema, topicTable(stream))} SYNC`,
  `DROP VIEW IF EXISTS ${qualified(schema, feedView(deliveredTable(stream), 'topic'))} SYNC`,
]
