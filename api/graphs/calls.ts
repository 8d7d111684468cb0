import { z } from 'zod'
import { properties } from '../../activities/graphs/algorithms/names.ts'
import { algorithmSteps } from '../../activities/graphs/algorithms/progress.ts'
import { algorithmOnWire } from '../../activities/graphs/algorithms/request.ts'
import { nodeOnWire, tripleOnWire } from '../../sql/graph/index.ts'
import {
  anyObject,
  type Call,
  consistency,
  count,
  dry,
  goingThings,
  instant,
  json,
  ndjson,
  notes,
  oneOrZero,
  parameter,
  success,
  text,
  undo,
  undoUntil,
} from '../http/call.ts'
import { nextCursor, pages } from '../http/listing.ts'
import { waits } from '../http/wait.ts'
import { tableItem } from '../tables/calls.ts'

const group = 'graphs'
const named = z.object({ errcode: success, msg: z.string() })
/** The members of the body that do nothing are told in `error`. */
const added = named.extend({ error: notes })

const share = z.number().min(0).max(1)
const node = z.object({ label: z.string(), name: z.string() })
const path = { nodes: z.array(node), edges: z.array(z.object({ rel: z.string() })) }

/** Decisions 6; where LIMIT leaves rows behind, with where to go on. A lone COUNT(*) also stands beside its rows. */
const remarks = { errcode: success.optional(), error: notes }
const more = { ...remarks, num_items: count, more_data_to_come: z.literal(1).optional(), _levk: z.string().optional() }
const answer = z
  .union([
    z.object({ triple: z.array(anyObject), ...more }),
    z.object({ nodes: z.array(anyObject), ...more }),
    z.object({ rows: z.array(anyObject), ...more }).catchall(z.unknown()),
    z.object({ ...remarks, ...path, path_count: count }),
    z.object({ ...remarks, paths: z.array(z.object(path)), path_count: count }),
    z.object({ msg: z.array(z.string()), errcode: success }),
  ])
  .meta({ id: 'GraphAnswer' })

/** The same text within an object. */
export const queryOnWire = z.strictObject({
  query: z.string(),
  rows: z.literal('objects').optional().meta({ description: 'one list of rows, and one cursor, whatever is asked' }),
  cursor: z.string().optional().meta({ description: 'of the last answer of objects or lines' }),
})

/** The same in one form: a row is an object of columns, a triple, a node, or a path. */
const plainAnswer = z
  .object({
    rows: z.array(anyObject),
    num_items: count,
    more_data_to_come: oneOrZero,
    cursor: nextCursor,
    error: notes,
  })
  .meta({ id: 'PlainGraphAnswer' })

const query = {
  group,
  parameters: 'told',
  query: { ...consistency, levk: parameter('_levk of the last answer', z.string().optional()) },
  body: { contents: [text('a query of a graph, or a statement that changes it'), json(queryOnWire)] },
  answers: [
    json(z.union([answer, plainAnswer])),
    ndjson(anyObject, 'a row a line; the last line is `{"cursor"}` where LIMIT left rows'),
  ],
  refuses: ['conflict'],
} as const

export const queryGraph: Call = { ...query, id: 'queryGraph', summary: 'Asks a graph, or changes it' }
export const queryStreamGraph: Call = {
  ...query,
  id: 'queryStreamGraph',
  summary: 'Asks the graph of a schema, or changes it',
}

export const listGraphs: Call = {
  id: 'listGraphs',
  group,
  summary: 'The names of the graphs',
  query: pages(),
  list: { member: 'graphs' },
  answers: [json(z.object({ graphs: z.array(z.string()), num_graphs: count, errcode: success, cursor: nextCursor }))],
}

const tables = z.object({ table: z.array(tableItem) })

export const graphStatistics: Call = {
  id: 'graphStatistics',
  group,
  summary: 'How much stands in each graph',
  query: pages(),
  list: { member: 'graphs' },
  answers: [
    json(
      z.object({
        graphs: z.array(z.object({ entity: tables, rel: tables }).catchall(z.unknown())),
        num_graphs: count,
        cursor: nextCursor,
      }),
    ),
  ],
}

export const makeGraph: Call = {
  id: 'makeGraph',
  group,
  summary: 'Makes a graph; one that is there stays as it is',
  parameters: 'refused',
  answers: [json(named)],
  refuses: ['conflict', 'method'],
}

const dropped = named.extend({ undo_until: undoUntil, error: notes })

export const dropGraph: Call = {
  id: 'dropGraph',
  group,
  summary: 'Drops a graph',
  query: { ...dry, ...undo },
  answers: [json(z.union([dropped, z.object({ would_delete: goingThings, errcode: success, error: notes })]))],
  refuses: ['conflict', 'method'],
}

export const addNode: Call = {
  id: 'addNode',
  group,
  summary: 'Adds a node, and the graph where it is not there',
  body: { contents: [json(nodeOnWire)] },
  answers: [json(added)],
  refuses: ['conflict'],
}

export const addTriple: Call = {
  id: 'addTriple',
  group,
  summary: 'Adds a relation and its nodes, and the graph where it is not there',
  body: { contents: [json(tripleOnWire)] },
  answers: [json(added)],
  refuses: ['conflict'],
}

/** The state of a run, and its result. */
const run = z.object({
  errcode: success,
  graph: z.string(),
  algorithm: z.enum(Object.keys(properties)),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  step: z.enum(algorithmSteps).optional(),
  progress: share.optional(),
  error: z.array(z.string()).optional(),
  property: z.string().optional(),
  nodes: count.optional(),
  relations: count.optional(),
  pairs: count.optional(),
  components: count.optional(),
  communities: count.optional(),
  modularity: z.number().optional(),
  ts: instant.optional(),
})

/** Seconds: a small graph's algorithm ends within its call. */
export const usualWait_s = 5

export const runAlgorithm: Call = {
  id: 'runAlgorithm',
  group,
  summary: 'Runs an algorithm over a graph, which gives each node a property',
  query: waits(usualWait_s),
  body: { contents: [json(algorithmOnWire)], isOptional: true },
  answers: [json(run)],
  refuses: ['conflict'],
}

export const algorithmStatus: Call = {
  id: 'algorithmStatus',
  group,
  summary: 'How the last run of an algorithm over a graph is',
  answers: [json(run)],
}
