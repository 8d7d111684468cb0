import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { segmentPaths } from '../../activities/capture/segment.ts'
import { properties } from '../../activities/graphs/algorithms/names.ts'
import type { Scope } from '../../activities/keys/scopes.ts'
import { clientName } from '../../sql/schema/values.ts'
import { type Call, type Content, groups, json, type Parameter, type Parameters, type Webhook } from '../http/call.ts'
import { descriptions } from './descriptions.ts'
import { createSchemas, type Schemas } from './json-schema.ts'
import { capital, refusals } from './refusals.ts'

type Example = { readonly type: string; readonly value: unknown }
type CallExample = { readonly body?: Example; readonly answer?: Example }

/**
 * The examples by the ids of calls: from docs/tour.md, else from docs/interface.md; `UPDATE_GOLDEN=1` makes the file
 * from them.
 */
const readExamples = (): Readonly<Record<string, CallExample>> =>
  JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8'))

export type DescribedRoute = {
  readonly method: string
  readonly path: string
  /** One of the scopes is enough; the call is open where the list is empty. */
  readonly need: { readonly scopes: readonly Scope[] }
  readonly call: Call
}

const mediaTypes = { json: 'application/json', ndjson: 'application/x-ndjson', bytes: 'application/octet-stream' }
const bodyText = 'text/plain'

/** OpenAPI 3.1 of the routes: their requests come from their decoders, their answers are checked by tests. */
export function createDocument(
  routes: readonly DescribedRoute[],
  webhooks: readonly Webhook[],
  version: string,
): Record<string, unknown> {
  const schemas = createSchemas()
  const examples = readExamples()
  const idOf = createIds()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = openApiPath(route.path)
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: { operationId: idOf(route), ...operation(route, schemas, examples[route.call.id]) },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version,
      description: [
        'Events in over HTTP; aggregates, SQL-like queries, models, tables, graphs and objects out.',
        'Bodies are read by what they are, whatever Content-Type they come with, but for NDJSON.',
        'Integers have 64 bits: a parser that keeps doubles alone rounds those beyond 2^53.',
        'Keys are asked for where the service runs with API_KEYS=require; `x-scope` names the scopes of which one is enough.',
      ].join(' '),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(webhooks.map((each) => [each.id, { post: webhookOperation(each, schemas) }])),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: sorted(schemas.components),
      responses: sorted(schemas.responses),
    },
  }
}

const sorted = (named: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)))

function operation(
  { method, path, need, call }: DescribedRoute,
  schemas: Schemas,
  example: CallExample | undefined,
): Record<string, unknown> {
  const isOpen = need.scopes.length === 0
  const title = capital(call.id)
  const description = descriptions[call.id]
  const parameters = [
    ...namesIn(path).map((name) => parameterOf('path', name, pathParameter(name), schemas)),
    ...listed('query', call.query, schemas),
    ...listed('header', call.headers, schemas),
  ]
  return {
    tags: [call.group],
    summary: call.summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(call.body && {
      requestBody: {
        required: call.body.isOptional !== true,
        content: contentOf(call.body.contents, 'input', schemas, `${title}Body`, example?.body),
      },
    }),
    responses: {
      ...(call.answers.length > 0 && {
        200: {
          description: 'success',
          content: contentOf(call.answers, 'output', schemas, `${title}Answer`, example?.answer),
        },
      }),
      ...Object.fromEntries(
        Object.entries(call.also ?? {}).map(([status, { says, contents }]) => [
          status,
          {
            description: says,
            ...(contents && { content: contentOf(contents, 'output', schemas, `${title}Answer${status}`) }),
          },
        ]),
      ),
      ...refusals({ path: openApiPath(path), method, isOpen, call }, schemas),
    },
    security: isOpen ? [] : [{ apiKey: [] }, { bearer: [] }],
    'x-scope': need.scopes,
  }
}

function webhookOperation({ id, group, summary, headers, body, success }: Webhook, schemas: Schemas) {
  return {
    operationId: id,
    tags: [group],
    summary,
    parameters: listed('header', headers, schemas).map((each) => ({ ...each, required: true })),
    requestBody: { required: true, content: contentOf([json(body)], 'output', schemas, `${capital(id)}Body`) },
    responses: { '2XX': { description: success } },
    security: [],
  }
}

/**
 * Where several routes are one call, the ones behind the first add a parameter or the method to its id, to set them
 * apart.
 */
function createIds() {
  const firsts = new Map<string, readonly string[]>()
  return ({ call: { id }, path, method }: DescribedRoute): string => {
    const names = namesIn(path)
    const first = firsts.get(id)
    firsts.set(id, first ?? names)
    if (first === undefined) return id
    const apart = names.find((name) => !first.includes(name)) ?? method.toLowerCase()
    return `${id}By${apart.charAt(0).toUpperCase()}${apart.slice(1)}`
  }
}

