import { z } from 'zod'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { maxRows, roomFor, roomOfList, sizeOf } from './bounds.ts'
import type { Inner } from './inner.ts'
import { identifier, isFine, object, type Told, tool, whole, words } from './tool.ts'

const at = (strings: TemplateStringsArray, ...names: readonly string[]): string =>
  String.raw({ raw: strings }, ...names.map(encodeURIComponent))

const refused = (message: string): Told => ({ status: 400, text: JSON.stringify({ errcode: -1, error: [message] }) })

type Asked = {
  readonly sql: string
  readonly database: string
  readonly cursor?: string
  /** Of rows; a statement's own counts where there is no other. */
  readonly limit?: number | undefined
}

/** Asks for as many rows as an answer may have, and for fewer where these are too long, so that no row is left out between two pages. */
async function askRows(inner: Inner, { sql, database, cursor, limit: max }: Asked): Promise<Told> {
  const text = sql.trim()
  const statement = text.endsWith(';') ? text.slice(0, -1).trimEnd() : text
  const isOne = /^select\s+(count\s*\(|usage\b)/i.test(statement)
  const [limit, given] = /\slimit\s+(\d+)$/i.exec(statement) ?? []
  const unbounded = limit === undefined ? statement : statement.slice(0, -limit.length)
  const own = given === undefined ? undefined : Math.min(Number(given), maxRows)
  const room = roomFor(max ?? own)
  let rows = Math.min(own ?? maxRows, room.rows)
  for (;;) {
    const body = writeJson({
      ...(cursor && { cursor }),
      rows: 'objects',
      sql: isOne ? statement : `${unbounded} limit ${rows}`,
    })
    const answer = await inner({ method: 'POST', path: at`/db/${database}/query`, body })
    const size = sizeOf(answer.text)
    if (isFine(answer) && size > room.bytes && rows > 1 && !isOne) {
      rows = Math.max(1, Math.floor((rows * room.bytes * 0.8) / size))
      continue
    }
    if (!isFine(answer)) return { ...answer, text: answer.text.replace(ofAnalysts, '; the tool sql has it') }
    const told = parseJson(answer.text, 'the answer')
    if (!isObject(told)) return answer
    const { cursor: next, ...kept } = told
    const shown = { ...answer, room, text: writeJson(kept) }
    if (typeof next !== 'string') return shown
    return { ...shown, more: `rows remain: call again with the same sql and with cursor ${next}` }
  }
}

/** The end of a refusal that sends to a port, which an agent does not reach. */
const ofAnalysts = /; analysts' SQL(?: on port \d+)? has it: docs\/analysts\.md/

const limitOf = whole('of rows: 100 and 20 KB if absent; with it 256 KB', maxRows)

const itemsOf = whole('of items: 20 KB of them if absent; with it 256 KB', maxRows)

/** A list of the API, cut as the agent asked. */
const listed = async (inner: Inner, path: string, limit: number | undefined): Promise<Told> => ({
  ...(await inner({ method: 'GET', path })),
  room: roomOfList(limit),
  ...(limit === undefined && { whenCut: () => `set limit, to at most ${maxRows}, for more` }),
})

const stream = { schema: identifier('the schema'), stream: identifier('its stream') }

const listSchemas = tool(
  'list_schemas',
  ['read'],
  'reads',
  'Lists the schemas, with their state and how many streams each has. describe_stream tells more of one.',
  z.strictObject({ limit: itemsOf }),
  ({ limit }, inner) => listed(inner, '/stream/list', limit),
)

const members = (value: Json | undefined, name: string): readonly { readonly [name: string]: Json }[] => {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

const isKept = (stat: Json | undefined): boolean => stat !== undefined && stat !== null && String(stat) !== '0'

/** An entity stream keeps values by its keys, and no statistics over time. */
const entityTypes = ['4', 'entity']

/** Statements that the tool query answers about a stream. */
function questionsOf(name: string, declared: { readonly [name: string]: Json }, sample: Row | undefined): string[] {
  const attributes = [...members(declared, 'attr'), ...members(declared, 'catr')]
  const hasStatistics = !entityTypes.includes(String(declared.type).toLowerCase())
  const counted = attributes.filter(({ stat }) => hasStatistics && isKept(stat)).map((each) => String(each.name))
  const groups = members(declared, 'gpby').map(({ gpat, iatr }) => ({ by: [gpat ?? []].flat().join(':'), iatr }))
  return [
    `select * from ${name} limit 10`,
    ...conditionOf(sample).map((condition) => `select * from ${name} where ${condition} limit 10`),
    `select count(*) from ${name}`,
    ...[...new Set(counted)].map((each) => `select aggr(${each}) from ${name} rollup 1`),
    ...groups.map(({ by, iatr }) => `select aggr(${String(iatr)}) from ${name} groupby ${by}`),
  ]
}

type Row = { readonly [name: string]: Json }

/** A condition that a sample satisfies. */
function conditionOf(sample: Row | undefined): string[] {
  for (const [name, value] of Object.entries(sample ?? {})) {
    if (!/^[A-Za-z]\w*$/.test(name)) continue
    if (typeof value === 'number' || typeof value === 'bigint') return [`${name} >= ${value}`]
    if (typeof value === 'string' && /^[\w -]{1,60}$/.test(value)) return [`${name} = "${value}"`]
  }
  return []
}

const describeStream = tool(
  'describe_stream',
  ['read'],
  'reads',
  'Tells of one stream its attributes, statistics and groups, what may be asked of it, and three sample events. Without a stream: the streams of the schema.',
  z.strictObject({ ...stream, stream: stream.stream.optional(), limit: itemsOf }),
  async ({ schema, stream: name, limit }, inner) => {
    if (name === undefined) return listed(inner, at`/stream/${schema}/info`, limit)
    const state = await inner({ method: 'GET', path: at`/stream/${schema}/${name}/state` })
    if (!isFine(state)) return state
    const shown = await inner({ method: 'GET', path: at`/stream/${schema}/schema` })
    if (!isFine(shown)) return shown
    const declared = members(parseJson(shown.text, 'the schema'), 'streams').find((each) => each.name === name) ?? {}
    const from = `${schema}.${name}`
    const sample = await askRows(inner, { database: 'mydb', sql: `select * from ${from} limit 3` })
    const rows = isFine(sample) ? members(parseJson(sample.text, 'the answer'), 'rows') : []
    const told = { schema, stream: name, state: parseJson(state.text, 'the state'), declared, samples: rows }
    return {
      status: 200,
      room: roomOfList(limit),
      text: writeJson({ ...told, questions: questionsOf(from, declared, rows[0]) }),
      ...(!isFine(sample) && { more: `the sample events could not be read: ${sample.text}` }),
    }
  },
)

const query = tool(
  'query',
  ['read'],
  'reads',
  "Asks in Weir's language: select * from S.ST [where C] [limit n], select count(*) from S.ST, select aggr(a) from S.ST [where st >= us and et <= us] [groupby g1:g2] [rollup n], also of entity streams and of tables of the database. Texts stand in double quotes. Rows are plain objects.",
  z.strictObject({
    sql: words('a select'),
    limit: limitOf,
    database: identifier('of a table; mydb if absent').default('mydb'),
    cursor: words('of the answer before, where rows remain').optional(),
  }),
  async ({ sql, database, cursor, limit }, inner) => {
    if (!/^\s*select\b/i.test(sql)) return refused('query takes select alone; send_events and put_record write')
    return askRows(inner, { sql, database, limit, ...(cursor && { cursor }) })
  },
)

const sql = tool(
  'sql',
  ['read'],
  'reads',
  "Asks in ClickHouse's SQL, as analysts do: stream S.ST is table S.ST, its statistics are views such as S.ST_by_60s; SHOW TABLES FROM S lists them. Times are microseconds in _pk, and _time is a DateTime64.",
  z.strictObject({
    sql: words('one statement'),
    database: identifier('of tables named without one').optional(),
    limit: limitOf,
  }),
  async ({ limit, ...given }, inner) => {
    const room = roomFor(limit)
    const ask = (max_result_rows: number) => {
      const settings = { max_result_rows, result_overflow_mode: 'break' }
      return inner({
        method: 'POST',
        path: '/sql',
        body: JSON.stringify({ ...given, format: 'JSONCompact', settings }),
      })
    }
    // One more row than an agent gets tells that rows were left out.
    const answer = await ask(room.rows + 1)
    if (!isFine(answer)) return answer
    const data = dataOf(answer.text)
    if (data) return { ...answer, text: data, room, whenCut: (kept = 0) => goOnBehind(kept, limit) }
    // The rows of other formats are not counted here.
    const shown = await ask(room.rows)
    return {
      ...shown,
      room,
      ...(shown.text !== answer.text && { more: `rows remain: ${goOnBehind(room.rows, limit)}` }),
    }
  },
)

const maxNames = 100

/** The names in a listing that the key may see. */
async function namesOf(inner: Inner, path: string, list: string): Promise<string> {
  const { text, status } = await inner({ method: 'GET', path })
  const told = status === 200 ? parseJson(text, 'the listing') : undefined
  const names = isObject(told) && Array.isArray(told[list]) ? told[list].map(String) : []
  const others = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  return names.length === 0 ? 'there are none' : `there are ${names.slice(0, maxNames).join(', ')}${others}`
}

const goOnBehind = (kept: number, limit: number | undefined): string => {
  const more = limit === undefined ? `set limit, to at most ${maxRows}, ` : ''
  return `${more}ask for fewer rows or columns, or go on with ORDER BY ... LIMIT ${limit ?? maxRows} OFFSET ${kept}`
}

/** An answer with its rows in a list, without the blanks of it; undefined where the statement names another format. */
function dataOf(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value = parseJson(text, 'the answer')
    return isObject(value) && Array.isArray(value.data) ? writeJson(value) : undefined
  } catch {
    return undefined // Lines of JSON.
  }
}

const writesGraph = /^\s*(CREATE|MERGE|DELETE)\b/i

const graphQuery = tool(
  'graph_query',
  ['read'],
  'reads',
  'Asks a graph; the graph of schema S is S_graph. Patterns: s=>(Label:name)-[REL]->(Label:*), with RETURN: s=>(@a Person:*)-[KNOWS]->(@b Person:*); RETURN a.name, COUNT(*) AS n SORT_DESC n LIMIT 10',
  z.strictObject({
    graph: identifier('the graph'),
    query: words('a pattern'),
    limit: limitOf,
    levk: words('_levk of the answer before').optional(),
  }),
  async ({ graph, query: text, levk, limit }, inner) => {
    const room = roomFor(limit)
    if (writesGraph.test(text))
      return refused('graph_query reads alone; CREATE, MERGE and DELETE go to POST /graph/G/query')
    const from = levk === undefined ? '' : at`?levk=${levk}`
    const answer = await inner({
      method: 'POST',
      path: `${at`/graph/${graph}/query`}${from}`,
      body: text,
      type: 'text/plain',
    })
    const max = (kept = room.rows): number => Math.max(1, Math.min(kept, room.rows))
    if (answer.status === 404) return { ...answer, more: `of graphs ${await namesOf(inner, '/graph/list', 'graphs')}` }
    return {
      ...answer,
      room,
      whenCut: (kept) =>
        `write ; RETURN ... LIMIT ${max(kept)} behind the pattern, and go on with levk, the _levk of that answer`,
    }
  },
)

const getRecord = tool(
  'get_record',
  ['read'],
  'reads',
  'Gets a record of a table by its key.',
  z.strictObject({ database: identifier('the database'), table: identifier('the table'), key: words('the key') }),
  ({ database, table, key }, inner) => inner({ method: 'GET', path: at`/db/${database}/${table}?key=${key}` }),
)

const recentEvents = tool(
  'recent_events',
  ['read'],
  'reads',
  'The latest events of a stream, newest first.',
  z.strictObject({
    ...stream,
    limit: whole('20 if absent', maxRows),
    where: words('such as price > 5 and country = "DE"').optional(),
  }),
  async ({ schema, stream: name, limit, where }, inner) => {
    const condition = where === undefined ? '' : ` where ${where}`
    const answer = await askRows(inner, {
      database: 'mydb',
      limit,
      sql: `select * from ${schema}.${name}${condition} limit ${limit ?? 20}`,
    })
    return { ...answer, ...(answer.more && { more: 'older events remain: the tool query pages through them' }) }
  },
)

const refusedEvents = tool(
  'refused_events',
  ['write'],
  'reads',
  'The latest events of a stream that were refused, and why.',
  z.strictObject({ ...stream, limit: whole('50 if absent', 200) }),
  ({ schema, stream: name, limit = 50 }, inner) =>
    inner({ method: 'GET', path: at`/stream/${schema}/${name}/refused?limit=${String(limit)}` }),
)

const listTables = tool(
  'list_tables',
  ['read'],
  'reads',
  'Lists the databases of tables, or the tables of one, with their kinds and keys.',
  z.strictObject({
    database: identifier('whose tables are listed; the databases if absent').optional(),
    limit: itemsOf,
  }),
  ({ database, limit }, inner) => listed(inner, database === undefined ? '/db' : at`/db/${database}/list/1`, limit),
)

const listGraphs = tool(
  'list_graphs',
  ['read'],
  'reads',
  'Lists the graphs.',
  z.strictObject({ limit: itemsOf }),
  ({ limit }, inner) => listed(inner, '/graph/list', limit),
)

const listModels = tool(
  'list_models',
  ['read'],
  'reads',
  'Lists the models.',
  z.strictObject({ limit: itemsOf }),
  ({ limit }, inner) => listed(inner, '/ml', limit),
)

const model = { schema: identifier('the schema of the model'), model: words('the model') }

const describeModel = tool(
  'describe_model',
  ['read'],
  'reads',
  'Says how a model was trained, how good it is, and which attributes predict takes, in their order.',
  z.strictObject(model),
  ({ schema, model: name }, inner) => inner({ method: 'GET', path: at`/ml/${schema}/${name}` }),
)

const predict = tool(
  'predict',
  ['read'],
  'reads',
  'Predicts with a trained model, for one item.',
  z.strictObject({
    ...model,
    data: z
      .union([object('values by name'), words('a line')])
      .meta({ description: 'values by name, or a line of CSV' }),
    input_format: z
      .enum(['JSON', 'CSV', 'SVM', 'TEXT', 'KV'])
      .optional()
      .meta({ description: 'of a line: CSV if absent' }),
  }),
  ({ schema, model: name, data, input_format }, inner) => {
    const line = typeof data === 'string' ? data : writeJson(data)
    const format = input_format ?? (typeof data === 'string' ? 'CSV' : 'JSON')
    const body = { 'schema-name': schema, model_name: name, data_type: 2, input_format: format, data: line }
    return inner({ method: 'POST', path: '/ml/pred/2', body: JSON.stringify(body) })
  },
)

const serviceStatus = tool(
  'service_status',
  ['read'],
  'reads',
  'What the service is, of which parts it is made, and whether each of them is up.',
  z.strictObject({}),
  async (_, inner) => {
    const about = await inner({ method: 'GET', path: '/' })
    const ready = await inner({ method: 'GET', path: '/health/ready' })
    const told = { about: parseJson(about.text, 'the answer'), ready: parseJson(ready.text, 'the answer') }
    return { status: 200, text: writeJson(told) }
  },
)

const trainingStatus = tool(
  'training_status',
  ['train'],
  'reads',
  'How the training of a model does: state 25 is done, below 20 it failed and reason says why.',
  z.strictObject(model),
  ({ schema, model: name }, inner) => inner({ method: 'GET', path: at`/ml/${schema}/${name}/status` }),
)

export const readingTools = [
  ...[
    listSchemas,
    describeStream,
    query,
    sql,
    listTables,
    getRecord,
    listGraphs,
    graphQuery,
    recentEvents,
    refusedEvents,
  ],
  ...[listModels, describeModel, predict, serviceStatus, trainingStatus],
]
