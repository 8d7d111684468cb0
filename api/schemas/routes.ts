import type { RouterContext } from '@koa/router'
import type { Hooks } from '../../activities/hooks/hooks.ts'
import { registerBrought, splitSchema } from '../../activities/notifications/schema-templates.ts'
import type { Templates } from '../../activities/notifications/templates.ts'
import type { AbsentReferences } from '../../activities/queries/absent-references.ts'
import type { Going, WouldDelete } from '../../activities/queries/would-delete.ts'
import type { Registry } from '../../activities/registry/registry.ts'
import type { Dependents, Suspect } from '../../activities/saved/dependents.ts'
import type { ChangeTerms } from '../../activities/schemas/change-terms.ts'
import type { SchemaEdits } from '../../activities/schemas/edit/edits.ts'
import type { Trial } from '../../activities/schemas/edit/trial.ts'
import type { Schemas } from '../../activities/schemas/schemas.ts'
import type { Sources } from '../../activities/sources/sources.ts'
import { writeExactJson } from '../../base/exact-json.ts'
import { isObject, type Json, parseJson, parseShallowJson } from '../../base/json.ts'
import type { YamlThreads } from '../../base/yaml-threads.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Rebuilds } from '../../jobs/rebuilds.ts'
import type { SentNotification } from '../../sql/notification/decode.ts'
import { createNotes, type Notes } from '../../sql/schema/check/notes.ts'
import type { NamedPart } from '../../sql/schema/compare.ts'
import { definitionSchema } from '../../sql/schema/words/json-schema.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { isEverywhere, mayHere, permit, sees } from '../auth/permit.ts'
import { createRoutes, define, inSchema, open, type Routes } from '../auth/routes.ts'
import { type Ask, clientOf } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { isDry, isForced, isStrict, undoOf } from '../http/flags.ts'
import { notesIn } from '../http/notes.ts'
import { parameter } from '../http/parameter.ts'
import { undoUntil, withUndo } from '../http/undo.ts'
import { seenOver, waitOf } from '../http/wait.ts'
import * as calls from './calls.ts'
import { type Definition, inForm, notesInForm, readDefinition } from './definition.ts'
import { readStreamState } from './stream-state.ts'
import { trialInWords } from './trial-in-words.ts'

export type SchemaRoutesDeps = {
  readonly registry: Registry
  readonly schemas: Schemas
  readonly edits: SchemaEdits
  readonly templates: Templates
  readonly noteAbsent: AbsentReferences
  readonly rebuilds: Pick<Rebuilds, 'start' | 'of'>
  readonly dependents: Dependents
  readonly ask: Ask
  readonly changing: Audited
  readonly yaml: Pick<YamlThreads, 'parse'>
  /** The names of the hooks and the sources that feed a stream, or any stream of a schema. */
  readonly feeding: { readonly hooks: Hooks['feeding']; readonly sources: Sources['feeding'] }
  readonly bodyLimit: number
}

type PermitContext = Parameters<typeof permit>[0]

const changeOf = (name: string, detail: string): AuditedChange => ({ what: 'schema', name, detail })

