import { identifier, qualified } from '../../identifier.ts'
import { columnType, pivotedAttributes, storedAttributes, timeOf } from '../columns.ts'
import { feedView, inputTable, pivotColumn, rejectedTable } from '../names.ts'
import type { Schema, Stream } from '../schema.ts'
import { fed, ttlPace } from './aggregate.ts'
import { attributeComment, commented, eventComments, eventsComment, rejectedComments } from './comments.ts'
import { appliedSettings, deliveryColumns, deliveryNames, shownDeliveryColumns, unseen } from './watermark.ts'

/** Windows are cut in this many partitions; those of two windows exist side by side, older ones are reused. */
const partitionsPerWindow = 8
const partitions = 32

const attributeColumns = (stream: Stream): string[] =>
  storedAttributes(stream).map(({ name, type }) => `${identifier(name)} ${columnType(type)}`)

/** The Null table that each event of a stream passes. `_seq` tells events with the same `_pk` apart. */
export const createInputTable = (schema: Schema, stream: Stream): string =>
  [
    `CREATE TABLE IF NOT EXISTS ${qualified(schema.name, inputTable(stream.name))} (`,
    [
      '_pk Int64',
      '_seq Int64',
      '_rest String',
      ...attributeColumns(stream),
      ...pivotedAttributes(schema, stream).map((name) => `${identifier(pivotColumn(name))} Float64`),
      ...(schema.redelivered ? deliveryColumns : []),
    ]
      .map((column) => `  ${column}`)
      .join(',\n'),
    ') ENGINE = Null',
  ].join('\n')

/** Aliases, of which `SELECT *` has none unless asked, and then behind all other columns: so they are declared. */
export const lastColumns: readonly (readonly [name: string, definition: string])[] = [
  ['_v', `_v Int64 ALIAS 1 ${commented(eventComments._v)}`],
  ['_time', `_time DateTime64(6) ALIAS ${timeOf('_pk')} ${commented(eventComments._time)}`],
]

export const createEventsTable = ({ name: database, redelivered }: Schema, stream: Stream): string =>
  [
    `CREATE TABLE IF NOT EXISTS ${qualified(database, stream.name)} (`,
    [
      `_pk Int64 ${commented(eventComments._pk)} CODEC(DoubleDelta, ZSTD)`,
      `_seq Int64 ${commented(eventComments._seq)} CODEC(DoubleDelta, ZSTD)`,
      `_rest String ${commented(eventComments._rest)} CODEC(ZSTD)`,
      ...storedAttributes(stream).map(
        (attribute) =>
          `${identifier(attribute.name)} ${columnType(attribute.type)} ${commented(attributeComment(stream, attribute))}`,
      ),
      ...(redelivered ? shownDeliveryColumns : []),
      ...lastColumns.map(([, definition]) => definition),
      ...(redelivered ? [eventsProjection(stream)] : []),
    ]
      .map((column) => `  ${column}`)
      .join(',\n'),
    ') ENGINE = MergeTree',
    ...retention(stream.window),
    'ORDER BY (_pk, _seq)',
    ...expiry(stream.window),
    `SETTINGS ${[fed, ...(redelivered ? [appliedSettings] : []), ...expirySettings(stream.window)].join(', ')}`,
    commented(eventsComment(database, stream)),
  ].join('\n')

/** A part holds one slice of time, so watermarks are kept for each: a crash may leave some slices of an insert out. */
const sliceLane = (stream: Stream): string => `sipHash64(_lane, ${sliceOf(stream.window) ?? 0})`
const eventsWatermarks = (stream: Stream): string => `maxMap(map(${sliceLane(stream)}, _position))`
export const eventsProjection = (stream: Stream): string => `PROJECTION _watermark (SELECT ${eventsWatermarks(stream)})`

/** The rows of `from` that are not among a stream's events in `table`, where its log may deliver events again. */
export const notAmong = (stream: Stream, table: string, from: string): string =>
  unseen(from, table, sliceLane(stream), eventsWatermarks(stream))

export const createEventsFeed = ({ name: database, redelivered }: Schema, stream: Stream): string =>
  [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(database, feedView(stream.name, stream.name))}`,
    `TO ${qualified(database, stream.name)} AS SELECT`,
    [
      '_pk',
      '_seq',
      '_rest',
      ...storedAttributes(stream).map(({ name }) => identifier(name)),
      ...(redelivered ? deliveryNames : []),
    ]
      .map((column) => `  ${column}`)
      .join(',\n'),
    `FROM ${
      redelivered
        ? notAmong(stream, qualified(database, stream.name), qualified(database, inputTable(stream.name)))
        : qualified(database, inputTable(stream.name))
    }`,
  ].join('\n')

export const rejectedWatermarks = 'maxMap(map(_lane, _position))'
export const rejectedProjection = `PROJECTION _watermark (SELECT ${rejectedWatermarks})`

/** Made when the first line is rejected: few streams ever need it. */
export const createRejectedTable = (database: string, stream: string, redelivered?: true): string =>
  [
    `CREATE TABLE IF NOT EXISTS ${qualified(database, rejectedTable(stream))} (`,
    [
      `at DateTime64(6) DEFAULT now64(6) ${commented(rejectedComments.at)}`,
      `line String ${commented(rejectedComments.line)}`,
      `reason String ${commented(rejectedComments.reason)}`,
      ...(redelivered ? [...shownDeliveryColumns, rejectedProjection] : []),
    ]
      .map((column) => `  ${column}`)
      .join(',\n'),
    ') ENGINE = MergeTree',
    'ORDER BY at',
    `SETTINGS ${[fed, ...(redelivered ? [appliedSettings] : [])].join(', ')}`,
    commented(`Lines of stream ${database}.${stream} that ClickHouse would not take`),
  ].join('\n')

/**
 * Partitions by time, so that events that `swsz` ends are dropped as a whole. Their number is bounded whatever `_pk` events bring:
 * the slice of time is taken modulo, and a slice comes round again long after its events have expired.
 */
const retention = (window: number): string[] => {
  const slice = sliceOf(window)
  return slice === undefined ? [] : [`PARTITION BY ${slice}`]
}

const sliceOf = (window: number): string | undefined =>
  window === 0 ? undefined : `intDiv(_pk, ${Math.ceil((window * 1_000_000) / partitionsPerWindow)}) % ${partitions}`

/** ClickHouse counts a TTL in 32 bits of seconds; a `_pk` further ahead stays until then. */
export const expiry = (window: number): string[] =>
  window === 0 ? [] : [`TTL toDateTime(least(intDiv(_pk, 1000000) + ${window}, 4294967295))`]

export const expirySettings = (window: number): string[] =>
  window === 0 ? [] : ['ttl_only_drop_parts = 1', ttlPace(window)]
