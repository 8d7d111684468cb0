import type { RouterContext } from '@koa/router'
import { registerBrought, splitSchema } from '../../activities/notifications/schema-templates.ts'
import type { Templates } from '../../activities/notifications/templates.ts'
import type { Going, WouldDelete } from '../../activities/queries/would-delete.ts'
import type { SchemaEdits } from '../../activities/schemas/edit/edits.ts'
import type { Registry } from '../../activities/schemas/registry.ts'
import type { Schemas } from '../../activities/schemas/schemas.ts'
import { isObject, type Json, parseJson, parseShallowJson } from '../../base/json.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Rebuilds } from '../../jobs/rebuilds.ts'
import type { SentNotification } from '../../sql/notification/decode.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { isEverywhere, permit } from '../auth/permit.ts'
import { createRoutes, define, inSchema, type Routes } from '../auth/routes.ts'
import type { Ask } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { isDry, isForced } from '../http/flags.ts'
import { parameter } from '../http/parameter.ts'
import * as calls from './calls.ts'
import { readStreamState } from './stream-state.ts'

export type SchemaRoutesDeps = {
  readonly registry: Registry
  readonly schemas: Schemas
  readonly edits: SchemaEdits
  readonly templates: Templates
  readonly rebuilds: Pick<Rebuilds, 'start'>
  readonly ask: Ask
  readonly changing: Audited
  readonly bodyLimit: number
}

type PermitContext = Parameters<typeof permit>[0]

const changeOf = (name: string, detail: string): AuditedChange => ({ what: 'schema', name, detail })

/** Schemas and the states of their streams. */
export function schemaRoutes(deps: SchemaRoutesDeps): Routes {
  const { registry, schemas, edits, templates, rebuilds, ask, changing, bodyLimit } = deps
  const routes = createRoutes()

  /** Registers the templates that a schema brought, once it stands; answers the secrets that are new. */
  async function bring(context: RouterContext, schema: string, sent: readonly SentNotification[]) {
    if (sent.length === 0) return {}
    const name = sent.map(({ notification }) => notification.notifid).join(', ')
    const change: AuditedChange = {
      what: 'notification',
      name: name.slice(0, 200),
      detail: `registered by schema ${schema}`,
    }
    const secrets = await changing(context, change, () => registerBrought(templates, sent))
    return Object.keys(secrets).length > 0 ? { secrets } : {}
  }

  routes.post('/stream', define('in body'), calls.registerSchema, async (context) => {
    const posted = await readText(context, bodyLimit, 'the schema')
    const name = permitSchema(context, posted)
    permitNotices(context, registry, name, posted)
    const { body, sent } = splitSchema(templates, posted)
    const register = () => schemas.register(body)
    const message = await changing(context, changeOf(name, 'registered'), register, isNews)
    context.body = { ...done(message), ...(await bring(context, name, sent)) }
  })

  routes.put('/stream', define('in body'), calls.replaceSchema, async (context) => {
    const posted = await readText(context, bodyLimit, 'the schema')
    const name = permitSchema(context, posted)
    permitNotices(context, registry, name, posted)
    const { body, sent } = splitSchema(templates, posted)
    const replace = () => edits.replace(body, isForced(context.query))
    const message = await changing(context, changeOf(name, 'replaced'), replace)
    context.body = { ...done(message), ...(await bring(context, name, sent)) }
  })

  routes.put('/stream/:schema', define(inSchema), calls.addStreams, async (context) => {
    const schema = parameter(context, 'schema')
    const posted = await readText(context, bodyLimit, 'the schema')
    permitTemplates(context, posted)
    permitNotices(context, registry, schema, posted)
    const { body, sent } = splitSchema(templates, posted)
    const add = () => edits.addStreams(schema, body)
    const message = await changing(context, changeOf(schema, 'streams added'), add)
    context.body = { ...done(message), ...(await bring(context, schema, sent)) }
  })

  routes.post('/stream/:schema/:stream/rebuild', define(inSchema), calls.rebuildStream, async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    const start = () => rebuilds.start(schema, stream, isForced(context.query))
    await changing(context, changeOf(schema, `rebuild of stream ${stream} begun`), start)
    context.body = {
      errcode: 0,
      error: [`rebuild of ${schema}.${stream} has begun; GET /stream/${schema}/info tells how far it is`],
    }
  })

  routes.put('/stream/:schema/:stream/state', define(inSchema), calls.setState, async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    registry.stream(schema, stream)
    const on = readStreamState(await readText(context, bodyLimit, 'the state'))
    const change = changeOf(schema, `stream ${stream} turned ${on ? 'ON' : 'OFF'}`)
    const isChanged = await changing(context, change, () => schemas.setState(schema, stream, on), Boolean)
    context.body = isChanged
      ? { errcode: 0 }
      : { errcode: 0, error: [`stream ${schema}.${stream} is already ${on ? 'enabled' : 'disabled'}`] }
  })

  async function wouldDelete(
    context: RouterContext,
    count: (of: WouldDelete, on: QueryClickHouse) => Promise<Going>,
  ): Promise<void> {
    const { things, notes } = await ask(context, (answers, on) => count(answers.wouldDelete, on))
    context.body = { would_delete: things, errcode: 0, ...(notes.length > 0 && { error: notes }) }
  }

  routes.delete('/stream/:schema', define(inSchema), calls.removeSchema, async (context) => {
    const schema = parameter(context, 'schema')
    if (isDry(context.query)) return wouldDelete(context, ({ schema: of }, on) => of(schema, on))
    const streams = await changing(context, changeOf(schema, 'removed'), () => schemas.remove(schema))
    context.body = deletedStreams(schema, streams)
  })

  routes.delete('/stream/:schema/:stream', define(inSchema), calls.removeStream, async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    const { streams } = registry.schema(schema)
    const isLast = streams.size === 1 && streams.has(stream)
    if (isDry(context.query)) {
      if (isLast) return wouldDelete(context, ({ schema: of }, on) => of(schema, on))
      edits.checkRemoval(schema, stream)
      return wouldDelete(context, ({ stream: of }, on) => of(schema, stream, on))
    }
    const remove = async () => {
      if (isLast) await schemas.remove(schema)
      else await edits.removeStream(schema, stream)
    }
    await changing(context, changeOf(schema, isLast ? 'removed' : `stream ${stream} removed`), remove)
    context.body = deletedStreams(schema, [stream])
  })

  return routes
}