const listed = (place: 'query' | 'header', parameters: Parameters = {}, schemas: Schemas) =>
  Object.entries(parameters).map(([name, parameter]) => parameterOf(place, name, parameter, schemas))

const parameterOf = (
  place: 'path' | 'query' | 'header',
  name: string,
  { says, schema }: Parameter,
  schemas: Schemas,
) => ({
  name,
  in: place,
  description: says,
  required: place === 'path',
  schema: schemas.of(schema, 'input'),
})

type MediaType = readonly [type: string, value: Record<string, unknown>]

function mediaTypeOf(content: Content, io: 'input' | 'output', schemas: Schemas, name: string): MediaType {
  switch (content.kind) {
    case 'json':
      return [mediaTypes.json, { schema: schemas.named(name, content.schema, io) }]
    case 'ndjson': {
      const line = schemas.of(content.line, io)
      return [
        mediaTypes.ndjson,
        { schema: { type: 'string', format: 'binary', description: content.says }, 'x-line': line },
      ]
    }
    case 'text':
      return [content.type ?? bodyText, { schema: { type: 'string', description: content.says } }]
    case 'bytes':
      return [
        content.type ?? mediaTypes.bytes,
        { schema: { type: 'string', format: 'binary', description: content.says } },
      ]
  }
}

function contentOf(
  contents: readonly Content[],
  io: 'input' | 'output',
  schemas: Schemas,
  name: string,
  example?: Example,
): Record<string, unknown> {
  const described = contents.map((content) => mediaTypeOf(content, io, schemas, name))
  return Object.fromEntries(
    described.map(([type, value]) => [type, example?.type === type ? { ...value, example: example.value } : value]),
  )
}

const flag = z.enum(['0', '1'])

/** The parameters of paths, by name. */
const parameters: Readonly<Record<string, Parameter>> = {
  schema: { says: 'the name of a schema', schema: clientName },
  stream: { says: 'the name of a stream of the schema', schema: clientName },
  database: { says: 'the name of a database', schema: clientName },
  table: { says: 'the name of a table of the database', schema: clientName },
  index: { says: 'the path that an index covers', schema: z.string().min(1) },
  graph: { says: 'the name of a graph', schema: clientName },
  algorithm: { says: 'the name of an algorithm', schema: z.enum(Object.keys(properties)) },
  model: { says: 'the name of a model', schema: clientName },
  version: { says: 'the number of a version of the model, or its alias', schema: z.string().min(1) },
  file: { says: 'the name of a file, as the prediction was asked for', schema: z.string().min(1) },
  saved: { says: 'the name of a saved question', schema: clientName },
  hook: { says: 'the name of a hook', schema: clientName },
  message: { says: 'the kind of the message, or batch', schema: z.enum(Object.keys(segmentPaths)) },
  import: { says: 'the id of an import', schema: clientName },
  source: { says: 'the name of a source', schema: clientName },
  switch: { says: 'ON or OFF', schema: z.enum(['ON', 'OFF']) },
  bucket: { says: 'the name of a bucket', schema: z.string().min(1) },
  key: { says: 'the key of an object; its slashes stay as they are', schema: z.string().min(1) },
  page: {
    says: 'the name of a file of the page',
    schema: z.enum(['swagger-ui.css', 'swagger-ui-bundle.js', 'show.js']),
  },
  place: { says: 'a page of the console, and what it shows', schema: z.string().min(1) },
  asset: { says: 'the name of a file of the console, which changes with its content', schema: z.string().min(1) },
  id: { says: 'the id of a key', schema: z.string().min(1) },
  notification: { says: 'the notifid of a template', schema: z.string().regex(/^\d{1,16}$/) },
  flag: { says: '0 for brief items, 1 for verbose ones', schema: flag },
  verbose: { says: '0 for brief items, 1 for verbose ones', schema: flag },
  type: { says: '1 for a file, in the background; 2 for a line, at once', schema: z.enum(['1', '2']) },
}

/** Throws for a name of which nothing is said. */
function pathParameter(name: string): Parameter {
  const found = parameters[name]
  if (found) return found
  throw new Error(`api/document/path-parameters.ts says nothing of :${name}`)
}

/** As OpenAPI writes it: `/db/{database}/list`. */
const openApiPath = (path: string): string => path.replace(/\{\*(\w+)\}/g, '{$1}').replace(/:(\w+)/g, '{$1}')

const namesIn = (path: string): string[] => [...openApiPath(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
