import { Readable } from 'node:stream'
import type { RouterContext } from '@koa/router'
import type { Graphs } from '../../activities/graphs/graphs.ts'
import { type PlainGraph, plainGraph, plainGraphLines, plainGraphText } from '../../activities/graphs/plain-answer.ts'
import { scopesOf } from '../../activities/graphs/scopes.ts'
import type { Making } from '../../activities/graphs/writers.ts'
import type { Place } from '../../activities/keys/places.ts'
import type { CursorOf, OpaqueCursors } from '../../activities/pages/opaque-cursors.ts'
import type { Registry } from '../../activities/registry/registry.ts'
import type { Dependents } from '../../activities/saved/dependents.ts'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import type { Logger } from '../../infra/logger.ts'
import { type GraphStatement, parseStatement } from '../../sql/graph/index.ts'
import { createNotes } from '../../sql/schema/check/notes.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { callerIn, permit, sees } from '../auth/permit.ts'
import { createRoutes, define, inGraph, inSchema, type Routes, read, statement, write } from '../auth/routes.ts'
import { linesType, wantsLines } from '../http/accepts.ts'
import type { Ask } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { isDry, isEventual, isVerbose, undoOf } from '../http/flags.ts'
import { noteInHeader, notesIn } from '../http/notes.ts'
import { parameter } from '../http/parameter.ts'
import { refuseStray } from '../http/stray.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import { undoUntil, withUndo } from '../http/undo.ts'
import { queryText } from '../http/url-text.ts'
import { wrongMethod } from '../http/wrong-method.ts'
import * as calls from './calls.ts'
import { queryOnWire } from './calls.ts'

export type GraphRoutesDeps = {
  readonly registry: Registry
  readonly dependents: Pick<Dependents, 'notesOfDeletion'>
  readonly graphs: Graphs
  readonly ask: Ask
  readonly changing: Audited
  readonly cursors: OpaqueCursors
  readonly logger: Logger
  readonly bodyLimit: number
}

const changeOf = (name: string, detail: string): AuditedChange => ({ what: 'graph', name, detail })
const indexOf = ({ graph, label, name }: Extract<GraphStatement, { kind: 'geo index' }>): AuditedChange => ({
  what: 'index',
  name: `${graph}.${label}.${name}`,
  detail: 'built',
})

/** The label alone: the name may be a person's. */
const erasureOf = (graph: string, { node }: Extract<GraphStatement, { kind: 'delete' }>): AuditedChange => ({
  what: 'erasure',
  name: graph,
  detail: `node of label ${node.label} deleted`,
})

/** The record that a statement leaves; undefined where it leaves none. */
function recordOf(graph: string, statement: GraphStatement): AuditedChange | undefined {
  if (statement.kind === 'geo index') return indexOf(statement)
  return statement.kind === 'delete' ? erasureOf(graph, statement) : undefined
}

/** Refuses HEAD, which the router would run as GET, for a GET that may change the graph. */
function refuseHead(context: RouterContext): void {
  if (context.method === 'HEAD') throw wrongMethod(context, ['GET'])
}

/** Where to go on: by `_levk` of a published answer, or by the cursor of a plain one. */
function levkOf(context: RouterContext, opened: string | undefined): string | undefined {
  const levk = queryText(context, 'levk')
  if (levk !== undefined && opened !== undefined)
    throw fault('invalid', 'cursor: it says all of where to go on; leave levk out')
  return opened ?? levk
}

/** A row a line; the last line has the cursor where rows remain. */
function answerLines(context: RouterContext, found: PlainGraph, cursor: string | undefined, logger: Logger): void {
  noteInHeader(context, found.notes)
  context.type = linesType
  function* lines(): Generator<Buffer> {
    for (const part of plainGraphLines(found)) yield Buffer.from(part)
    if (cursor !== undefined) yield Buffer.from(`${JSON.stringify({ cursor, more_data_to_come: 1 })}\n`)
  }
  streamAnswer(context, Readable.from(lines(), { objectMode: false }), logger)
}

type AskedGraph = {
  readonly text: string
  readonly rows?: 'objects'
  /** The cursor of a plain answer. */
  readonly cursor?: string
}

/**
 * A query as it is, under any content type (published clients say `application/json`); or within an object, which may ask for
 * plain rows. No query begins with a brace.
 */
