/** Names of the tables and views that Weir derives from a stream, each in one place. `S` is the database, `ST` the stream. */
import { hasMatches } from './made.ts'
import type { Schema } from './schema.ts'

/** Null table that every event of a stream passes; all views hang off it. */
export const inputTable = (stream: string): string => `${stream}__in`
/** The table by which ClickHouse reads a stream's topic. */
export const topicTable = (stream: string): string => `${stream}__topic`
/** Null table that every message of a topic passes, readable or not. */
export const deliveredTable = (stream: string): string => `${stream}__delivered`
/** Lines that ClickHouse would not take, with the reason. */
export const rejectedTable = (stream: string): string => `${stream}__rejected`
/** Running statistics: one row an interval of `granularity` seconds. */
export const intervalTable = (stream: string, granularity: number): string => `${stream}__${granularity}`
/** A group-by: one row an interval and group. */
export const groupTable = (stream: string, granularity: number, pattern: readonly string[]): string =>
  [stream, granularity, ...pattern].join('__')
/**
 * How often each value of a measure with TOPK came, beside the aggregate of its other statistics. Three underscores: no
 * attribute's name starts with one.
 */
export const topTable = (aggregate: string, result: string): string => `${aggregate}___top__${result}`
/** The last key of such a table. */
export const valueColumn = '_value'
/** An entity stream's states; the stream's own name is the readable view. */
export const entityTable = (stream: string): string => `${stream}__keys`
/** An entity's states over a window: one row a key and hop. */
export const windowTable = (stream: string, length: number, hop: number): string =>
  `${entityTable(stream)}__${length}__${hop}`
/** The view that carries rows from a stream's Null table into `table`; `number` tells several of one stream apart. */
export const feedView = (table: string, source: string, number = 0): string =>
  `${table}__from__${source}${number === 0 ? '' : `__${number}`}`

/** The view that carries matches of notifications out of a stream's Null table. */
export const noticeView = (stream: string, number: number): string => feedView('weir_notices', stream, number)

/** A view that analysts read (docs/analysts.md). */
export const intervalView = (stream: string, granularity: number): string => `${stream}_by_${granularity}s`
export const groupView = (stream: string, granularity: number, pattern: readonly string[]): string =>
  [`${stream}_by_${granularity}s`, ...pattern].join('__')
/** The view of the states that such a view cannot show as values. */
export const statesView = (stream: string, granularity: number, pattern: readonly string[] = []): string =>
  [`${stream}_by_${granularity}s_states`, ...pattern].join('__')

/** Column of an aggregate that belongs to an attribute. A client's names never start with an underscore. */
export const stateColumn = (attribute: string, part: string): string => `_${part}_${attribute}`
/** Column of the Null table that carries the pivot of an attribute's moments. */
export const pivotColumn = (attribute: string): string => `_pivot_${attribute}`

/** A stream's part of the log. */
export const queueName = (schema: string, stream: string): string => `${schema}.${stream}`
/** Stands for the matches of a schema's rules where a stream's name would. Of two underscores a stream's name has none. */
export const matchesName = 'weir__matches'
/** The part of the log for the matches of notifications that a schema's rules make. */
export const matchesQueue = (schema: string): string => queueName(schema, matchesName)
/** Stands for all streams of a schema that rules observe: over Kafka their events take turns from one topic. */
export const turnsName = 'weir__turns'
/** The part of the log for events that wait for their turn in a schema with rules. */
export const turnsQueue = (schema: string): string => queueName(schema, turnsName)
/** The part of the log for changes of what the rules of a schema remember. */
export const memoryQueue = (schema: string): string => queueName(schema, 'weir__memory')
/** Whether a part of the log is one of events that wait for their turn. */
export const isOfTurns = (queue: string): boolean => queue.endsWith(`.${turnsName}`)
/** Whether a part of the log is one of matches. */
export const isOfMatches = (queue: string): boolean => queue.endsWith(`.${matchesName}`)
/** The parts of the log of all streams of a schema, and of the matches of its rules. */
export const queueNames = (schema: Schema): string[] => [
  ...schema.streams.map((stream) => queueName(schema.name, stream.name)),
  ...(hasMatches(schema) ? [matchesQueue(schema.name)] : []),
]

/** The part of the log for additions of clients to a graph. No schema's name has a colon. */
export const graphQueue = (graph: string): string => `graph:${graph}`
/** The graph whose part of the log it is; undefined where it is a stream's. */
export const graphOfQueue = (queue: string): string | undefined =>
  queue.startsWith('graph:') ? queue.slice('graph:'.length) : undefined

/** The graph into which the relations of a schema's streams go. */
export const schemaGraph = (schema: string): string => `${schema}_graph`
/** All graphs share a database: `graph.G` are the nodes for analysts, `graph.G_rel` the triples. */
export const graphDatabase = 'graph'
/** Node properties as they were written; one row a property, merged to the one that counts. */
export const propertyTable = (graph: string): string => `${graph}__properties`
/** The view that carries the nodes of a stream's `node` into the graph. No stream's name holds two underscores. */
export const nodeView = (schema: string, stream: string, number: number): string =>
  feedView(propertyTable(schemaGraph(schema)), `${schema}__${stream}__node`, number)
/** The Null table that scores of nodes pass. */
export const scoreTable = (graph: string): string => inputTable(`${graph}__scores`)
export const tripleTable = (graph: string): string => `${graph}_rel`
/** The tables of a graph. */
export const graphTables = (graph: string): readonly string[] => [propertyTable(graph), tripleTable(graph)]

/** A stream's events as they were when an edit began. Three underscores: no attribute's name starts with one. */
export const pastTable = (stream: string): string => `${stream}___past`
/** The table that takes the place of an aggregate table once it is complete; from then on the one whose place it took. */
export const nextTable = (table: string): string => `${table}___next`
/** Whether an edit that renamed tables, as edits did before they exchanged them, has left this one set aside. */
export const isFromRenaming = (table: string): boolean => table.includes('___before')
/** The database of all that a rebuild makes until it is done; `token` tells one rebuild from the next. */
export const rebuildDatabase = (token: string): string => `weir_rebuild_${token}`
/** The database of the tables that a reconciliation makes until it is done; `token` tells one from the next. */
export const reconcileDatabase = (token: string): string => `weir_reconcile_${token}`
/** The database of the tables that an erasure makes until it is done; `token` tells one from the next. */
export const erasureDatabase = (token: string): string => `weir_erase_${token}`
