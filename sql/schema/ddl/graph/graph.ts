import { identifier, qualified } from '../../../identifier.ts'
import { feedView, graphDatabase, propertyTable, scoreTable, tripleTable } from '../../names.ts'
import { fed } from '../aggregate.ts'
import { commented, nodeComments } from '../comments.ts'
import { appliedSettings, shownDeliveryColumns } from '../watermark.ts'

/**
 * A write of a property. The greatest counts: of updates the one of the latest event, by its `_pk`, then its `_seq`; of
 * first writes, which any update is above, the one with the least `_seq`, so that is kept negative.
 */
export const write = 'Tuple(is_update UInt8, at Int64, seq Int64, value String)'
export const firstWrite = (value: string, seq: string): string => `CAST((0, 0, -${seq}, ${value}), '${write}')`
/** The same as a value of JSON. */
export const firstWriteOf = (value: string, seq: number) => ({ is_update: 0, at: 0, seq: -seq, value })

/** A statement that masks rows takes the projection away, which knows no mask: no part may answer with rows that are gone. */
const deletes = "lightweight_mutation_projection_mode = 'drop'"

/** A triple's lane is that of the feed that brought it. */
export const tripleWatermarks = 'maxMap(map(_lane, _position))'
export const tripleProjection = `PROJECTION _watermark (SELECT ${tripleWatermarks})`

/**
 * Each property's JSON text by its name: the column that a query reads of a relation. Names in a dictionary
 * (LowCardinality) halve the cost of merging the table.
 */
const values = "DEFAULT CAST(JSONExtractKeysAndValuesRaw(properties), 'Map(String, String)')"

/** The columns of triples, with what analysts read of them. */
const tripleColumns: readonly (readonly [name: string, type: string, comment: string])[] = [
  ['subject_label', 'LowCardinality(String)', 'Label of the subject'],
  ['subject', 'String', 'Name of the subject'],
  ['relation', 'LowCardinality(String)', 'Name of the relation'],
  ['object_label', 'LowCardinality(String)', 'Label of the object'],
  ['object', 'String', 'Name of the object'],
  ['properties', 'String', 'Properties of the relation, as a JSON object'],
  ['_values', `Map(String, String) ${values}`, 'Properties of the relation: the JSON text of each by its name'],
  ['_at', 'Int64', '_pk of the event that gave the triple, else the time of its addition, in microseconds since 1970'],
  ['_seq', 'Int64', 'Number by which the triple came in; tells triples of one _at apart'],
  ['_source', 'LowCardinality(String)', 'Stream and attributes that gave the triple; empty for an addition by a call'],
]

/** The comment of the table of triples, for analysts. */
export const triplesComment = (graph: string): string => `Relations of graph ${graph}`

const byObject =
  'PROJECTION _by_object (SELECT * ORDER BY object_label, object, relation, subject_label, subject, _at, _seq)'

/**
 * A walk reads a granule of a node: measured, 512 rows take half the time of 8192 for a walk of two steps. A compressed
 * block is unpacked for it: blocks of 8 KB take a fifth less time than ClickHouse's 64 KB for one step.
 */
const granules = 'index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 8192'

const createProperties = (graph: string): string =>
  [
    `CREATE TABLE IF NOT EXISTS ${qualified(graphDatabase, propertyTable(graph))} (`,
    '  label String,',
    '  name String,',
    '  property String,',
    `  written SimpleAggregateFunction(max, ${write})`,
    ') ENGINE = AggregatingMergeTree',
    'ORDER BY (label, name, property)',
    `SETTINGS ${fed}, ${granules}`,
  ].join('\n')

/** The nodes as analysts see them. */
const createNodesView = (graph: string): string =>
  [
    `CREATE VIEW IF NOT EXISTS ${qualified(graphDatabase, graph)} (`,
    Object.entries(nodeComments)
      .map(([name, comment]) => `  ${name} String ${commented(comment)}`)
      .join(',\n'),
    ') AS SELECT',
    '  label,',
    '  name,',
    "  concat('{', arrayStringConcat(arraySort(groupArrayIf(concat(toJSONString(property), ':', value), property != '')), ','), '}') AS properties",
    'FROM (SELECT label, name, property, max(written).value AS value',
    `  FROM ${qualified(graphDatabase, propertyTable(graph))}`,
    '  GROUP BY label, name, property)',
    'GROUP BY label, name',
    commented(`Nodes of graph ${graph}`),
  ].join('\n')

/**
 * The tables of a graph.
 *
 * A node is the rows of its properties; one with the empty name says that the node is there. First write wins unless a
 * write is an update. Either way an event that brings an old `_pk` late adds properties that a node lacks and overwrites none.
 * Triples are never merged; a projection orders them by their object, for walks against the arrow.
 */
export const createGraph = (graph: string, redelivered?: true): string[] => [
  `CREATE DATABASE IF NOT EXISTS ${identifier(graphDatabase)}`,
  createProperties(graph),
  [
    `CREATE TABLE IF NOT EXISTS ${qualified(graphDatabase, tripleTable(graph))} (`,
    ...tripleColumns.map(([name, type, comment]) => `  ${name} ${type} ${commented(comment)},`),
    ...(redelivered ? [...shownDeliveryColumns, tripleProjection].map((column) => `  ${column},`) : []),
    `  ${byObject}`,
    ') ENGINE = MergeTree',
    'ORDER BY (subject_label, subject, relation, object_label, object, _at, _seq)',
    `SETTINGS ${[fed, granules, deletes, ...(redelivered ? [appliedSettings] : [])].join(', ')}`,
    commented(triplesComment(graph)),
  ].join('\n'),
  createNodesView(graph),
]

/** The input of a graph's scores: each is the latest update of its property, of a node that is there. Safe to repeat. */
export function createScoreInput(graph: string): string[] {
  const input = qualified(graphDatabase, scoreTable(graph))
  const properties = qualified(graphDatabase, propertyTable(graph))
  return [
    `CREATE TABLE IF NOT EXISTS ${input} (label String, name String, property String, value String, at Int64) ENGINE = Null`,
    [
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(graphDatabase, feedView(propertyTable(graph), 'scores'))}`,
      `TO ${properties} AS`,
      `SELECT label, name, property, max(CAST((1, at, at, value), '${write}')) AS written`,
      `FROM ${input} WHERE (label, name) GLOBAL IN (SELECT label, name FROM ${properties} WHERE property = '')`,
      'GROUP BY label, name, property',
    ].join('\n'),
  ]
}

/** Takes away all but the tables that hold rows. A graph is there as long as its view is. */
export const dropGraphAccess = (graph: string): string[] => [
  `DROP VIEW IF EXISTS ${qualified(graphDatabase, graph)} SYNC`,
  `DROP VIEW IF EXISTS ${qualified(graphDatabase, feedView(propertyTable(graph), 'scores'))} SYNC`,
  `DROP TABLE IF EXISTS ${qualified(graphDatabase, scoreTable(graph))} SYNC`,
]

export const dropGraph = (graph: string): string[] => [
  ...dropGraphAccess(graph),
  `DROP TABLE IF EXISTS ${qualified(graphDatabase, tripleTable(graph))} SYNC`,
  `DROP TABLE IF EXISTS ${qualified(graphDatabase, propertyTable(graph))} SYNC`,
]