/** Schemas and the states of their streams. */
export function schemaRoutes(deps: SchemaRoutesDeps): Routes {
  const { registry, schemas, edits, templates, noteAbsent, rebuilds, dependents } = deps
  const { ask, changing, yaml, feeding, bodyLimit } = deps
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

  const termsOf = ({ query }: Pick<RouterContext, 'query'>): ChangeTerms => ({
    notes: createNotes(),
    isStrict: isStrict(query),
    force: isForced(query),
  })

  /** The answer of a change that stands; `suspects` are saved questions that it may have broken. */
  async function answerOf(
    context: RouterContext,
    definition: Definition,
    name: string,
    msg: string | undefined,
    notes: Notes,
    sent: readonly SentNotification[],
    suspects: readonly Suspect[] = [],
  ) {
    const brought = await bring(context, name, sent)
    await noteAbsent(notes, name)
    const said = msg === undefined ? {} : { msg }
    const { error = [] } = notesInForm(definition, notesIn(notes))
    const broken = await dependents.notesOfEdit(sees(context), suspects, clientOf(context))
    return { errcode: 0, ...said, ...together(msg, [...error, ...broken]), ...brought }
  }

  const suspectsOf = (schema: string, { lost, changed }: Trial): Promise<readonly Suspect[]> =>
    dependents.suspects(schema, [...lost, ...changed])

  /** The answer of a change that was only tried. */
  async function trialOf(context: RouterContext, definition: Definition, name: string, outcome: Trial, notes: Notes) {
    const trial = definition.form ? trialInWords(outcome, definition.form) : outcome
    await noteAbsent(notes, name)
    const streams = [...new Set([...trial.filled, ...trial.lost].map(({ stream }) => stream))]
    const events = new Map(await ask(context, (answers, on) => countStreams(answers.wouldDelete, name, streams, on)))
    const counted = ({ stream, ...part }: NamedPart) => ({ ...part, num_events: events.get(stream) ?? 0 })
    const broken = dependents.notesOfTrial(sees(context), await suspectsOf(name, outcome))
    const { error = [] } = notesInForm(definition, notesIn(notes))
    const lost = ({ stream, ...part }: NamedPart) =>
      part.what === 'stream' ? { ...part, num_events: events.get(stream) ?? 0 } : part
    return {
      errcode: 0,
      dry: 1,
      would_add: trial.added.map(({ stream: _, ...part }: NamedPart) => part),
      would_change: trial.changed,
      would_fill: trial.filled.map(counted),
      would_lose: trial.lost.map(lost),
      would_refuse: trial.refused,
      ...together(undefined, [...error, ...broken]),
    }
  }

  routes.get('/definition.schema.json', open, calls.showDefinitionSchema, (context) => {
    context.body = definitionSchema
  })

  routes.post('/stream', define('in body'), calls.registerSchema, async (context) => {
    const definition = await readDefinition(context, yaml, bodyLimit)
    context.body = await inForm(definition, async () => {
      const name = permitSchema(context, definition.text)
      permitNamed(context, registry, name, definition.text)
      const terms = termsOf(context)
      const { body, sent } = splitSchema(templates, definition.text, terms.notes)
      if (isDry(context.query))
        return trialOf(context, definition, name, await schemas.tryRegister(body, terms), terms.notes)
      const register = () => schemas.register(body, terms)
      const message = await changing(context, changeOf(name, 'registered'), register, isNews)
      return answerOf(context, definition, name, message, terms.notes, sent)
    })
  })

  routes.put('/stream', define('in body'), calls.replaceSchema, async (context) => {
    const definition = await readDefinition(context, yaml, bodyLimit)
    context.body = await inForm(definition, async () => {
      const name = permitSchema(context, definition.text)
      permitNamed(context, registry, name, definition.text)
      const terms = termsOf(context)
      const { body, sent } = splitSchema(templates, definition.text, terms.notes)
      if (isDry(context.query))
        return trialOf(context, definition, name, await edits.tryReplace(body, terms), terms.notes)
      const tried = dependents.isEmpty() ? undefined : await edits.tryReplace(body, { ...terms, notes: createNotes() })
      const suspects = tried ? await suspectsOf(name, tried) : []
      const replace = () => edits.replace(body, terms)
      const message = await changing(context, changeOf(name, 'replaced'), replace)
      return answerOf(context, definition, name, message, terms.notes, sent, suspects)
    })
  })

  routes.put('/stream/:schema', define(inSchema), calls.addStreams, async (context) => {
    const schema = parameter(context, 'schema')
    const known = registry.find(schema)?.schema.streams.map(({ name }) => name)
    const definition = await readDefinition(context, yaml, bodyLimit, known)
    context.body = await inForm(definition, async () => {
      permitTemplates(context, definition.text)
      permitNamed(context, registry, schema, definition.text)
      const terms = { ...termsOf(context), force: false }
      const { body, sent } = splitSchema(templates, definition.text, terms.notes)
      if (isDry(context.query))
        return trialOf(context, definition, schema, await edits.tryAddStreams(schema, body, terms), terms.notes)
      const add = () => edits.addStreams(schema, body, terms)
      const message = await changing(context, changeOf(schema, 'streams added'), add)
      return answerOf(context, definition, schema, message, terms.notes, sent)
    })
  })

  routes.post('/stream/:schema/:stream/rebuild', define(inSchema), calls.rebuildStream, async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    const wait_ms = waitOf(context, 0)
    const start = () => rebuilds.start(schema, stream, isForced(context.query))
    await changing(context, changeOf(schema, `rebuild of stream ${stream} begun`), start)
    const look = async () => (await rebuilds.of(schema, [stream])).get(stream)
    const seen = wait_ms > 0 ? await seenOver(context, wait_ms, look, (one) => one?.state !== 'running') : undefined
    context.body = {
      ...said(`rebuild of ${schema}.${stream} has begun; GET /stream/${schema}/info tells how far it is`),
      ...(seen && { state: seen.state }),
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
      : said(`stream ${schema}.${stream} is already ${on ? 'enabled' : 'disabled'}`)
  })

  /** A sentence for each hook and each source whose events a stream that goes no longer takes. */
  function doorsInto(schema: string, stream?: string): string[] {
    const fed = stream === undefined ? `a stream of ${schema}` : `${schema}.${stream}`
    return [
      ...feeding
        .hooks(schema, stream)
        .map(
          (hook) =>
            `hook ${hook} feeds ${fed}: its deliveries are refused (404) while that is not there; DELETE /hook/${hook} ends the hook`,
        ),
      ...feeding
        .sources(schema, stream)
        .map(
          (source) =>
            `source ${source} feeds ${fed}: it waits while that is not there; DELETE /source/${source} ends the source`,
        ),
    ]
  }

  /** Notes of a deletion: the hooks and sources that feed what goes, and the saved questions that ask it. */
  const notesOfDeletion = async (
    context: RouterContext,
    schema: string,
    stream?: string,
    isLast = false,
  ): Promise<string[]> => [
    ...doorsInto(schema, stream),
    ...(await dependents.notesOfDeletion(sees(context), schema, isLast ? undefined : stream)),
  ]

  async function wouldDelete(
    context: RouterContext,
    count: (of: WouldDelete, on: QueryClickHouse) => Promise<Going>,
    others: readonly string[],
  ): Promise<void> {
    const { things, notes } = await ask(context, (answers, on) => count(answers.wouldDelete, on))
    context.body = { would_delete: things, errcode: 0, ...together(undefined, [...notes, ...others]) }
  }

  routes.delete('/stream/:schema', define(inSchema), calls.removeSchema, async (context) => {
    const schema = parameter(context, 'schema')
    const undo = undoOf(context.query)
    const notes = await notesOfDeletion(context, schema)
    if (isDry(context.query)) return wouldDelete(context, ({ schema: of }, on) => of(schema, on), notes)
    const change = withUndo(changeOf(schema, 'removed'), undo)
    const { streams, deletion } = await changing(context, change, () => schemas.remove(schema, undo))
    context.body = {
      ...deletedStreams(schema, streams),
      ...(deletion && undoUntil(deletion)),
      ...together(undefined, notes),
    }
  })

  routes.delete('/stream/:schema/:stream', define(inSchema), calls.removeStream, async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    const undo = undoOf(context.query)
    const { streams } = registry.schema(schema)
    const isLast = streams.size === 1 && streams.has(stream)
    const notes = await notesOfDeletion(context, schema, stream, isLast)
    if (isDry(context.query)) {
      if (isLast) return wouldDelete(context, ({ schema: of }, on) => of(schema, on), notes)
      edits.checkRemoval(schema, stream)
      return wouldDelete(context, ({ stream: of }, on) => of(schema, stream, on), notes)
    }
    const remove = async () =>
      isLast ? (await schemas.remove(schema, undo)).deletion : edits.removeStream(schema, stream, undo)
    const change = withUndo(changeOf(schema, isLast ? 'removed' : `stream ${stream} removed`), undo)
    const deletion = await changing(context, change, remove)
    context.body = {
      ...deletedStreams(schema, [stream]),
      ...(deletion && undoUntil(deletion)),
      ...together(undefined, notes),
    }
  })

  return routes
}