/** The name of the schema in a body, which the caller may define. Notifications in it belong to no place. */
function permitSchema(context: PermitContext, body: string): string {
  const wire = parseShallowJson(body, 'the schema')
  const { schema, notifs } = isObject(wire) ? wire : {}
  const name = typeof schema === 'string' ? schema : undefined
  permit(context, 'define', name === undefined || notifs !== undefined ? undefined : `schema:${name}`)
  return name ?? ''
}

function permitTemplates(context: PermitContext, body: string): void {
  const wire = parseJson(body, 'the schema')
  if (isObject(wire) && wire.notifs !== undefined) permit(context, 'define', undefined)
}

/** Templates that a filter makes matches of belong to no place; templates that the schema has already stay. */
function permitNotices(context: PermitContext, registry: Registry, name: string, body: string): void {
  if (isEverywhere(context)) return
  const known = noticesIn(parseJson(registry.find(name)?.body ?? '{}', 'the schema'))
  const added = [...noticesIn(parseJson(body, 'the schema'))].filter((notice) => !known.has(notice))
  if (added.length > 0) permit(context, 'define', undefined)
}

/** Registering an identical schema is no change: nothing is audited. */
const isNews = (message: string | undefined): boolean => message === undefined

/** A success, with a note about it where there is one. */
const done = (message: string | undefined) =>
  message === undefined ? { errcode: 0 } : { errcode: 0, error: [message] }

const deletedStreams = (schema: string, streams: readonly string[]) => ({
  deleted_streams: streams.map((stream) => ({ name: `${schema}__${stream}` })),
  num_streams_del: streams.length,
  errcode: 0,
})

/** The templates, by `notifid`, of which a schema's filters make matches; empty where it is no schema. */
function noticesIn(wire: Json): ReadonlySet<string> {
  const streams = membersOf(wire, 'streams')
  const filters = streams.flatMap((stream) => membersOf(stream, 'fltr'))
  return new Set(filters.flatMap((filter) => (isObject(filter) && filter.notf !== undefined ? [`${filter.notf}`] : [])))
}

const membersOf = (wire: Json, member: string): readonly Json[] => {
  const list = isObject(wire) ? wire[member] : undefined
  return Array.isArray(list) ? list : []
}
