/** Every list takes a limit and a cursor, in one way. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)
const key = { 'x-api-key': ADMIN_KEY }

const send = (method: string, path: string, body?: unknown, headers = key) => client.send(method, path, body, headers)
const ok = (method: string, path: string, body?: unknown) => client.ok(send(method, path, body))

test.before(async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const attr = [{ name: 'i', type: 9 }]
  for (const name of names) {
    await ok('POST', '/stream', { schema: `s${name}`, streams: names.map((each) => ({ name: each, type: 1, attr })) })
    await ok('POST', '/db/mydb/table', { table_name: `t${name}`, table_type: 1, key_type: 1 })
    await ok('POST', `/db/d${name}/table`, { table_name: 't', table_type: 1, key_type: 1 })
    await ok('POST', `/graph/g${name}`)
    await ok('POST', '/keys', { name, scopes: ['read'] })
    await ok('POST', '/brs/bucket', { bucket_name: `bucket-${name}` })
    await ok('PUT', `/brs/bucket-a/object/${name}`, name)
    await send('POST', '/stream/sa/a', { i: name })
  }
  for (const name of ['x', 'y', 'z']) {
    await ok('POST', '/stream', { schema: name, streams: [{ name: 'a', type: 1, attr }] })
    await ok('DELETE', `/stream/${name}?undo=1`)
  }
})

/** Counts of a table, and when a key was last used, differ from one answer to the next. */
const named = (item: unknown): unknown => {
  if (typeof item !== 'object' || item === null || !('name' in item)) return item
  return [item.name, 'id' in item && item.id, 'ts' in item && item.ts]
}

type Listed = readonly [path: string, member: string, body?: unknown]
const lists: readonly Listed[] = [
  ...(['/stream/list schemas', '/stream/sa/info streams', '/stream/sa/a/refused refused', '/db databases'] as const),
  ...(['/db/mydb/list tables', '/db/mydb/list/0 tables', '/db/mydb/list/1 tables', '/db/mydb/stat tables'] as const),
  ...(['/graph/list graphs', '/graph/stat/0 graphs', '/graph/stat graphs', '/keys keys', '/audit changes'] as const),
  ...(['/deleted deleted', '/ml/algorithms algorithms'] as const),
].map((each): Listed => each.split(' ') as [string, string])
const posted: readonly Listed[] = [
  ['/brs/list/0', 'buckets', {}],
  ['/brs/list/1', 'buckets', {}],
  ['/brs/object/list/1', 'key_list', { bucket_name: 'bucket-a' }],
]

for (const [path, member, body] of [...lists, ...posted]) {
  const ask = (more: string) => send(body ? 'POST' : 'GET', `${path}${more}`, body)
  test.serial(`${path} is paged by limit and cursor`, async (t) => {
    const whole = await client.ok(ask(member === 'key_list' ? '?limit=1000' : ''))
    t.false('cursor' in whole)
    const all: unknown[] = whole[member]
    t.true(all.length >= 3, `${all.length}`)
    for (const limit of [1, 2, all.length, all.length + 1]) {
      const found: unknown[] = []
      let cursor = ''
      for (let page = 0; page === 0 || cursor !== ''; page++) {
        const answer = await client.ok(ask(`?limit=${limit}${cursor && `&cursor=${cursor}`}`))
        t.true(answer[member].length <= limit)
        found.push(...answer[member])
        cursor = answer.cursor ?? ''
        if (page > 60) throw new Error('no end')
      }
      t.deepEqual(found.map(named), all.map(named))
    }
    for (const bad of ['?limit=0', '?limit=x', '?limit=-1', '?limit=1e9', '?cursor=x', '?limit=2&cursor=1.AAAA'])
      t.is((await ask(bad)).status, 400, bad)
  })
}

test.serial('a cursor is of its list, its key and its version, and goes on where its item has gone', async (t) => {
  const { cursor } = await ok('GET', '/stream/list?limit=2')
  const refused = async (path: string, headers = key) => (await send('GET', path, undefined, headers)).body.error[0]
  t.regex(await refused(`/graph/list?cursor=${cursor}`), /of another query or list/)
  t.regex(await refused(`/stream/list?cursor=${cursor.replace('1.', '7.')}`), /of version 7/)
  const { key: other } = await ok('POST', '/keys', { name: 'o', scopes: ['read'] })
  t.regex(await refused(`/stream/list?cursor=${cursor}`, { 'x-api-key': other }), /of another key/)
  await ok('POST', '/db/gone/table', { table_name: 'a', table_type: 1, key_type: 1 })
  await ok('POST', '/db/gone/table', { table_name: 'b', table_type: 1, key_type: 1 })
  await ok('POST', '/db/gone/table', { table_name: 'c', table_type: 1, key_type: 1 })
  const page = await ok('GET', '/db/gone/list?limit=2')
  t.deepEqual(page.tables, ['a', 'b'])
  await ok('DELETE', '/db/gone/b')
  t.deepEqual((await ok('GET', `/db/gone/list?limit=2&cursor=${page.cursor}`)).tables, ['c'])
})