/** A message of a success stands before its notes. */
const together = (msg: string | undefined, notes: readonly string[] = []): { readonly error?: readonly string[] } => {
  const error = msg === undefined ? notes : [msg, ...notes]
  return error.length > 0 ? { error } : {}
}

const countStreams = (of: WouldDelete, schema: string, streams: readonly string[], on: QueryClickHouse) =>
  Promise.all(
    streams.map(async (stream): Promise<[stream: string, events: number]> => {
      const { things } = await of.stream(schema, stream, on)
      return [stream, things[0]?.num_events ?? 0]
    }),
  )

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

/**
 * A schema names things elsewhere: templates, which belong to no place, and tables, whose records its references read. A part that
 * it has already stays as it is.
 */
function permitNamed(context: PermitContext, registry: Registry, name: string, body: string): void {
  if (isEverywhere(context) && mayHere(context, 'read')) return
  const before = parseJson(registry.find(name)?.body ?? '{}', 'the schema')
  const after = parseJson(body, 'the schema')
  const addedTo = (known: ReadonlySet<string>, all: ReadonlySet<string>) => [...all].filter((each) => !known.has(each))
  if (!isEverywhere(context) && addedTo(noticesIn(before), noticesIn(after)).length > 0)
    permit(context, 'define', undefined)
  const known = tableReferencesIn(before)
  for (const [reference, database] of tableReferencesIn(after))
    if (!known.has(reference)) permit(context, 'read', `db:${database}`)
}

