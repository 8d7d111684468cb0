import { type Caller, isForQuestions, may } from '../../activities/keys/caller.ts'
import { isObject, type Json } from '../../base/json.ts'
import { suggest } from '../../base/suggest.ts'
import { version } from '../../infra/version.ts'
import { bound, roomOfList } from './bounds.ts'
import { doorTools } from './door-tools.ts'
import type { Inner } from './inner.ts'
import { type Page, pages } from './pages.ts'
import { questionTools, saveQuestion, testWatch } from './question-tools.ts'
import { readingTools } from './reading-tools.ts'
import { isFine, type Told, type Tool } from './tool.ts'
import { writingTools } from './writing-tools.ts'

/** The revisions that begin with `initialize`, the newest first. */
export const earlierVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

export const codes = { parse: -32700, request: -32600, method: -32601, params: -32602 } as const

const tools = [...readingTools, ...writingTools, saveQuestion, testWatch, ...doorTools]

const shownTools = new Map(tools.map((tool) => [tool.name, shownTool(tool)]))

export const instructions =
  'Weir takes events into streams, keeps their statistics as they come, and answers questions about them. Begin with list_schemas and describe_stream, which has statements that work; the resources weir://pages/words and weir://pages/sql say how schemas and questions are written.'

export const capabilities = { tools: {}, resources: {} }

/** The tools of saved questions that a key may ask: those of the service that are there now. */
async function toolsOf(caller: Caller, inner: Inner): Promise<Tool[]> {
  const own = tools.filter((each) => mayUse(caller, each))
  return may(caller, 'read') ? [...own, ...(await questionTools(inner, tools))] : own
}

function shownTool({ name, description, annotations, shown }: Tool) {
  return { name, description, inputSchema: shown, annotations }
}

/** A key of questions alone reaches nothing that other tools ask, and one with fixed values only the rows. */
const toolsOfQuestions = [saveQuestion.name, testWatch.name]

function mayUse(caller: Caller, { name, scopes }: Tool): boolean {
  if (isForQuestions(caller) && (caller.fixed || !toolsOfQuestions.includes(name))) return false
  return scopes.every((scope) => may(caller, scope))
}

/** The answer to a body that is no JSON. */
export const unreadable = (why: string): object => failure(null, codes.parse, why)

/** Answers one message of the protocol (JSON-RPC 2.0); undefined where it wants no answer. */
export async function answerMessage(message: Json, caller: Caller, inner: Inner): Promise<object | undefined> {
  if (!isObject(message)) return failure(null, codes.request, 'a message is a JSON object')
  const { id, method } = message
  if (id === undefined || method === undefined) return undefined
  if (typeof id !== 'string' && typeof id !== 'number') return failure(null, codes.request, 'id is a text or a number')
  if (message.jsonrpc !== '2.0' || typeof method !== 'string')
    return failure(id, codes.request, 'send jsonrpc "2.0" and the method as a text')
  const params = isObject(message.params) ? message.params : {}
  switch (method) {
    case 'initialize':
      return success(id, initialized(params.protocolVersion))
    case 'ping':
      return success(id, {})
    case 'tools/list':
      return success(id, {
        tools: (await toolsOf(caller, inner)).map((tool) => shownTools.get(tool.name) ?? shownTool(tool)),
      })
    case 'resources/list':
      return success(id, { resources: pages.map(shownPage) })
    case 'resources/templates/list':
      return success(id, { resourceTemplates: [] })
    case 'resources/read':
      return readPage(id, params.uri)
    case 'tools/call':
      return callTool(id, params, caller, inner)
    default:
      return failure(id, codes.method, `there is no method ${method.slice(0, 40)}`)
  }
}

const shownPage = ({ uri, name, description }: Page) => ({ uri, name, description, mimeType: 'text/markdown' })

function readPage(id: Id, uri: Json | undefined) {
  const page = pages.find((each) => each.uri === uri)
  if (page) return success(id, { contents: [{ uri: page.uri, mimeType: 'text/markdown', text: page.text }] })
  const known = pages.map((each) => each.uri).join(', ')
  return failure(id, codes.params, `there is no resource ${String(uri).slice(0, 80)}; there are ${known}`, {
    uri: String(uri).slice(0, 200),
  })
}

const initialized = (asked: Json | undefined) => ({
  protocolVersion: earlierVersions.find((each) => each === asked) ?? earlierVersions[0],
  capabilities,
  serverInfo: { name: 'weir', version: version() },
  instructions,
})

