import type { RouterContext } from '@koa/router'
import { cloudEventsIn, isCloudEvents } from '../../activities/events/cloud-events.ts'
import { type Accept, ingestOf } from '../../activities/ingest/accept.ts'
import { idempotencyKey } from '../../activities/ingest/idempotency.ts'
import type { RefusedEvents } from '../../activities/ingest/refused-events.ts'
import type { ModelMisfits } from '../../activities/models/model-misfits.ts'
import type { DeliveryLists } from '../../activities/notifications/delivery/lists.ts'
import type { Unscored } from '../../activities/prediction/events/unscored.ts'
import type { Answers } from '../../activities/queries/answers.ts'
import type { RegisteredStream, Registry } from '../../activities/registry/registry.ts'
import type { Rules } from '../../activities/rules/rules.ts'
import type { SchemaEngine } from '../../activities/schemas/engine.ts'
import type { Deletions } from '../../activities/undo/deletions.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Rebuild, Rebuilds } from '../../jobs/rebuilds.ts'
import { encodeCode, streamKinds } from '../../sql/schema/codes.ts'
import { remembers } from '../../sql/schema/made.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Audited } from '../auth/audited.ts'
import { isEverywhere, mayHere, permit, sees } from '../auth/permit.ts'
import { createRoutes, ingestOrDefine, inSchema, type Routes, read, write, writeOrIngest } from '../auth/routes.ts'
import { undeleteSchema } from '../deletion/calls.ts'
import { undeleted } from '../deletion/routes.ts'
import type { Ask } from '../http/ask.ts'
import { isNdjson, readBytes } from '../http/body.ts'
import { isEventual } from '../http/flags.ts'
import { parameter } from '../http/parameter.ts'
import { isAskedInWords, showInWords } from '../schemas/shown-in-words.ts'
import * as calls from './calls.ts'

export type StreamRoutesDeps = {
  readonly registry: Registry
  readonly rebuilds: Pick<Rebuilds, 'of'>
  readonly misfits: ModelMisfits
  readonly unscored: Pick<Unscored, 'notesOf'>
  readonly editProgress: SchemaEngine['editProgress']
  readonly rules: Pick<Rules, 'usage'>
  readonly ask: Ask
  readonly accept: Accept
  readonly refusedEvents: Pick<RefusedEvents, 'list'>
  readonly sends: Pick<DeliveryLists, 'counts'>
  readonly deletions: Pick<Deletions, 'undelete'>
  readonly changing: Audited
  readonly bodyLimit: number
}

const maxRefused = 200

const noState = { bytes: 0, dropped: 0 }

/** Notifications belong to no place: a key that is bound to places sees no counts of them. */
const noCounts = { notif_count_total: 0, notif_count_day: 0, notif_count_prev_day: 0 }

