/** Every route with what it needs, asked with keys that have it and with keys that don't. */
import test from 'ava'
import { scopes } from '../../../activities/keys/scopes.ts'
import type { Where } from '../../../api/auth/routes.ts'
import { createRouters, type Routed } from '../../../api/routers.ts'
import { ensureConsole } from '../../../scripts/dist.js'
import type { Answer } from '../../support/requests/client.ts'
import { readDocument } from '../../support/requests/document.ts'
import { startService } from '../../support/service.ts'

type Place = Exclude<Where, (...given: never) => unknown> | 'schema' | 'db' | 'graph' | 'bucket' | 'saved'

/** `open` needs nothing; `a|b` needs one of them. */
const table: Readonly<Record<string, readonly [need: string, place: Place]>> = {
  'GET /': ['open', 'anywhere'],
  'GET /health/live': ['open', 'anywhere'],
  'GET /health/ready': ['open', 'anywhere'],
  'GET /openapi.json': ['open', 'anywhere'],
  'GET /openapi-3.0.json': ['open', 'anywhere'],
  'GET /definition.schema.json': ['open', 'anywhere'],
  'GET /console': ['open', 'anywhere'],
  'GET /console/{*place}': ['open', 'anywhere'],
  'GET /console/assets/:asset': ['open', 'anywhere'],
  'GET /console/session': ['open', 'anywhere'],
  'POST /console/session': ['open', 'anywhere'],
  'DELETE /console/session': ['open', 'anywhere'],
  'POST /mcp': ['read|write|define|train', 'anywhere'],
  'GET /docs': ['read', 'anywhere'],
  'GET /docs/:page': ['read', 'anywhere'],
  'GET /metrics': ['read', 'everywhere'],
  'GET /figures': ['read', 'everywhere'],
  'GET /keys': ['admin', 'everywhere'],
  'POST /keys': ['admin', 'everywhere'],
  'DELETE /keys/:id': ['admin', 'everywhere'],
  'GET /audit': ['admin', 'everywhere'],
  'POST /backup': ['admin', 'everywhere'],
  'GET /backup': ['admin', 'everywhere'],
  'POST /reconcile': ['admin', 'everywhere'],

  'PUT /saved/:saved': ['define', 'saved'],
  'GET /saved': ['read', 'in list'],
  'GET /saved/:saved': ['read', 'saved'],
  'DELETE /saved/:saved': ['define', 'saved'],
  'GET /saved/:saved/rows': ['read', 'saved'],
  'POST /saved/:saved/rows': ['read', 'saved'],
  'GET /saved/:saved/live': ['read', 'saved'],
  'GET /saved/:saved/openapi.json': ['read', 'saved'],
  'GET /saved/:saved/state': ['read', 'saved'],
  'PUT /saved/:saved/silence': ['define', 'saved'],
  'POST /saved/:saved/test': ['read', 'saved'],
  'GET /saved/:saved/runs': ['read', 'saved'],
  'POST /saved/:saved/run': ['define', 'saved'],
  'POST /keys/token': ['read', 'in body'],

  'PUT /hook/:hook': ['define', 'in body'],
  'GET /hook': ['read', 'in list'],
  'GET /hook/:hook': ['read', 'in body'],
  'DELETE /hook/:hook': ['define', 'in body'],
  'POST /hook/:hook': ['open', 'anywhere'],
  'POST /api/v2/write': ['open', 'anywhere'],
  'POST /v1/:message': ['open', 'anywhere'],
  'POST /batch': ['open', 'anywhere'],
  'POST /capture': ['open', 'anywhere'],
  'POST /e': ['open', 'anywhere'],
  'POST /i/v0/e': ['open', 'anywhere'],
  'POST /com.snowplowanalytics.snowplow/tp2': ['open', 'anywhere'],
  'POST /flags': ['open', 'anywhere'],
  'POST /decide': ['open', 'anywhere'],

  'POST /import': ['write|ingest', 'in body'],
  'GET /import': ['read', 'in list'],
  'GET /import/:import': ['read', 'in body'],
  'DELETE /import/:import': ['write|ingest', 'in body'],
  'PUT /source/:source': ['define', 'in body'],
  'PUT /source/:source/:switch': ['define', 'in body'],
  'GET /source': ['read', 'in list'],
  'GET /source/:source': ['read', 'in body'],
  'DELETE /source/:source': ['define', 'in body'],

  'GET /stream/list': ['read', 'in list'],
  'POST /stream': ['define', 'in body'],
  'PUT /stream': ['define', 'in body'],
  'PUT /stream/:schema': ['define', 'schema'],
  'DELETE /stream/:schema': ['define', 'schema'],
  'POST /stream/:schema/undelete': ['write|ingest|define', 'schema'],
  'POST /stream/:schema/:stream/undelete': ['define', 'schema'],
  'POST /graph/:graph/undelete': ['define', 'graph'],
  'POST /db/:database/:table/undelete': ['define', 'db'],
  'POST /brs/:bucket/undelete': ['define', 'bucket'],
  'GET /deleted': ['read', 'in list'],
  'GET /stream/:schema/schema': ['read', 'schema'],
  'GET /stream/:schema/info': ['read', 'schema'],
  'GET /stream/:schema/depgraph': ['read', 'schema'],
  'POST /stream/:schema/:stream': ['write|ingest', 'schema'],
  'DELETE /stream/:schema/:stream': ['define', 'schema'],
  'GET /stream/:schema/:stream/count': ['read', 'schema'],
  'GET /stream/:schema/:stream/live': ['read', 'schema'],
  'GET /stream/:schema/:stream/refused': ['write', 'schema'],
  'GET /stream/:schema/:stream/state': ['read', 'schema'],
  'PUT /stream/:schema/:stream/state': ['define', 'schema'],
  'POST /stream/:schema/:stream/rebuild': ['define', 'schema'],
  'POST /stream/:schema/:stream/graph/query': ['read|write', 'schema'],
  'POST /stream/upload_data': ['train', 'in body'],
  'POST /stream/usage': ['read', 'everywhere'],

  'GET /db': ['read', 'in list'],
  'POST /db/:database/query': ['read|write', 'in body'],
  'GET /db/:database/query/live': ['read', 'in body'],
  'POST /sql': ['read', 'in list'],
  'POST /db/:database/table': ['define', 'db'],
  'GET /db/:database/list': ['read', 'db'],
  'GET /db/:database/list/:flag': ['read', 'db'],
  'GET /db/:database/stat': ['read', 'db'],
  'GET /db/:database/count': ['read', 'db'],
  'GET /db/:database/:table': ['read', 'db'],
  'DELETE /db/:database/:table': ['write|define', 'db'],
  'GET /db/:database/:table/tableenv': ['read', 'db'],
  'GET /db/:database/:table/count': ['read', 'db'],
  'GET /db/:database/:table/stat/:flag': ['read', 'db'],
  'POST /db/:database/:table/doc': ['write', 'db'],
  'PUT /db/:database/:table/doc': ['write', 'db'],
  'POST /db/:database/:table/index': ['define', 'db'],
  'DELETE /db/:database/:table/index/:index': ['define', 'db'],
  'POST /db/notification/register': ['define', 'everywhere'],
  'POST /db/notification/state': ['define', 'everywhere'],
  'POST /db/notification/:notification/deliveries/retry': ['define', 'everywhere'],
  'GET /db/notification/:notification/deliveries': ['read', 'everywhere'],

  'GET /graph/list': ['read', 'in list'],
  'GET /graph/stat': ['read', 'in list'],
  'GET /graph/stat/:verbose': ['read', 'in list'],
  'GET /graph/:graph/new': ['define', 'graph'],
  'POST /graph/:graph': ['define', 'graph'],
  'DELETE /graph/:graph': ['define', 'graph'],
  'POST /graph/:graph/node': ['write', 'graph'],
  'POST /graph/:graph/triple': ['write', 'graph'],
  'POST /graph/:graph/algorithm/:algorithm': ['write', 'graph'],
  'GET /graph/:graph/algorithm/:algorithm': ['read', 'graph'],
  'POST /graph/:graph/query': ['read|write', 'graph'],

  'POST /brs/bucket': ['define', 'in body'],
  'POST /brs/bucket/delete': ['define', 'in body'],
  'GET /brs/count': ['read', 'in list'],
  'POST /brs/list/:flag': ['read', 'in list'],
  'POST /brs/object/list': ['read', 'in body'],
  'POST /brs/object/list/:flag': ['read', 'in body'],
  'POST /brs/delete': ['write', 'in body'],
  'POST /brs/:bucket/putfile': ['write', 'bucket'],
  'POST /brs/:bucket/getfile': ['read', 'bucket'],
  'PUT /brs/:bucket/object/{*key}': ['write', 'bucket'],
  'GET /brs/:bucket/object/{*key}': ['read', 'bucket'],
  'DELETE /brs/:bucket/object/{*key}': ['write', 'bucket'],

  'GET /ml/algorithms': ['read', 'anywhere'],
  'POST /ml/train': ['train', 'in body'],
  'POST /ml/forecast': ['read', 'in body'],
  'POST /ml/pred/:type': ['read', 'in body'],
  'GET /ml/:schema/request': ['read', 'schema'],
  'GET /ml/:schema/count': ['read', 'schema'],
  'GET /ml/:schema/:model/request': ['read', 'schema'],
  'DELETE /ml/:schema/:model/request': ['train', 'schema'],
  'GET /ml/:schema/:model/status': ['read|train', 'schema'],
  'GET /ml/:schema/:model/metrics': ['read', 'schema'],
  'GET /ml/:schema/:model/versions': ['read', 'schema'],
  'PUT /ml/:schema/:model/version': ['train', 'schema'],
  'POST /ml/:schema/:model/versions/:version/copy': ['train', 'schema'],
  'POST /ml/:schema/:model/rollback': ['train', 'schema'],
  'DELETE /ml/:schema/:model/versions/:version': ['train', 'schema'],
  'GET /ml': ['read', 'in list'],
  'GET /ml/:schema/:model/model.onnx': ['read', 'schema'],
  'GET /ml/:schema/:model': ['read', 'schema'],
  'DELETE /ml/:schema/:model': ['train', 'schema'],
  'GET /ml/:schema/:model/:file/status': ['read', 'schema'],
  'DELETE /ml/:schema/:model/:file/status': ['train', 'schema'],
}

