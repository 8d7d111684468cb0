/** Spellings by which a page may try to ask with another value than its key has, in addresses and in bodies. */
import { request } from 'node:http'
import test from 'ava'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
const admin = { 'x-api-key': ADMIN_KEY }
const attr = [
  { name: 'country', type: 'STRING' },
  { name: 'n', type: 'LONG' },
]
await client.ok(
  client.post('/stream', { schema: 'shop', streams: [{ name: 'orders', type: 1, swsz: 0, attr }] }, admin),
)
for (const [country, n] of [
  ['DE', 1],
  ['DE', 2],
  ['FR', 3],
])
  await client.ok(client.post('/stream/shop/orders', { country, n }, admin))
const put = (name: string, question: unknown) => client.ok(client.send('PUT', `/saved/${name}`, question, admin))
await put('by_country', {
  sql: 'SELECT country, n FROM shop.orders WHERE country = {country:String} AND n >= {least:Int64} ORDER BY n',
  params: { least: { type: 'integer', default: 0 } },
})
await put('in_weir', { language: 'weir', sql: 'select * from shop.orders where country = {country:String}' })
await put('unlike', { sql: 'SELECT 1 AS one' })
const keyWith = async (fixed: object, on: readonly string[]) =>
  (await client.ok(client.post('/keys', { name: 'k', scopes: ['read'], on, fixed }, admin))).key as string
const key = await keyWith({ country: 'DE' }, ['saved:by_country', 'saved:in_weir', 'saved:unlike'])
const foreign = await keyWith({ country: 'FR' }, ['saved:by_country'])
const path = '/saved/by_country/rows'
test.after.always(close)

type Asked = { readonly status: number; readonly text: string }
type Way = {
  readonly says: string
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** A request as its bytes stand here: no client tidies its path up. */
const ask = ({ method = 'GET', path, headers = {}, body }: Way): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, method, path, headers: { 'x-api-key': key, ...headers } }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** The name of the parameter in an address. */
const names = [
  ...[
    'country',
    'Country',
    'COUNTRY',
    'cOUNTRY',
    'countrY',
    '%63ountry',
    'c%6Funtry',
    '%63%6f%75%6e%74%72%79',
    '%43OUNTRY',
  ],
  ...['country%00', 'country%20', '%20country', '+country', 'country+', '%09country', 'country%0A', '%EF%BB%BFcountry'],
  ...[
    '%E2%80%8Bcountry',
    'country%E2%80%8B',
    'c%CE%BFuntry',
    '%EF%BD%83ountry',
    'c\u006funtry',
    '%2563ountry',
    '%C0%A3ountry',
  ],
  ...[
    'country[]',
    'country[0]',
    'country%5B%5D',
    '[country]',
    'country.',
    '.country',
    'params.country',
    'params[country]',
  ],
  ...[
    'param_country',
    'param_Country',
    '$country',
    '{country}',
    '{country:String}',
    ':country',
    '@country',
    '-country',
    '--country',
  ],
  ...[
    'fixed',
    'fixed.country',
    'fixed[country]',
    '__proto__',
    '__proto__.country',
    '__proto__[country]',
    'constructor',
  ],
  ...['values.country', 'country;least', 'country,least', 'country|least', 'cou%6E%74ry', 'c0untry', 'countr%C3%BD'],
]
const values = ['FR', '["FR"]']

/** Whole addresses behind the question mark. */
const addresses = [
  ...['country=FR&country=DE', 'country=DE&country=FR', 'country=DE&Country=FR', 'country=DE', 'country', 'country='],
  ...[
    'least=0&country=FR',
    'least=0;country=FR',
    'least=0%26country=FR',
    'least=0%26country%3DFR',
    '&country=FR',
    '?country=FR',
  ],
  ...[
    'least=0&least=1&country=FR',
    '&&country=FR&&',
    'country==FR',
    'country=FR#',
    '%26country=FR',
    'a=1%00&country=FR',
  ],
  ...[
    'version=1&country=FR',
    'limit=1&country=FR',
    'format=CSV&country=FR',
    'cursor=x&country=FR',
    'db=shop&country=FR',
  ],
  ...["least=0 OR country='FR'", 'least=0%27%20OR%201=1', 'least=0)+OR+(1=1', 'least={country:String}', 'sql=SELECT+1'],
  ...[
    'params={"country":"FR"}',
    'fixed={"country":"FR"}',
    'body={"country":"FR"}',
    '{"country":"FR"}',
    'x-api-key=none&country=FR',
  ],
]