async function callTool(id: Id, params: { readonly [name: string]: Json }, caller: Caller, inner: Inner) {
  const name = String(params.name)
  const isOwn = tools.some((each) => each.name === name)
  const usable = isOwn ? tools.filter((each) => mayUse(caller, each)) : await toolsOf(caller, inner)
  const found = usable.find((each) => each.name === name)
  if (!found) {
    const known = usable.map((each) => each.name)
    const meant = suggest(name, known)
    const hint = meant === undefined ? `; there are ${known.join(', ')}` : `; did you mean ${meant}?`
    return failure(id, codes.params, `this key has no tool ${name.slice(0, 40)}${hint}`)
  }
  const told = inWordsOfTools(await found.run(params.arguments ?? {}, inner))
  const { text, left, kept } = bound(told.text, told.room ?? roomOfList(undefined))
  const notes = [
    told.more,
    isFine(told) ? undefined : adviceOf(found, usable),
    left,
    left === undefined ? undefined : told.whenCut?.(kept),
  ].filter(isText)
  const content = [text, ...notes].map((each) => ({ type: 'text', text: each }))
  return success(id, { content, isError: !isFine(told) })
}

/** The tools that tell what another one may name. */
const listing: Readonly<Record<string, readonly string[]>> = {
  describe_schema: ['list_schemas'],
  describe_stream: ['list_schemas', 'describe_schema'],
  query: ['list_schemas', 'describe_stream', 'list_tables', 'describe_table'],
  sql: ['list_schemas', 'describe_stream', 'list_tables', 'describe_table'],
  recent_events: ['list_schemas', 'describe_stream'],
  refused_events: ['list_schemas', 'describe_schema'],
  save_question: ['list_schemas', 'describe_stream', 'list_tables'],
  send_events: ['list_schemas', 'describe_stream', 'refused_events'],
  test_watch: ['save_question'],
  graph_query: ['list_graphs', 'describe_graph'],
  describe_graph: ['list_graphs'],
  get_record: ['list_tables', 'query'],
  put_record: ['list_tables', 'describe_table'],
  describe_table: ['list_tables'],
  describe_hook: ['list_hooks'],
  describe_import: ['list_imports'],
  describe_source: ['list_sources'],
  start_import: ['list_imports', 'list_schemas', 'describe_stream'],
  describe_model: ['list_models'],
  predict: ['list_models', 'describe_model'],
  training_status: ['list_models'],
  check_schema: ['list_schemas', 'describe_schema'],
  apply_schema: ['check_schema', 'describe_schema', 'list_schemas'],
  train_model: ['list_schemas', 'describe_stream'],
}

/** The tools of its own by which an agent whose call was refused can go on, and the page that says how. */
function adviceOf({ name }: Tool, usable: readonly Tool[]): string | undefined {
  const next = (listing[name] ?? []).filter((each) => usable.some((other) => other.name === each))
  const page = pages.find(({ tools: of }) => of.includes(name))?.uri
  const said = [...next, ...(page === undefined ? [] : [`the resource ${page}`])]
  return said.length === 0 ? undefined : `to go on: ${said.join(', ')}`
}

/** A call of the API in a sentence. */
const call = /\b(GET|POST|PUT|DELETE) (\/[\w<>{}-]+(?:\/[\w<>{}-]+)*)/g

/** Calls that sentences send to, and the tools that make them. */
const madeByTools: readonly (readonly [call: RegExp, tool: string])[] = [
  [/^GET \/stream\/list$/, 'list_schemas'],
  [/^GET \/stream\/[^/]+\/info$/, 'describe_schema'],
  [/^GET \/stream\/[^/]+\/schema$/, 'describe_schema'],
  [/^(POST|PUT) \/stream(\/[^/]+)?$/, 'apply_schema'],
  [/^POST \/stream\/[^/]+\/[^/]+$/, 'send_events'],
  [/^GET \/stream\/[^/]+\/[^/]+\/refused$/, 'refused_events'],
  [/^GET \/graph\/list$/, 'list_graphs'],
  [/^POST \/graph\/[^/]+\/query$/, 'graph_query'],
  [/^GET \/db$/, 'list_tables'],
  [/^POST \/db\/[^/]+\/query$/, 'query'],
  [/^POST \/db\/[^/]+\/[^/]+\/doc$/, 'put_record'],
  [/^POST \/sql$/, 'sql'],
  [/^GET \/ml$/, 'list_models'],
  [/^GET \/ml\/[^/]+\/[^/]+$/, 'describe_model'],
  [/^GET \/ml\/[^/]+\/[^/]+\/status$/, 'training_status'],
  [/^POST \/ml\/train$/, 'train_model'],
  [/^PUT \/saved\/[^/]+$/, 'save_question'],
  [/^POST \/saved\/[^/]+\/test$/, 'test_watch'],
  [/^GET \/hook$/, 'list_hooks'],
  [/^GET \/import$/, 'list_imports'],
  [/^GET \/source$/, 'list_sources'],
  [/^POST \/import$/, 'start_import'],
]

/** A refusal, in which each call is the tool that makes it. */
function inWordsOfTools(told: Told): Told {
  if (isFine(told)) return told
  const text = told.text.replace(call, (sent) => {
    const name = madeByTools.find(([of]) => of.test(sent))?.[1]
    return name === undefined ? sent : `the tool ${name}`
  })
  return { ...told, text }
}

const isText = (value: string | undefined): value is string => value !== undefined

type Id = string | number | null

const success = (id: Id, result: object) => ({ jsonrpc: '2.0', id, result })
export const failure = (id: Id, code: number, message: string, data?: object) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})
