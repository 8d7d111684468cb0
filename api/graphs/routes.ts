import type { RouterContext } from '@koa/router'
import type { Graphs } from '../../activities/graphs/graphs.ts'
import { scopesOf } from '../../activities/graphs/scopes.ts'
import type { Making } from '../../activities/graphs/writers.ts'
import type { Place } from '../../activities/keys/places.ts'
import type { Registry } from '../../activities/registry/registry.ts'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import { type GraphStatement, parseStatement } from '../../sql/graph/index.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { permit, sees } from '../auth/permit.ts'
import { createRoutes, define, inGraph, inSchema, type Routes, read, statement, write } from '../auth/routes.ts'
import type { Ask } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { isDry, isEventual, isVerbose, undoOf } from '../http/flags.ts'
import { parameter } from '../http/parameter.ts'
import { refuseStray } from '../http/stray.ts'
import { undoUntil, withUndo } from '../http/undo.ts'
import { queryText } from '../http/url-text.ts'
import { wrongMethod } from '../http/wrong-method.ts'
import * as calls from './calls.ts'
import { queryOnWire } from './calls.ts'

export type GraphRoutesDeps = {
  readonly registry: Registry
  readonly graphs: Graphs
  readonly ask: Ask
  readonly changing: Audited
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
function recordOf(graph: string, asked: GraphStatement): AuditedChange | undefined {
  if (asked.kind === 'geo index') return indexOf(asked)
  return asked.kind === 'delete' ? erasureOf(graph, asked) : undefined
}

/** Where GET changes something HEAD is not taken along. */
function refuseHead(context: RouterContext): void {
  if (context.method === 'HEAD') throw wrongMethod(context, ['GET'])
}

/** Graphs and queries on them. A query is text under any content type: published clients say `application/json`. */
/** A query as it is, or within an object, as clients send it that were generated for bodies of JSON. No query begins with a brace. */
function queryIn(body: string): string {
  if (!/^\s*\{/.test(body)) return body
  const read = queryOnWire.safeParse(parseJson(body, 'the body'))
  if (!read.success) throw fault('invalid', 'send the text of a query, or {"query": "<that text>"} and nothing else')
  return read.data.query
}

export function graphRoutes({ registry, graphs, ask, changing, bodyLimit }: GraphRoutesDeps): Routes {
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
    const text = queryIn(await readText(context, bodyLimit, 'the query'))
    const asked = parseStatement(text)
    for (const scope of scopesOf(asked)) permit(context, scope, place)
    if (asked.kind !== 'query' && asked.kind !== 'set') refuseStray(context.query, calls.queryGraph)
    const levk = queryText(context, 'levk')
    // A statement that only adds waits for no queue.
    const queues = isEventual(context.query) || asked.kind === 'create' ? [] : graphs.queues(graph)
    const request = { graph, text, statement: asked, queues, ...(levk !== undefined && { levk }) }
    const run = () => ask(context, (answers, on) => answers.graph(request, on))
    const record = recordOf(graph, asked)
    const answered = record ? await changing(context, record, run) : await run()
    context.type = 'application/json'
    context.body = answered
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
    if (isDry(context.query)) {
      graphs.checkDrop(graph)
      const things = await ask(context, ({ wouldDelete }) => wouldDelete.graph(graph))
      context.body = { would_delete: things, errcode: 0 }
      return
    }
    const change = withUndo(changeOf(graph, 'dropped'), undo)
    const deletion = await changing(context, change, () => graphs.drop(graph, undo))
    context.body = { errcode: 0, msg: `graph ${graph} is dropped`, ...(deletion && undoUntil(deletion)) }
  })
  routes.post('/graph/:graph/node', write(inGraph), calls.addNode, async (context) => {
    const graph = graphOf(context)
    const body = await readText(context, bodyLimit, 'the node')
    await graphs.addNode(graph, body, making(context, graph))
    context.body = { errcode: 0, msg: `the node is in graph ${graph}` }
  })
  routes.post('/graph/:graph/triple', write(inGraph), calls.addTriple, async (context) => {
    const graph = graphOf(context)
    const body = await readText(context, bodyLimit, 'the triple')
    await graphs.addTriple(graph, body, making(context, graph))
    context.body = { errcode: 0, msg: `the triple is in graph ${graph}` }
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