/** Bodies of a POST. */
const bodies: readonly (readonly [says: string, body: string | Buffer])[] = [
  ...names
    .filter((name) => !name.includes('%') && !name.includes('+'))
    .map((name) => [`the member ${name}`, `{${JSON.stringify(name)}: "FR"}`] as const),
  ...['["FR"]', '{"value":"FR"}', 'null', '5', 'true', '"DE"', '{"$ne":"DE"}', '""'].map(
    (value) => [`the value ${value}`, `{"country": ${value}}`] as const,
  ),
  ...[
    '{"country":"DE","country":"FR"}',
    '{"country":"FR","country":"DE"}',
    '{"\\u0063ountry":"FR"}',
    '{"c\\u006Funtry":"FR"}',
    '{"\\u0043ountry":"FR"}',
    '{"least":0,"country":"FR"}',
    '{"params":{"country":"FR"}}',
    '{"fixed":{"country":"FR"}}',
    '{"fixed":{}}',
    '{"__proto__":{"country":"FR"}}',
    '{"constructor":{"prototype":{"country":"FR"}}}',
    '[{"country":"FR"}]',
    '[["country","FR"]]',
    '"country=FR"',
    '{"country\\u0000":"FR"}',
    '{"country\\u200b":"FR"}',
    '{" country":"FR"}',
    '{"sql":"SELECT 1"}',
    '{"least":"0 OR country = \'FR\'"}',
    '{"version":1,"country":"FR"}',
    'country=FR',
    '{}{"country":"FR"}',
    '{}\n{"country":"FR"}',
    '/**/{"country":"FR"}',
    "{'country':'FR'}",
    '{country:"FR"}',
  ].map((body) => [body, body] as const),
  ['UTF-16', Buffer.from('{"country":"FR"}', 'utf16le')],
  ['a mark of the order of bytes', Buffer.from('\ufeff{"country":"FR"}')],
]

const all: readonly Way[] = [
  ...names.flatMap((name) =>
    values.map((value): Way => {
      const query = `${name.replaceAll(' ', '%20')}=${encodeURIComponent(value)}`
      return { says: `?${query}`, path: `${path}?${query}` }
    }),
  ),
  ...addresses.map((query): Way => ({ says: `?${query}`, path: `${path}?${query.replaceAll(' ', '%20')}` })),
  ...bodies.map(([says, body]): Way => ({ says: `body: ${says}`, method: 'POST', path, headers: json, body })),
  ...['country=FR', 'Country=FR', 'country%5B%5D=FR', 'country=DE&country=FR'].flatMap((body): Way[] => [
    { says: `form: ${body}`, method: 'POST', path, headers: form, body },
    { says: `a GET with the form ${body}`, path, headers: { ...form, 'content-length': String(body.length) }, body },
  ]),
  {
    says: 'a form of parts',
    method: 'POST',
    path,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: '--b\r\ncontent-disposition: form-data; name="country"\r\n\r\nFR\r\n--b--\r\n',
  },
  {
    says: 'in the address and the body',
    method: 'POST',
    path: `${path}?country=FR`,
    headers: json,
    body: '{"country":"DE"}',
  },
  {
    says: 'a body for another method',
    method: 'POST',
    path,
    headers: { ...json, 'x-http-method-override': 'PUT' },
    body: '{"country":"FR"}',
  },
  ...['country', 'x-country', 'x-weir-country', 'param_country', 'fixed'].map(
    (name): Way => ({ says: `the header ${name}`, path, headers: { [name]: 'FR' } }),
  ),
  ...['country=FR', 'fixed=%7B%7D'].map((cookie): Way => ({ says: `the cookie ${cookie}`, path, headers: { cookie } })),
  ...[
    '/saved/by_country/rows;country=FR',
    '/saved/by_country;country=FR/rows',
    '/saved/by_country/rows/country/FR',
    '/saved/by_country/rows/?country=FR',
    '//saved/by_country/rows?country=FR',
    '/saved/./by_country/rows?country=FR',
    '/saved/in_weir/../by_country/rows?country=FR',
    '/saved/by%5Fcountry/rows?country=FR',
    '/SAVED/by_country/rows?country=FR',
    '/saved/BY_COUNTRY/rows',
    '/saved/by_country/live?Country=FR',
    '/saved/by_country/openapi.json?country=FR',
    '/saved/in_weir/rows?country=FR',
    '/saved/in_weir/rows?Country=FR',
    '/saved/unlike/rows',
    '/saved/unlike/rows?country=FR',
    '/saved/by_country/state',
    '/saved/by_country/runs',
  ].map((asked): Way => ({ says: asked, path: asked })),
]