/** Ingest, and lists, counts and progress of streams. */
export function streamRoutes(deps: StreamRoutesDeps): Routes {
  const {
    registry,
    rules,
    rebuilds,
    misfits,
    unscored,
    editProgress,
    ask,
    accept,
    refusedEvents,
    sends,
    deletions,
    changing,
    bodyLimit,
  } = deps
  const routes = createRoutes()

  routes.get('/stream/list', read('in list'), calls.listSchemas, async (context) => {
    const isShown = sees(context)
    const shown = registry.all().filter(({ schema }) => isShown(`schema:${schema.name}`))
    const all = shown.map(({ schema, streams }) => ({
      name: schema.name,
      state: [...streams.values()].some(({ on }) => on) ? 1 : 0,
      num_streams: schema.streams.length,
    }))
    const counts = isEverywhere(context) ? await sends.counts() : noCounts
    context.body = { schemas: all, num_schemas: all.length, ...counts, errcode: 0 }
  })

  routes.get('/stream/:schema/schema', read(inSchema), calls.showSchema, (context) => {
    const { body } = registry.schema(parameter(context, 'schema'))
    if (isAskedInWords(context.query)) return showInWords(context, body)
    context.type = 'application/json'
    context.body = body
  })

  routes.get('/stream/:schema/info', read(inSchema), calls.streamInfos, async (context) => {
    const { schema, streams } = registry.schema(parameter(context, 'schema'))
    const eventual = isEventual(context.query)
    const queues = [...new Set([...streams.values()].flatMap((target) => target.queues))]
    const { infos, notes } = await ask(context, async (answers, on) => {
      const failing = eventual ? [] : await answers.caughtUpButFailing(queues)
      const missing = schema.streams.flatMap(({ name }) => unscored.notesOf(queueName(schema.name, name)))
      const notes = [...failing, ...(await misfits(schema.name)), ...missing]
      const usage = await rules.usage(schema.name)
      const counts = await answers.countAll([...streams.values()], on)
      const last = await rebuilds.of(schema.name, [...streams.keys()])
      const infos = [...streams.values()].map((target) => ({
        name: target.stream.name,
        type: encodeCode(streamKinds, target.stream.kind),
        state: target.on ? 1 : 0,
        num_events: counts.get(target.stream.name) ?? 0,
        ...shownRebuild(last.get(target.stream.name)),
        ...(remembers(schema) && { rule_state: usage.get(target.stream.name) ?? noState }),
      }))
      return { infos, notes }
    })
    context.body = {
      streams: infos,
      num_streams: infos.length,
      ...editOf(schema.name),
      errcode: 0,
      ...(notes.length > 0 && { error: notes }),
    }
  })

  const editOf = (schema: string) => {
    const progress = editProgress(schema)
    if (progress === undefined) return {}
    const { since_us, ...shown } = progress
    return { edit: { ...shown, ...(since_us !== undefined && { since: since_us }) } }
  }

  const shownRebuild = (rebuild: Rebuild | undefined) => {
    if (rebuild === undefined) return {}
    const { since_us, ...shown } = rebuild
    return { rebuild: { ...shown, ...(since_us !== undefined && { since: since_us }) } }
  }

  routes.get('/stream/:schema/:stream/count', read(inSchema), calls.countEvents, async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    const eventual = isEventual(context.query)
    const target = registry.stream(schema, stream)
    context.body = { count: await ask(context, (answers, on) => countEvents(target, eventual, answers, on)) }
  })

  routes.get('/stream/:schema/:stream/refused', write(inSchema), calls.listRefused, (context) => {
    const { schema, stream } = registry.stream(parameter(context, 'schema'), parameter(context, 'stream'))
    const { gate } = registry.schema(schema.name)
    context.body = refusedEvents.list(queueName(schema.name, stream.name), gate, maxRefused)
  })

  routes.get('/stream/:schema/:stream/state', read(inSchema), calls.showState, (context) => {
    const { on } = registry.stream(parameter(context, 'schema'), parameter(context, 'stream'))
    context.body = { state: on ? 1 : 0 }
  })

  /** The path is the events' where the schema has a stream `undelete`: a schema that is there comes back by no call. */
  routes.post('/stream/:schema/undelete', ingestOrDefine(inSchema), undeleteSchema, async (context) => {
    const schema = parameter(context, 'schema')
    const isStream = registry.find(schema)?.streams.has('undelete') === true
    const asEvents = mayHere(context, 'ingest') ? 'ingest' : 'write'
    permit(context, isStream ? asEvents : 'define', `schema:${schema}`)
    if (isStream) return post(context, schema, 'undelete')
    await changing(context, undeleted('schema', schema), () => deletions.undelete('schema', schema))
    context.body = { errcode: 0, msg: `schema ${schema} is back` }
  })

  routes.post('/stream/:schema/:stream', writeOrIngest(inSchema), calls.postEvents, (context) =>
    post(context, parameter(context, 'schema'), parameter(context, 'stream')),
  )

  async function post(context: RouterContext, schema: string, stream: string): Promise<void> {
    void ingestOf(registry.stream(schema, stream)) // before the body is read
    const isBatch = isNdjson(context)
    const body = await readBytes(context, bodyLimit)
    const key = idempotencyKey(firstOf(context.req.headers['idempotency-key']), 'Idempotency-Key')
    const isOfPage = !mayHere(context, 'write')
    const { headers } = context.req
    const read = isCloudEvents(headers) ? () => cloudEventsIn(headers, body) : undefined
    const answer = await accept(schema, stream, { body, isBatch, idempotencyKey: key, isOfPage, read })
    context.type = 'application/json'
    context.body = answer
  }

  async function countEvents(target: RegisteredStream, eventual: boolean, answers: Answers, on: QueryClickHouse) {
    const from = { schema: target.schema.name, name: target.stream.name, at: { offset: 0, line: 1, column: 1 } }
    const { count } = await answers.countEvents(target, { kind: 'count', from }, { text: '', eventual }, on)
    return count
  }

  return routes
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header