test.serial('every list of the document has both parameters', async (t) => {
  const { paths } = await ok('GET', '/openapi.json')
  for (const [path, member] of [...lists, ...posted]) {
    const method = path.startsWith('/brs') ? 'post' : 'get'
    const known = path
      .replace('/sa/a/', '/{schema}/{stream}/')
      .replace('/sa/', '/{schema}/')
      .replace('/mydb/', '/{database}/')
      .replace(/\/stat\/0$/, '/stat/{verbose}')
      .replace(/\/[01]$/, '/{flag}')
    const names = paths[known]?.[method]?.parameters?.map(({ name }: { name: string }) => name)
    t.true(names?.includes('limit') && names.includes('cursor'), `${known} ${member}: ${names}`)
  }
})

/** Lists in answers that are no list of things: a limit would cut a thing in two. Each call by its reason. */
const whole: Readonly<Record<string, readonly string[]>> = {
  'parts of one thing': [
    ...['GET /stream/{schema}/schema', 'GET /stream/{schema}/depgraph', 'GET /db/{database}/{table}'],
    ...['GET /db/{database}/{table}/tableenv', 'GET /db/{database}/{table}/stat/{flag}', 'GET /ml/{schema}/{model}'],
    ...['GET /ml/{schema}/{model}/request', 'GET /ml/{schema}/{model}/status', 'GET /ml/{schema}/{model}/metrics'],
    ...['GET /ml/{schema}/{model}/{file}/status', 'GET /console/session', 'GET /figures'],
    ...['GET /saved/{saved}', 'GET /saved/{saved}/state', 'GET /import/{import}', 'POST /import'],
    'GET /source/{source}',
  ],
  'what a change did or would do': [
    ...['POST /stream', 'PUT /stream', 'PUT /stream/{schema}', 'POST /stream/{schema}/{stream}', 'POST /reconcile'],
    ...['DELETE /stream/{schema}', 'DELETE /stream/{schema}/{stream}', 'DELETE /db/{database}/{table}'],
    ...['POST /db/{database}/{table}/doc', 'DELETE /graph/{graph}', 'DELETE /brs/{bucket}/object/{key}'],
    ...['POST /brs/bucket/delete', 'POST /brs/delete', 'POST /saved/{saved}/test', 'POST /saved/{saved}/run'],
    ...['PUT /saved/{saved}', 'POST /hook/{hook}', 'POST /v1/{message}', 'POST /batch', 'POST /capture'],
    ...['POST /e', 'POST /i/v0/e'],
  ],
  'a question whose text has the limit, and whose body has the cursor': [
    ...['POST /db/{database}/query', 'POST /stream/usage', 'POST /sql', 'POST /graph/{graph}/query'],
    ...['POST /stream/{schema}/{stream}/graph/query'],
  ],
  'as many values as the request has': ['POST /ml/pred/{type}', 'POST /ml/forecast'],
}

type Shape = {
  readonly $ref?: string
  readonly type?: unknown
  readonly anyOf?: Shape[]
  readonly properties?: Record<string, Shape>
}

type Described = {
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Shape }>> }>
  >
}

test.serial(
  'each call that answers a list takes limit and cursor, but for the ones that are named with their reason',
  async (t) => {
    const document = await ok('GET', '/openapi.json')
    const resolved = (shape: Shape | undefined): Shape => {
      if (shape?.$ref === undefined) return shape ?? {}
      return resolved(
        shape.$ref
          .split('/')
          .slice(1)
          .reduce((part, name) => part[name], document),
      )
    }
    const members = (shape: Shape | undefined): [string, Shape][] => {
      const { anyOf = [], properties = {} } = resolved(shape)
      return [...anyOf.flatMap(members), ...Object.entries(properties)]
    }
    const excepted = Object.values(whole).flat()
    const found: string[] = []
    for (const [path, calls] of Object.entries<Record<string, Described>>(document.paths)) {
      for (const [method, call] of Object.entries(calls)) {
        const answer = call.responses?.['200']?.content?.['application/json']?.schema
        const isList = members(answer).some(([name, shape]) => name !== 'error' && resolved(shape).type === 'array')
        const names = (call.parameters ?? []).map(({ name }) => name)
        if (isList && !(names.includes('limit') && names.includes('cursor')))
          found.push(`${method.toUpperCase()} ${path}`)
      }
    }
    t.deepEqual(
      found.filter((call) => !excepted.includes(call)),
      [],
      'these lists take no limit and cursor',
    )
    t.deepEqual(
      excepted.filter((call) => !found.includes(call)),
      [],
      'these are lists no more',
    )
  },
)
