import Router from '@koa/router'
import { Fault, fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { Refusal } from '../../sql/refusal.ts'
import { queueName } from '../../sql/schema/names.ts'
import { idempotencyKey } from '../ingest/idempotency.ts'
import { isObject, parseJson } from '../ingest/json.ts'
import { type StreamIngest, streamIsOff } from '../ingest/stream-ingest.ts'
import { readText } from '../middleware/body.ts'
import type { Rebuilds } from '../services/rebuilds.ts'
import type { RegisteredStream, Registry } from '../services/registry.ts'
import type { SchemaEdits } from '../services/schema-edits.ts'
import type { Schemas } from '../services/schemas.ts'
import type { StreamQueries } from '../services/stream-queries.ts'
import { parameter } from './parameter.ts'

export type StreamRoutesDeps = {
  readonly registry: Registry
  readonly schemas: Schemas
  readonly edits: SchemaEdits
  readonly rebuilds: Rebuilds
  readonly queries: StreamQueries
  readonly feeder: Pick<Feeder, 'pace'>
  readonly metrics: Metrics
  readonly bodyLimit: number
}

const ndjson = /^application\/(x-)?(ndjson|jsonl|jsonlines|json-lines)\b/i

/** Registration, ingest and what there is to know of streams: interface 4.5 to 4.8, decisions 4. */
export function streamRoutes({
  registry,
  schemas,
  edits,
  rebuilds,
  queries,
  feeder,
  metrics,
  bodyLimit,
}: StreamRoutesDeps): Router {
  const router = new Router()

  router.get('/stream/list', (context) => {
    const all = registry.all().map(({ schema, streams }) => ({
      name: schema.name,
      state: [...streams.values()].some(({ on }) => on) ? 1 : 0,
      num_streams: schema.streams.length,
    }))
    const notifications = { notif_count_total: 0, notif_count_day: 0, notif_count_prev_day: 0 }
    context.body = { schemas: all, num_schemas: all.length, ...notifications, errcode: 0 }
  })

  router.post('/stream', async (context) => {
    context.body = done(await schemas.register(await readText(context, bodyLimit, 'the schema')))
  })

  router.put('/stream', async (context) => {
    context.body = done(await edits.replace(await readText(context, bodyLimit, 'the schema'), isForced(context.query)))
  })

  router.put('/stream/:schema', async (context) => {
    const schema = parameter(context, 'schema')
    context.body = done(await edits.addStreams(schema, await readText(context, bodyLimit, 'the streams')))
  })

  router.get('/stream/:schema/schema', (context) => {
    const { body } = registry.schema(parameter(context, 'schema'))
    context.type = 'application/json'
    context.body = body
  })

  router.get('/stream/:schema/info', async (context) => {
    const { schema, streams } = registry.schema(parameter(context, 'schema'))
    const infos = await Promise.all(
      [...streams.values()].map(async (target) => ({
        name: target.stream.name,
        type: streamCode[target.stream.kind],
        state: target.on ? 1 : 0,
        num_events: await countEvents(schema.name, target.stream.name, isEventual(context.query)),
        ...(await rebuildOf(schema.name, target.stream.name)),
      })),
    )
    context.body = { streams: infos, num_streams: infos.length, errcode: 0 }
  })

  router.post('/stream/:schema/:stream/rebuild', async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    await rebuilds.start(schema, stream, isForced(context.query))
    context.body = {
      errcode: 0,
      error: [`rebuild of ${schema}.${stream} has begun; GET /stream/${schema}/info tells how far it is`],
    }
  })

  const rebuildOf = async (schema: string, stream: string) => {
    const rebuild = await rebuilds.of(schema, stream)
    return rebuild === undefined ? {} : { rebuild }
  }

  router.get('/stream/:schema/:stream/count', async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    context.body = { count: await countEvents(schema, stream, isEventual(context.query)) }
  })

  router.get('/stream/:schema/:stream/state', (context) => {
    const { on } = registry.stream(parameter(context, 'schema'), parameter(context, 'stream'))
    context.body = { state: on ? 1 : 0 }
  })

  router.put('/stream/:schema/:stream/state', async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    registry.stream(schema, stream)
    const on = stateOf(await readText(context, bodyLimit, 'the state'))
    const changed = await schemas.setState(schema, stream, on)
    context.body = changed
      ? { errcode: 0 }
      : { errcode: 0, error: [`stream ${schema}.${stream} is already ${on ? 'enabled' : 'disabled'}`] }
  })

  router.delete('/stream/:schema', async (context) => {
    const schema = parameter(context, 'schema')
    context.body = deletedStreams(schema, await schemas.remove(schema))
  })

  router.delete('/stream/:schema/:stream', async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    const { streams } = registry.schema(schema)
    if (streams.size === 1 && streams.has(stream)) await schemas.remove(schema)
    else await edits.removeStream(schema, stream)
    context.body = deletedStreams(schema, [stream])
  })

  router.post('/stream/:schema/:stream', async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    void takesEvents(registry.stream(schema, stream)) // before the body is read
    const text = await readText(context, bodyLimit, 'the body')
    const isBatch = ndjson.test(context.req.headers['content-type'] ?? '')
    const key = idempotencyKey(firstOf(context.req.headers['idempotency-key']), 'Idempotency-Key')
    await feeder.pace()
    const { gate } = registry.schema(schema)
    // What holds the events back at the gate may have changed the stream: it is looked up behind it.
    const answer = await gate.pass(() => take(registry.stream(schema, stream), text, isBatch, key))
    context.type = 'application/json'
    context.body = answer
  })

  async function take(
    target: RegisteredStream,
    text: string,
    isBatch: boolean,
    key: string | undefined,
  ): Promise<string> {
    const ingest = takesEvents(target)
    const stream = queueName(target.schema.name, target.stream.name)
    if (!target.on) throw streamIsOff(target.schema.name, target.stream.name)
    try {
      if (!isBatch) {
        const answer = await ingest.one(text, key)
        metrics.eventsAccepted.inc({ stream })
        return answer
      }
      const { answer, taken, refused } = await ingest.batch(text, key)
      metrics.eventsAccepted.inc({ stream }, taken)
      metrics.eventsRefused.inc({ stream }, refused)
      return answer
    } catch (error) {
      if (error instanceof Refusal || (error instanceof Fault && error.kind === 'invalid')) {
        metrics.eventsRefused.inc({ stream })
      }
      throw error
    }
  }

  async function countEvents(schema: string, stream: string, eventual: boolean): Promise<number> {
    const target = registry.stream(schema, stream)
    const from = { schema, name: stream, at: { offset: 0, line: 1, column: 1 } }
    return queries.count(target, { kind: 'count', from }, { text: '', eventual })
  }

  return router
}