/** Of vendors' clients: the tests in test/api/capture ask them with keys. */
const ownKeys: ReadonlySet<string> = new Set([
  'POST /api/v2/write',
  'POST /v1/:message',
  'POST /batch',
  'POST /capture',
  'POST /e',
  'POST /i/v0/e',
  'POST /com.snowplowanalytics.snowplow/tp2',
])

/** Stands for every part of the service: routes take theirs apart when they are made, and call nothing. */
const anything: unknown = new Proxy(() => anything, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => 1 : anything),
})

ensureConsole()
const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
/** The console's files have their content in their names. */
const [, asset = ''] = /assets\/(main-\w+\.js)/.exec((await client.get('/console')).text) ?? []

const makeKey = async (wanted: readonly string[], on?: readonly string[]): Promise<string> =>
  (await client.ok(client.post('/keys', { name: 'k', scopes: wanted, on }, { 'x-api-key': ADMIN_KEY }))).key

const elsewhere = ['schema:else', 'db:else', 'graph:else', 'bucket:else']
const others = await makeKey(
  scopes.filter((scope) => scope !== 'admin'),
  elsewhere,
)
test.after.always(close)
const withoutEach = new Map<string, string>()

/** With all scopes but those, and admin. */
async function keyWithout(need: string): Promise<string> {
  const known = withoutEach.get(need)
  if (known !== undefined) return known
  const key = await makeKey(scopes.filter((scope) => scope !== 'admin' && !need.split('|').includes(scope)))
  withoutEach.set(need, key)
  return key
}

