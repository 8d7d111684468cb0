import Router from '@koa/router'
import { fault } from '../../infra/faults.ts'
import { parse, type Statement } from '../../sql/query/index.ts'
import { PlacedRefusal, withCaret } from '../../sql/query/placed-refusal.ts'
import { isObject, type Json, parseJson } from '../ingest/json.ts'
import { streamIsOff } from '../ingest/stream-ingest.ts'
import { readText } from '../middleware/body.ts'
import type { Registry } from '../services/registry.ts'
import { pageText } from '../services/rows.ts'
import type { StreamQueries } from '../services/stream-queries.ts'
import type { StreamQuery } from '../services/stream-query.ts'
import { sourceOf, type TableStatements } from '../services/table-statements.ts'
import { parameter } from './parameter.ts'
import { isEventual } from './streams.ts'

export type QueryRoutesDeps = {
  readonly registry: Registry
  readonly streams: StreamQueries
  readonly tables: TableStatements
  readonly bodyLimit: number
}

/** The endpoint for queries and the one for usage: interface 4.4 and 4.9, decisions 5. */
export function queryRoutes({ registry, streams, tables, bodyLimit }: QueryRoutesDeps): Router {
  const router = new Router()

  router.post('/db/:database/query', async (context) => {
    context.state.dialect = () => ({})
    const query = queryOf(await readText(context, bodyLimit, 'the query'), isEventual(context.query))
    if (/^\s*insert\b/i.test(query.text)) context.state.dialect = () => ({ retval: -1 })
    context.type = 'application/json'
    context.body = await answer(parameter(context, 'database'), query)
  })

  router.post('/stream/usage', async (context) => {
    const query = queryOf(await readText(context, bodyLimit, 'the query'), isEventual(context.query))
    if (parse(query.text).kind !== 'usage') {
      throw fault('invalid', 'send {"sql": "select usage from weir_stream"}; other statements go to /db/mydb/query')
    }
    context.type = 'application/json'
    context.body = await usage(query)
  })

  const usage = async (query: StreamQuery) => pageText(await streams.usage(registry.queues(), query))

  async function answer(database: string, query: StreamQuery): Promise<string> {
    const statement = parse(query.text)
    if (statement.kind === 'usage') return await usage(query)
    const { schema = '', name } = sourceOf(statement)
    try {
      if (schema === '' || (!registry.find(schema) && tables.knows(schema))) {
        return await tables.run(database, statement, query)
      }
      if (statement.kind === 'insert') return await insert(statement)
      const target = registry.stream(schema, name)
      if (statement.kind === 'update' || statement.kind === 'delete') {
        throw new PlacedRefusal(
          sourceOf(statement).at,
          `${schema}.${name} is a stream: its events stay as they are; ${statement.kind} goes with tables`,
        )
      }
      if (statement.kind === 'count') return JSON.stringify({ retval: await streams.count(target, statement, query) })
      if (statement.kind === 'rows') return pageText(await streams.rows(target, statement, query))
      return pageText(await streams.aggregate(target, statement, query))
    } catch (error) {
      throw withCaretOf(query.text, error)
    }
  }

  /** `insert into S.ST values null {json}`: an event, as if it were posted. */
  async function insert(statement: Extract<Statement, { kind: 'insert' }>): Promise<string> {
    const { into, key, document } = statement
    const target = registry.stream(into.schema ?? '', into.name)
    const name = `${target.schema.name}.${target.stream.name}`
    if (key !== undefined)
      throw new PlacedRefusal(into.at, `an event has no key of its own: insert into ${name} values null {...}`)
    if (document.kind !== 'json')
      throw new PlacedRefusal(into.at, 'an event is a JSON object: write {"attribute": value, ...}')
    if (statement.reverseIndex.length > 0)
      throw new PlacedRefusal(into.at, `${name} is a stream: revidx goes with tables`)
    await registry.schema(target.schema.name).gate.pass(async () => {
      const { ingest, on } = registry.stream(target.schema.name, target.stream.name)
      if (!ingest) throw new PlacedRefusal(into.at, `${name} is fed by other streams and takes no inserts`)
      if (!on) throw streamIsOff(target.schema.name, target.stream.name)
      await ingest.one(document.text)
    })
    return '{"retval":0}'
  }

  return router
}

const withCaretOf = (text: string, error: unknown): unknown => {
  try {
    return withCaret(text, () => {
      throw error
    })
  } catch (told) {
    return told
  }
}

function queryOf(text: string, eventual: boolean): StreamQuery {
  const body = parseJson(text, 'the body')
  if (!isObject(body) || typeof body.sql !== 'string') throw fault('invalid', 'send {"sql": "<statement>"}')
  const lastKey = textOf(body.levk, 'levk')
  const cursor = textOf(body.sec_buf, 'sec_buf')
  return {
    text: body.sql,
    eventual,
    ...(lastKey !== undefined && { lastKey }),
    ...(cursor !== undefined && { cursor }),
  }
}

function textOf(value: Json | undefined, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return String(value)
  throw fault('invalid', `${name}: send the ${name} of the last answer`)
}
