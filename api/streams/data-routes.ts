import type { Registry } from '../../activities/registry/registry.ts'
import type { ModelPlaces } from '../../activities/training/places.ts'
import type { StreamUpload } from '../../jobs/stream-upload.ts'
import { createNotes } from '../../sql/schema/check/notes.ts'
import { encodeCode, streamKinds } from '../../sql/schema/codes.ts'
import { dependenciesOf } from '../../sql/schema/dependencies.ts'
import { encodeAbsence, encodeRuleType, encodeSession, encodeSource } from '../../sql/schema/encode.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import type { Rule, Stream } from '../../sql/schema/schema.ts'
import { sessionsOf } from '../../sql/schema/sessions.ts'
import { permit } from '../auth/permit.ts'
import { createRoutes, inSchema, type Routes, read, train } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { isDetailed, isEventual } from '../http/flags.ts'
import { notesIn } from '../http/notes.ts'
import { parameter } from '../http/parameter.ts'
import * as calls from './calls.ts'
import { readUpload } from './upload.ts'

export type StreamDataRoutesDeps = {
  readonly registry: Registry
  readonly upload: StreamUpload
  readonly places: Pick<ModelPlaces, 'ofFile'>
  readonly bodyLimit: number
}

/** How streams hang together, and their events as a training file. */
export function streamDataRoutes({ registry, upload, places, bodyLimit }: StreamDataRoutesDeps): Routes {
  const routes = createRoutes()

  routes.get('/stream/:schema/depgraph', read(inSchema), calls.dependencies, (context) => {
    const { schema, streams } = registry.schema(parameter(context, 'schema'))
    const detailed = isDetailed(context.query)
    const dependencies = dependenciesOf(schema)
    const nodes = schema.streams.map((stream) => ({
      node: stream.name,
      type: encodeCode(streamKinds, stream.kind),
      parent: dependencies.get(stream.name)?.parents ?? [],
      children: dependencies.get(stream.name)?.children ?? [],
      ...rulesOf(stream),
      ...(detailed && { state: streams.get(stream.name)?.on ? 1 : 0, ...feedsOf(stream) }),
    }))
    const graph = detailed && schema.streams.some(feedsGraph) ? { graph: schemaGraph(schema.name) } : {}
    context.body = { schema: schema.name, ...graph, node_info: nodes }
  })

  routes.post('/stream/upload_data', train('in body'), calls.uploadEvents, async (context) => {
    const notes = createNotes()
    const { schema, stream, ...request } = readUpload(await readText(context, bodyLimit, 'the request'), notes)
    permit(context, 'train', `schema:${schema}`)
    for (const place of await places.ofFile({ ...request, schema })) permit(context, 'train', place)
    const target = registry.stream(schema, stream)
    const { lines, bytes } = await upload(target, { ...request, eventual: isEventual(context.query) })
    const msg = `the events of ${schema}.${stream} are uploaded as ${request.file}`
    context.body = { msg, num_lines: lines, file_size_bytes: bytes, ...notesIn(notes) }
  })

  return routes
}

/** The rules of a stream that look beyond one event, each kind where there is one. */
function rulesOf(stream: Stream) {
  const { rules, references, movingFilters } = stream
  const shown = {
    joins: rules.filter(({ kind }) => kind === 'join').map(shownRule),
    patterns: rules.filter(({ kind }) => kind === 'pattern').map(shownRule),
    references: references.map((each) => ({ name: each.name, rstm: encodeSource(each), iatr: each.results })),
    filters: movingFilters.map(({ name, target, notification }) => ({ name, ...aimOf(target, notification) })),
    sessions: sessionsOf(stream).map(({ session, keys }) => ({
      name: keys.map(({ name }) => name).join(':'),
      ...encodeSession(session),
    })),
  }
  return Object.fromEntries(Object.entries(shown).filter(([, list]) => list.length > 0))
}

const feedsGraph = ({ relations, nodes }: Stream): boolean => relations.length > 0 || nodes.length > 0

/** All that the events of a stream feed, and the models that they ask, each kind where there is one. */
function feedsOf({ filters, notices, movingFilters, entities, relations, nodes, computed }: Stream) {
  const shown = {
    filters: [
      ...filters.map(({ name, target }) => ({ name, ostm: target })),
      ...notices.map(({ name, notification }) => ({ name, notf: notification })),
      ...movingFilters.map(({ name, target, notification }) => ({ name, ...aimOf(target, notification) })),
    ],
    entities: entities.map(({ name, target, results }) => ({ name, rstm: target, ratr: results })),
    relations: relations.map(({ subject, relation, object }) => ({ sub: subject, rel: relation, obj: object })),
    nodes: nodes.map(({ subject, label }) => ({ sub: subject, label })),
    predictions: computed.flatMap(({ name, model, algorithm }) =>
      model === undefined ? [] : { attr: name, model, ...(algorithm !== undefined && { algo: algorithm }) },
    ),
  }
  return Object.fromEntries(Object.entries(shown).filter(([, list]) => list.length > 0))
}

const aimOf = (target: string | undefined, notification: number | undefined) => ({
  ...(target !== undefined && { ostm: target }),
  ...(notification !== undefined && { notf: notification }),
})

const shownRule = (rule: Rule) => ({
  name: rule.name,
  type: encodeRuleType(rule),
  ...(rule.partner !== undefined && { rstm: rule.partner }),
  ...aimOf(rule.target, rule.notification),
  ...(rule.absent && { absent: encodeAbsence(rule.absent) }),
})