const values: Readonly<Record<string, string>> = {
  type: '2',
  flag: '0',
  verbose: '0',
  page: 'show.js',
  message: 'track',
  id: '000000000000',
}
const select = 'select * from some_schema.some_stream'
const pathOf = (pattern: string): string =>
  pattern
    .replace(/\{\*\w+\}/, 'k')
    .replace(':asset', asset)
    .replace(/:(\w+)/g, (_, name: string) => values[name] ?? `some_${name}`)

/** Names a place wherever a body may name one. */
const everyBody = {
  schema: 'some_schema',
  'schema-name': 'some_schema',
  'stream-name': 'some_stream',
  model_name: 'm',
  file_name: 'f',
  duration_sec: 60,
  steps: 1,
  bucket_name: 'some_bucket',
  sql: select,
  data: '1,2',
  algo_type: 'SVM',
  attr_type: 1,
  attr_list: [
    { name: 'a', position: 0 },
    { name: 'b', position: 1 },
  ],
  training_details: { training_source_type: 'FILE', training_source: 'f', input_format: 'CSV', target_idx: 1 },
}

const document = readDocument()

/** The answer, which docs/openapi.json foresees. */
async function ask(route: string, key?: string): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ')
  const body =
    pattern === '/console/session'
      ? { key: ADMIN_KEY }
      : pattern === '/keys/token'
        ? { saved: 'some_saved' }
        : pattern.endsWith('/graph/query') || pattern === '/graph/:graph/query'
          ? 's=>(A:*)'
          : everyBody
  const headers = key === undefined ? {} : { 'x-api-key': key }
  const isFollowed = route === 'GET /db/:database/query/live'
  const path = `${pathOf(pattern)}${isFollowed ? `?sql=${encodeURIComponent(select)}` : ''}`
  const answer = await client.send(method, path, method === 'GET' ? undefined : body, headers)
  const operation = document.find(method, pathOf(pattern))
  if (operation === undefined) throw new Error(`docs/openapi.json has no ${route}`)
  const type = answer.headers.get('content-type') ?? ''
  const problem = document.problemOfAnswer(operation, { ...answer, type })
  if (problem !== undefined) throw new Error(`docs/openapi.json does not foresee ${answer.text}: ${problem}`)
  return answer
}