/** Each once. */
const ways = [...new Map(all.map((way) => [way.says, way])).values()]

test(`none of ${ways.length} spellings changes a value that the key has, or shows a row of another`, async (t) => {
  t.true(ways.length >= 200, String(ways.length))
  let answered = 0
  for (const way of ways) {
    const { status, text } = await ask(way)
    t.true(status < 500, `${way.says}: ${status} ${text}`)
    if (status !== 200) continue
    answered++
    t.notRegex(text, /FR/, way.says)
    if (text.startsWith('{"rows"'))
      t.true(
        JSON.parse(text).rows.every(({ country }: { country: string }) => country === 'DE'),
        `${way.says}: ${text}`,
      )
  }
  // Headers, cookies and bodies of a GET say nothing, and an empty object gives no value; all else is refused.
  t.true(answered <= 25, `${answered} were answered`)
})

test('a spelling of the name itself is a 403 in any case of its letters, and the key has its own rows', async (t) => {
  const rows = (await client.ok(client.send('GET', path, undefined, { 'x-api-key': key }))).rows
  t.deepEqual(rows, [
    { country: 'DE', n: 1 },
    { country: 'DE', n: 2 },
  ])
  for (const query of ['country=FR', 'Country=FR', '%43OUNTRY=FR', 'country', 'country=DE&country=FR'])
    t.is((await ask({ says: query, path: `${path}?${query}` })).status, 403, query)
  for (const body of ['{"country":"DE"}', '{"COUNTRY":null}', '{"\\u0063ountry":["FR"]}'])
    t.is((await ask({ says: body, method: 'POST', path, headers: json, body })).status, 403, body)
})

test('the cursor of another key, or of another value, is refused', async (t) => {
  const page = await client.ok(client.send('GET', `${path}?limit=1`, undefined, { 'x-api-key': key }))
  t.is(page.rows.length, 1)
  const next = await client.ok(
    client.send('GET', `${path}?limit=1&cursor=${page.cursor}`, undefined, { 'x-api-key': key }),
  )
  t.deepEqual(next.rows, [{ country: 'DE', n: 2 }])
  const strange = await client.send('GET', `${path}?limit=1&cursor=${page.cursor}`, undefined, { 'x-api-key': foreign })
  t.is(strange.status, 400, strange.text)
  const { token } = await client.ok(client.post('/keys/token', { saved: 'by_country' }, { 'x-api-key': key }))
  const ofToken = await client.send('GET', `${path}?limit=1&cursor=${page.cursor}`, undefined, { 'x-api-key': token })
  t.true(ofToken.status === 400 || JSON.stringify(ofToken.body.rows) === JSON.stringify(next.rows), ofToken.text)
})

test('a token with a value has it in every spelling, and a followed question its own rows', async (t) => {
  const { token } = await client.ok(
    client.post('/keys/token', { saved: 'by_country', fixed: { country: 'FR' } }, admin),
  )
  const headers = { 'x-api-key': token }
  for (const query of ['country=DE', 'COUNTRY=DE', '%63ountry=DE', 'country=FR&country=DE'])
    t.is((await ask({ says: query, path: `${path}?${query}`, headers })).status, 403, query)
  const made = await client.send('POST', '/keys/token', { saved: 'by_country', fixed: { Country: 'DE' } }, headers)
  t.is(made.status, 403, made.text)
  const stream = await openEventStream(url, '/saved/by_country/live', { headers })
  await until('an answer', () => stream.blocks.some(({ event }) => event === 'answer'))
  const { data = '' } = stream.blocks.find(({ event }) => event === 'answer') ?? {}
  t.deepEqual(JSON.parse(data).rows, [{ country: 'FR', n: 3 }])
  stream.close()
})