function queryIn(body: string): AskedGraph {
  if (!/^\s*\{/.test(body)) return { text: body }
  const read = queryOnWire.safeParse(parseJson(body, 'the body'))
  if (!read.success)
    throw fault(
      'invalid',
      'send the text of a query, or {"query": "<that text>"}; beside it "rows": "objects" for plain rows, and the cursor of the last answer of them',
    )
  const { query, rows, cursor } = read.data
  return { text: query, ...(rows && { rows }), ...(cursor && { cursor }) }
}

/** Graphs and queries on them. */
export function graphRoutes(deps: GraphRoutesDeps): Routes {
  const { registry, dependents, graphs, ask, changing, cursors, logger, bodyLimit } = deps
  const routes = createRoutes()
  const graphOf = (context: RouterContext): string => parameter(context, 'graph')

  /** Two paths are calls of their own, unless a graph is called so. */
  async function refuseCalls(context: RouterContext): Promise<void> {
    const graph = graphOf(context)
    if (!/^(list|stat)$/i.test(graph) || (await graphs.list()).includes(graph)) return
    throw wrongMethod(context, ['HEAD', 'GET'])
  }

  async function make(context: RouterContext): Promise<void> {
    const graph = graphOf(context)
    const isNew = await changing(context, changeOf(graph, 'made'), () => graphs.make(graph), Boolean)
    context.body = { errcode: 0, msg: `graph ${graph} is ${isNew ? 'made' : 'there already'}` }
  }

  async function answer(context: RouterContext, graph: string, place: Place): Promise<void> {
    const { text, rows, cursor } = queryIn(await readText(context, bodyLimit, 'the query'))
    const statement = parseStatement(text)
    const isPlain = rows === 'objects' || cursor !== undefined || wantsLines(context)
    for (const scope of scopesOf(statement)) permit(context, scope, place)
    if (statement.kind !== 'query' && statement.kind !== 'set') refuseStray(context.query, calls.queryGraph)
    const of: CursorOf = { about: `graph ${graph}\n${text}`, caller: callerIn(context).by }
    const levk = levkOf(context, cursor === undefined ? undefined : cursors.open(of, cursor)[0])
    // A statement that only adds waits for no queue.
    const queues = isEventual(context.query) || statement.kind === 'create' ? [] : graphs.queues(graph)
    const request = { graph, text, statement, queues, ...(levk !== undefined && { levk }) }
    const run = () => ask(context, (answers, on) => answers.graph(request, on))
    const record = recordOf(graph, statement)
    const answered = record ? await changing(context, record, run) : await run()
    const found = isPlain ? plainGraph(answered) : undefined
    const next = found?.next === undefined ? undefined : cursors.seal(of, [found.next])
    if (found && wantsLines(context)) return answerLines(context, found, next, logger)
    context.type = 'application/json'
    context.body = found ? plainGraphText(found, next) : answered
  }

  /** A node or a triple for a graph that is not there makes it, which needs `define` beside `write`. */
  const making =
    (context: RouterContext, graph: string): Making =>
    (make) => {
      permit(context, 'define', `graph:${graph}`)
      return changing(context, changeOf(graph, 'made'), make)
    }

  routes.get('/graph/list', read('in list'), calls.listGraphs, async (context) => {
    const isShown = sees(context)
    const names = (await graphs.list()).filter((graph) => isShown(`graph:${graph}`))
    context.body = { graphs: names, num_graphs: names.length, errcode: 0 }
  })
  routes.get(['/graph/stat', '/graph/stat/:verbose'], read('in list'), calls.graphStatistics, async (context) => {
    isVerbose(context.params.verbose ?? '0')
    const isShown = sees(context)
    context.body = await graphs.statistics((graph) => isShown(`graph:${graph}`))
  })

  routes.get('/graph/:graph/new', define(inGraph), calls.makeGraph, (context) => {
    refuseHead(context)
    return make(context)
  })
  routes.post('/graph/:graph', define(inGraph), calls.makeGraph, async (context) => {
    await refuseCalls(context)
    await make(context)
  })
  routes.delete('/graph/:graph', define(inGraph), calls.dropGraph, async (context) => {
    const graph = graphOf(context)
    await refuseCalls(context)
    const undo = undoOf(context.query)
    const asking = await dependents.notesOfDeletion(sees(context), 'graph', graph)
    const notes = asking.length > 0 ? { error: asking } : {}
    if (isDry(context.query)) {
      graphs.checkDrop(graph)
      const things = await ask(context, ({ wouldDelete }) => wouldDelete.graph(graph))
      context.body = { would_delete: things, errcode: 0, ...notes }
      return
    }
    const change = withUndo(changeOf(graph, 'dropped'), undo)
    const deletion = await changing(context, change, () => graphs.drop(graph, undo))
    context.body = { errcode: 0, msg: `graph ${graph} is dropped`, ...(deletion && undoUntil(deletion)), ...notes }
  })
  routes.post('/graph/:graph/node', write(inGraph), calls.addNode, async (context) => {
    const graph = graphOf(context)
    const body = await readText(context, bodyLimit, 'the node')
    const notes = createNotes()
    await graphs.addNode(graph, body, making(context, graph), notes)
    context.body = { errcode: 0, msg: `the node is in graph ${graph}`, ...notesIn(notes) }
  })
  routes.post('/graph/:graph/triple', write(inGraph), calls.addTriple, async (context) => {
    const graph = graphOf(context)
    const body = await readText(context, bodyLimit, 'the triple')
    const notes = createNotes()
    await graphs.addTriple(graph, body, making(context, graph), notes)
    context.body = { errcode: 0, msg: `the triple is in graph ${graph}`, ...notesIn(notes) }
  })

  routes.post('/graph/:graph/query', statement(inGraph), calls.queryGraph, (context) => {
    const graph = graphOf(context)
    return answer(context, graph, `graph:${graph}`)
  })
  routes.post('/stream/:schema/:stream/graph/query', statement(inSchema), calls.queryStreamGraph, (context) => {
    const { schema } = registry.stream(parameter(context, 'schema'), parameter(context, 'stream'))
    return answer(context, schemaGraph(schema.name), `schema:${schema.name}`)
  })

  return routes
}