/** The maker of a hook may send events as well: it has the secret. An import reads its bucket. */
const alsoNeeded: Readonly<Record<string, readonly string[]>> = {
  'PUT /hook/:hook': ['ingest'],
  'PUT /source/:source': ['ingest'],
  'POST /import': ['read'],
  // The body has a member `sql`: it is a draft.
  'POST /saved/:saved/test': ['define'],
}

test('every route stands in the table with what it needs, and no other does', (t) => {
  const routes = createRouters(anything as Routed).flatMap(({ list }) => list)
  const declared = routes.map(({ method, path, need }) => {
    const isOf = typeof need.where === 'function' ? 'a place' : need.where
    return [`${method} ${path}`, need.scopes.join('|') || 'open', isOf].join(': ')
  })
  const wanted = Object.entries(table).map(([route, [need, place]]) => {
    const isOf = ['schema', 'db', 'graph', 'bucket', 'saved'].includes(place) ? 'a place' : place
    return [route, need, isOf].join(': ')
  })
  t.deepEqual(declared.sort(), wanted.sort())
})

for (const [route, [need, place]] of Object.entries(table)) {
  test.serial(`${route} ${need === 'open' ? 'is open' : `needs ${need}`} (${place})`, async (t) => {
    const keyless = await ask(route)
    if (route === 'POST /hook/:hook') {
      t.is(keyless.status, 401, 'a signature stands in the place of a key')
      t.is(keyless.headers.get('www-authenticate'), 'Signature')
      return
    }
    if (ownKeys.has(route)) {
      t.is(keyless.status, 401, 'its key stands in a place of its own')
      t.is(keyless.headers.get('www-authenticate'), 'Bearer')
      return
    }
    if (need === 'open') {
      t.is(keyless.status, 200, keyless.text)
      return
    }
    t.is(keyless.status, 401, keyless.text)
    t.is(keyless.body.errcode, -2)
    t.is(keyless.headers.get('www-authenticate'), 'Bearer')

    const unfit = await ask(route, await keyWithout(need))
    t.is(unfit.status, 403, unfit.text)
    t.is(unfit.body.errcode, -2)
    t.true(unfit.body.error[0].includes(`needs the scope ${need.replaceAll('|', ' or ')}`), unfit.text)

    const misplaced = await ask(route, others)
    const isRefused = !['in list', 'anywhere'].includes(place)
    t.is(misplaced.status === 403, isRefused, misplaced.text)
    if (isRefused) t.regex(misplaced.text, /needs the scope \w+/)

    const scopes = [...need.split('|'), ...(alsoNeeded[route] ?? [])]
    const fit = await ask(route, need === 'admin' ? ADMIN_KEY : await makeKey(scopes))
    t.false([401, 403].includes(fit.status), fit.text)
    t.true(fit.status < 500, fit.text)
  })
}

test('a path or a method that nobody serves is a 401 without a key, and tells with one that it is not there', async (t) => {
  for (const [method, path, status] of [
    ['GET', '/nothing/here', 404],
    ['PATCH', '/stream', 405],
    ['POST', '/', 405],
    ['POST', '/health/live', 405],
  ] as const) {
    t.is((await client.send(method, path)).status, 401, path)
    t.is((await client.send(method, path, undefined, { 'x-api-key': others })).status, status, path)
  }
})