/** Registering an identical schema is no change: nothing is audited. */
const isNews = (message: string | undefined): boolean => message === undefined

/** A success of which there is something to say: `error` has it for published clients, which look nowhere else. */
const said = (msg: string) => ({ errcode: 0, msg, error: [msg] })

const deletedStreams = (schema: string, streams: readonly string[]) => ({
  deleted_streams: streams.map((stream) => ({ name: `${schema}__${stream}` })),
  num_streams_del: streams.length,
  errcode: 0,
})

/** The templates, by `notifid`, of which a schema's filters and rules make matches; empty where it is no schema. */
function noticesIn(wire: Json): ReadonlySet<string> {
  const streams = membersOf(wire, 'streams')
  const makers = streams.flatMap((stream) => ['fltr', 'join', 'cepq'].flatMap((member) => membersOf(stream, member)))
  return new Set(makers.flatMap((maker) => (isObject(maker) && maker.notf !== undefined ? [`${maker.notf}`] : [])))
}

/** The databases of tables that references read, by stream and reference: one that takes over more reads more. */
function tableReferencesIn(wire: Json): ReadonlyMap<string, string> {
  const references = membersOf(wire, 'streams').flatMap((stream) =>
    membersOf(stream, 'refr').map((reference) => ({ stream: isObject(stream) ? stream.name : null, reference })),
  )
  return new Map(
    references.flatMap(({ stream, reference }) => {
      const source = isObject(reference) ? reference.rstm : undefined
      if (typeof source !== 'string' || !source.includes('.')) return []
      return [[writeExactJson([stream, reference]), source.split('.')[0] ?? '']]
    }),
  )
}

const membersOf = (wire: Json, member: string): readonly Json[] => {
  const list = isObject(wire) ? wire[member] : undefined
  // A rule may stand where a list of rules would.
  return Array.isArray(list) ? list : isObject(list) ? [list] : []
}
