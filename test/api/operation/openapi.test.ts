import { Validator } from '@seriousme/openapi-schema-validator'
import test from 'ava'
import { descriptions } from '../../../api/document/descriptions.ts'
import { createRouters, type Routed } from '../../../api/routers.ts'
import { matchesGolden } from '../../support/golden.ts'
import { startService } from '../../support/service.ts'

/** Stands for every part of the service: routes take theirs apart when they are made, and call nothing. */
const anything: unknown = new Proxy(() => anything, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => 1 : anything),
})

const { client, close } = await startService()
type Operation = {
  readonly operationId: string
  readonly description?: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly responses: Readonly<Record<string, unknown>>
  readonly security: readonly unknown[]
  readonly 'x-scope': readonly string[]
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const answer = await client.get('/openapi.json')
test.after.always(close)
const paths: Paths = answer.body.paths
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
)

test('docs/openapi.json is what the service answers', (t) => {
  t.is(answer.status, 200)
  matchesGolden(
    t,
    `${JSON.stringify(JSON.parse(answer.text), undefined, 2)}\n`,
    new URL('../../../docs/openapi.json', import.meta.url),
  )
})

test('the document is OpenAPI 3.1', async (t) => {
  const { valid, errors } = await new Validator().validate(JSON.parse(answer.text))
  t.true(valid, JSON.stringify(errors))
  t.is(answer.body.openapi, '3.1.0')
})

test('the document has an edition of OpenAPI 3.0, with the same calls', async (t) => {
  const earlier = JSON.parse((await client.get('/openapi-3.0.json')).text)
  const { valid, errors } = await new Validator().validate(structuredClone(earlier))
  t.true(valid, JSON.stringify(errors))
  t.is(earlier.openapi, '3.0.3')
  t.deepEqual(Object.keys(earlier.paths), Object.keys(paths))
  t.notRegex(JSON.stringify(earlier), /"type":\[|"const":|"type":"null"|"\$ref":"[^"]*","/)
})

test('each description is that of a call', (t) => {
  const described = operations.map(({ operation }) => [operation.operationId, operation.description])
  for (const [id, text] of Object.entries(descriptions))
    t.deepEqual(
      described.filter(([each]) => each === id),
      [[id, text]],
    )
})

test('the document has the requests that Weir sends to endpoints', (t) => {
  const { deliverSend } = answer.body.webhooks
  const named = deliverSend.post.parameters.map(({ name }: { name: string }) => name)
  t.deepEqual(named, ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  t.is(deliverSend.post.requestBody.content['application/json'].schema.$ref, '#/components/schemas/Send')
  t.true(['id', 'ts', 'notif_event', 'notifid'].every((name) => name in answer.body.components.schemas.Send.properties))
})

test('types are the ones that generated clients have', async (t) => {
  const { Attribute, Event, PostEventsAnswer } = answer.body.components.schemas
  const names = { type: 'string', enum: ['OBJECT', 'STRING', 'LONG', 'DOUBLE', 'BOOL', 'STR', 'BOOLEAN'] }
  t.deepEqual(Attribute.properties.type.anyOf, [names, { type: 'integer', enum: [3, 5, 9, 11, 12] }])
  const earlier = JSON.parse((await client.get('/openapi-3.0.json')).text)
  t.like(earlier.components.schemas.Attribute.properties.type, names)
  t.truthy(PostEventsAnswer)
  t.truthy(Event)
  const ends: string[] = []
  const look = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value))
      if (!/^(example|default)$/.test(name)) look(inner, `${place}/${name}`)
    const { type, format, enum: codes, const: only, maximum } = value as Record<string, unknown>
    if (type === 'number' && !format && !codes && only === undefined) ends.push(place)
    if (type === 'integer' && !format && !codes && only === undefined && !(Number(maximum) < 2 ** 31)) ends.push(place)
    if (Array.isArray(codes) && new Set(codes.map((code) => typeof code)).size > 1) ends.push(place)
  }
  look(answer.body, '')
  t.deepEqual(ends, [])
})

test('every route of the routers is in the document, with its scopes, and the document has no other', (t) => {
  const routes = createRouters(anything as Routed).flatMap(({ list }) => list)
  const shown = operations.map(({ name, operation }) => `${name} ${operation['x-scope'].join('|')}`)
  const wanted = routes.map(({ method, path, need }) => {
    const open = path.replace(/\{\*(\w+)\}/, '{$1}').replace(/:(\w+)/g, '{$1}')
    return `${method} ${open} ${need.scopes.join('|')}`
  })
  t.deepEqual(shown.toSorted(), wanted.toSorted())
  t.true(shown.length > 80)
})

test('every call has an id of its own, its path parameters, and security where it is not open', (t) => {
  const ids = operations.map(({ operation }) => operation.operationId)
  t.deepEqual([...new Set(ids)], ids)
  for (const { name, path, operation } of operations) {
    const inPath = (operation.parameters ?? []).filter((each) => each.in === 'path')
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    t.deepEqual(
      inPath.map((each) => each.name),
      named,
      name,
    )
    t.true(inPath.every(({ required }) => required))
    const isOpen = operation['x-scope'].length === 0
    t.deepEqual(operation.security, isOpen ? [] : [{ apiKey: [] }, { bearer: [] }], name)
    if (!isOpen)
      t.true(
        ['401', '403', '429', '503'].every((status) => status in operation.responses),
        name,
      )
  }
})
