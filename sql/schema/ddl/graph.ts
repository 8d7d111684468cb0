import { identifier, qualified } from '../../identifier.ts'
import { graphDatabase, propertyTable, tripleTable } from '../names.ts'
import { deduplication } from './aggregate.ts'
import { appliedSettings, deliveryColumns } from './watermark.ts'

/** The value of a property that was written first: the write with the least `_seq`. */
const firstState = 'AggregateFunction(argMin, String, Int64)'
/** The value of the latest update, by its event's `_pk`, then its `_seq`. */
export const latestState = 'AggregateFunction(argMax, String, Tuple(Int64, Int64))'

/** A triple's lane is that of the feed that brought it. */
export const tripleWatermarks = 'maxMap(map(_lane, _position))'
export const tripleProjection = `PROJECTION _watermark (SELECT ${tripleWatermarks})`

/**
 * The tables of a graph.
 *
 * A node is the rows of its properties; one with the empty name says that the node is there. First write wins unless a
 * write is an update, so both are kept as states and the node's value is the last update, else the first write. Either
 * way an event that brings an old `_pk` late adds what a node lacks and overwrites nothing.
 * Triples are never merged; a projection orders them by their object, for walks against the arrow.
 */
export const createGraph = (graph: string, redelivered?: true): string[] => [
  `CREATE DATABASE IF NOT EXISTS ${identifier(graphDatabase)}`,
  [
    `CREATE TABLE IF NOT EXISTS ${qualified(graphDatabase, propertyTable(graph))} (`,
    '  label String,',
    '  name String,',
    '  property String,',
    `  first ${firstState},`,
    `  updated ${latestState}`,
    ') ENGINE = AggregatingMergeTree',
    'ORDER BY (label, name, property)',
    `SETTINGS ${deduplication}`,
  ].join('\n'),
  [
    `CREATE TABLE IF NOT EXISTS ${qualified(graphDatabase, tripleTable(graph))} (`,
    '  subject_label String,',
    '  subject String,',
    '  relation String,',
    '  object_label String,',
    '  object String,',
    '  properties String,',
    '  _at Int64,',
    '  _seq Int64,',
    '  _source LowCardinality(String),',
    ...(redelivered ? [...deliveryColumns, tripleProjection].map((column) => `  ${column},`) : []),
    '  PROJECTION _by_object (SELECT * ORDER BY object_label, object, relation, subject_label, subject, _at, _seq)',
    ') ENGINE = MergeTree',
    'ORDER BY (subject_label, subject, relation, object_label, object, _at, _seq)',
    `SETTINGS ${[deduplication, ...(redelivered ? [appliedSettings] : [])].join(', ')}`,
  ].join('\n'),
  [
    `CREATE VIEW IF NOT EXISTS ${qualified(graphDatabase, graph)} AS SELECT`,
    '  label,',
    '  name,',
    "  concat('{', arrayStringConcat(arraySort(groupArrayIf(concat(toJSONString(property), ':', value), property != '')), ','), '}') AS properties",
    'FROM (SELECT label, name, property,',
    "  if((argMaxMerge(updated) AS latest) != '', latest, argMinMerge(first)) AS value",
    `  FROM ${qualified(graphDatabase, propertyTable(graph))}`,
    '  GROUP BY label, name, property)',
    'GROUP BY label, name',
  ].join('\n'),
]

export const dropGraph = (graph: string): string[] => [
  `DROP VIEW IF EXISTS ${qualified(graphDatabase, graph)} SYNC`,
  `DROP TABLE IF EXISTS ${qualified(graphDatabase, tripleTable(graph))} SYNC`,
  `DROP TABLE IF EXISTS ${qualified(graphDatabase, propertyTable(graph))} SYNC`,
]