function takesEvents({ schema, stream, ingest }: RegisteredStream): StreamIngest {
  if (ingest) return ingest
  throw fault('invalid', `${schema.name}.${stream.name} is fed by other streams and takes no posted events`)
}

/** Success, with what there is to tell. */
const done = (message: string | undefined) =>
  message === undefined ? { errcode: 0 } : { errcode: 0, error: [message] }

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header

const isForced = (query: Readonly<Record<string, unknown>>): boolean => query.force === '1'

const deletedStreams = (schema: string, streams: readonly string[]) => ({
  deleted_streams: streams.map((stream) => ({ name: `${schema}__${stream}` })),
  num_streams_del: streams.length,
  errcode: 0,
})

const streamCode = { input: 1, filter: 2, join: 3, entity: 4 } as const

export const isEventual = (query: Readonly<Record<string, unknown>>): boolean => query.consistency === 'eventual'

function stateOf(text: string): boolean {
  const body = parseJson(text, 'the state')
  const state = isObject(body) ? body.state : undefined
  const name = typeof state === 'string' || typeof state === 'number' ? String(state).toUpperCase() : ''
  if (name === '0' || name === 'OFF') return false
  if (name === '1' || name === 'ON') return true
  throw fault('invalid', 'state: send {"state": 0} for OFF or {"state": 1} for ON')
}
