import { z } from 'zod'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { maxRows, roomFor } from './bounds.ts'
import { describingTools } from './describing-tools.ts'
import { modelTools } from './model-tools.ts'
import { askRows, askSql, at, limitOf } from './rows.ts'
import { identifier, isFine, type Told, tool, whole, words } from './tool.ts'

const refused = (message: string): Told => ({ status: 400, text: JSON.stringify({ errcode: -1, error: [message] }) })

const stream = { schema: identifier('the schema'), stream: identifier('its stream') }

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
  "Asks in ClickHouse's SQL, as analysts do: stream S.ST is table S.ST, its statistics are views such as S.ST_by_60s; SHOW TABLES FROM S lists them. Times are microseconds in _pk, and _time is a DateTime64. Rows are plain objects. describe_stream has statements to begin with.",
  z.strictObject({
    sql: words('one statement'),
    database: identifier('of tables named without one').optional(),
    params: z
      .record(
        z.string(),
        z.custom<Json>(() => true),
      )
      .optional()
      .meta({ description: 'values of {name:Type} in the statement; a list for an Array' }),
    limit: limitOf,
  }),
  (given, inner) => askSql(inner, given),
)

const writesGraph = /^\s*(CREATE|MERGE|DELETE)\b/i

const graphQuery = tool(
  'graph_query',
  ['read'],
  'reads',
  'Asks a graph; the graph of schema S is S_graph. Patterns: s=>(Label:name)-[REL]->(Label:*), with RETURN: s=>(@a Person:*)-[KNOWS]->(@b Person:*); RETURN a.name, COUNT(*) AS n SORT_DESC n LIMIT 10. Rows are plain objects. describe_graph has patterns to begin with.',
  z.strictObject({
    graph: identifier('the graph'),
    query: words('a pattern'),
    limit: limitOf,
    cursor: words('of the answer before, where rows remain').optional(),
  }),
  async ({ graph, query: text, cursor, limit }, inner) => {
    const room = roomFor(limit)
    if (writesGraph.test(text)) return refused('graph_query reads alone; no tool changes a graph')
    const body = writeJson({ query: text, rows: 'objects', ...(cursor !== undefined && { cursor }) })
    const answer = await inner({ method: 'POST', path: at`/graph/${graph}/query`, body })
    if (!isFine(answer)) return answer
    const told = parseJson(answer.text, 'the answer')
    const { cursor: next, ...kept } = isObject(told) ? told : {}
    const max = (count = room.rows): number => Math.max(1, Math.min(count, room.rows))
    return {
      ...answer,
      room,
      text: writeJson(kept),
      ...(typeof next === 'string' && { more: `rows remain: call again with the same query and with cursor ${next}` }),
      whenCut: (count) =>
        `not all rows of this page are shown: write ; RETURN ... LIMIT ${max(count)} behind the pattern, and go on with the cursor of that answer`,
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

export const readingTools = [
  ...describingTools,
  ...[query, sql, graphQuery, getRecord, recentEvents, refusedEvents],
  ...modelTools,
  serviceStatus,
]
