import { z } from 'zod'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { maxBytes, maxRows, sizeOf } from './bounds.ts'
import type { Inner } from './inner.ts'
import { identifier, isFine, object, type Told, tool, whole, words } from './tool.ts'

const at = (strings: TemplateStringsArray, ...names: readonly string[]): string =>
  String.raw({ raw: strings }, ...names.map(encodeURIComponent))

const refused = (message: string): Told => ({ status: 400, text: JSON.stringify({ errcode: -1, error: [message] }) })

const cursorMembers = ['levk', 'sec_buf', 'rev_buf', 'switch_done']

type Asked = { readonly sql: string; readonly database: string; readonly cursor?: { readonly [name: string]: Json } }

/** Asks for 1,000 rows at most, and for fewer where these are too long, so that no row is left out between two pages. */
async function askRows(inner: Inner, { sql, database, cursor = {} }: Asked): Promise<Told> {
  const text = sql.trim()
  const statement = text.endsWith(';') ? text.slice(0, -1).trimEnd() : text
  const isOne = /^select\s+(count\s*\(|usage\b)/i.test(statement)
  const [limit, given] = /\slimit\s+(\d+)$/i.exec(statement) ?? []
  const unbounded = limit === undefined ? statement : statement.slice(0, -limit.length)
  let rows = Math.min(Number(given ?? maxRows), maxRows)
  for (;;) {
    const body = writeJson({ ...cursor, sql: isOne ? statement : `${unbounded} limit ${rows}` })
    const answer = await inner({ method: 'POST', path: at`/db/${database}/query`, body })
    const size = sizeOf(answer.text)
    if (isFine(answer) && size > maxBytes && rows > 1 && !isOne) {
      rows = Math.max(1, Math.floor((rows * maxBytes * 0.8) / size))
      continue
    }
    const told = isFine(answer) ? parseJson(answer.text, 'the answer') : undefined
    if (!isObject(told) || told.more_data_to_come !== 1) return answer
    const next = Object.fromEntries(Object.entries(told).filter(([name]) => cursorMembers.includes(name)))
    return { ...answer, more: `rows remain: call again with the same sql and with cursor ${writeJson(next)}` }
  }
}

const stream = { schema: identifier('the schema'), stream: identifier('its stream') }

const listSchemas = tool(
  'list_schemas',
  ['read'],
  'reads',
  'Lists the schemas, with their state and how many streams each has. describe_stream tells more of one.',
  z.strictObject({}),
  (_, inner) => inner({ method: 'GET', path: '/stream/list' }),
)

const members = (value: Json | undefined, name: string): readonly { readonly [name: string]: Json }[] => {
  const list = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

const isKept = (stat: Json | undefined): boolean => stat !== undefined && stat !== null && String(stat) !== '0'

/** Statements that Weir's language answers about a stream. */
function questionsOf(name: string, declared: { readonly [name: string]: Json }): string[] {
  const attributes = [...members(declared, 'attr'), ...members(declared, 'catr')]
  const counted = attributes.filter(({ stat }) => isKept(stat)).map((each) => String(each.name))
  const groups = members(declared, 'gpby').map(({ gpat, iatr }) => ({ by: [gpat ?? []].flat().join(':'), iatr }))
  return [
    `select * from ${name} where <attribute> = <value> limit 10`,
    `select count(*) from ${name}`,
    ...[...new Set(counted)].map((each) => `select aggr(${each}) from ${name} rollup 1`),
    ...groups.map(({ by, iatr }) => `select aggr(${String(iatr)}) from ${name} groupby ${by}`),
  ]
}

const describeStream = tool(
  'describe_stream',
  ['read'],
  'reads',
  'Tells of one stream its attributes, statistics and groups, what may be asked of it, and three sample events. Without a stream: the streams of the schema.',
  z.strictObject({ ...stream, stream: stream.stream.optional() }),
  async ({ schema, stream: name }, inner) => {
    if (name === undefined) return inner({ method: 'GET', path: at`/stream/${schema}/info` })
    const state = await inner({ method: 'GET', path: at`/stream/${schema}/${name}/state` })
    if (!isFine(state)) return state
    const shown = await inner({ method: 'GET', path: at`/stream/${schema}/schema` })
    if (!isFine(shown)) return shown
    const declared = members(parseJson(shown.text, 'the schema'), 'streams').find((each) => each.name === name) ?? {}
    const from = `${schema}.${name}`
    const sample = await askRows(inner, { database: 'mydb', sql: `select * from ${from} limit 3` })
    const rows = isFine(sample) ? members(parseJson(sample.text, 'the answer'), 'rows') : []
    const samples = rows.map(({ k = null, v = null }) => {
      const row = typeof v === 'string' ? parseJson(v, 'a row') : v
      return isObject(row) && '_pk' in row ? row : { k, v: row }
    })
    const told = { schema, stream: name, state: parseJson(state.text, 'the state'), declared, samples }
    return {
      status: 200,
      text: writeJson({ ...told, questions: questionsOf(from, declared) }),
      ...(!isFine(sample) && { more: `the sample events could not be read: ${sample.text}` }),
    }
  },
)

const query = tool(
  'query',
  ['read'],
  'reads',
  "Asks in Weir's language: select * from S.ST [where C] [limit n], select count(*) from S.ST, select aggr(a) from S.ST [where st >= us and et <= us] [groupby g1:g2] [rollup n], also of entity streams and of tables of the database. Texts stand in double quotes.",
  z.strictObject({
    sql: words('a select'),
    database: identifier('of a table; mydb if absent').default('mydb'),
    cursor: object('from the answer before: levk, sec_buf, rev_buf, switch_done').optional(),
  }),
  async ({ sql, database, cursor }, inner) => {
    if (!/^\s*select\b/i.test(sql)) return refused('query takes select alone; send_events and put_record write')
    return askRows(inner, { sql, database, ...(cursor && { cursor }) })
  },
)

const sql = tool(
  'sql',
  ['read'],
  'reads',
  "Asks in ClickHouse's SQL, as analysts do: stream S.ST is table S.ST, its statistics are views such as S.ST_by_60s; SHOW TABLES FROM S lists them. Times are microseconds in _pk, and _time is a DateTime64.",
  z.strictObject({ sql: words('one statement'), database: identifier('of tables named without one').optional() }),
  async (given, inner) => {
    const ask = (max_result_rows: number) => {
      const settings = { max_result_rows, result_overflow_mode: 'break' }
      return inner({ method: 'POST', path: '/sql', body: JSON.stringify({ ...given, settings }) })
    }
    // One more row than an agent gets tells that rows were left out.
    const answer = await ask(maxRows + 1)
    if (!isFine(answer)) return answer
    const data = dataOf(answer.text)
    if (data) return { ...answer, text: data, whenCut: (kept = 0) => goOnBehind(kept) }
    // The rows of other formats are not counted here.
    const shown = await ask(maxRows)
    return { ...shown, ...(shown.text !== answer.text && { more: `rows remain: ${goOnBehind(maxRows)}` }) }
  },
)

const goOnBehind = (kept: number): string =>
  `ask for fewer rows or columns, or go on with ORDER BY ... LIMIT ${maxRows} OFFSET ${kept}`

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
    levk: words('_levk of the answer before').optional(),
  }),
  async ({ graph, query: text, levk }, inner) => {
    if (writesGraph.test(text))
      return refused('graph_query reads alone; CREATE, MERGE and DELETE go to POST /graph/G/query')
    const from = levk === undefined ? '' : at`?levk=${levk}`
    const answer = await inner({
      method: 'POST',
      path: `${at`/graph/${graph}/query`}${from}`,
      body: text,
      type: 'text/plain',
    })
    const most = (kept = maxRows): number => Math.max(1, Math.min(kept, maxRows))
    return {
      ...answer,
      whenCut: (kept) =>
        `write ; RETURN ... LIMIT ${most(kept)} behind the pattern, and go on with levk, the _levk of that answer`,
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
  async ({ schema, stream: name, limit = 20, where }, inner) => {
    const condition = where === undefined ? '' : ` where ${where}`
    const answer = await askRows(inner, {
      database: 'mydb',
      sql: `select * from ${schema}.${name}${condition} limit ${limit}`,
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

const listModels = tool('list_models', ['read'], 'reads', 'Lists the models.', z.strictObject({}), (_, inner) =>
  inner({ method: 'GET', path: '/ml' }),
)

const model = { schema: identifier('the schema of the model'), model: words('the model') }

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
  ...[listSchemas, describeStream, query, sql, graphQuery, getRecord, recentEvents, refusedEvents, listModels, predict],
  ...[serviceStatus, trainingStatus],
]
