import test from 'ava'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const origin = 'https://app.example.org'
const { client, url, close } = await startService({ CORS_ORIGINS: origin })

const orders = [
  { _pk: 1700000000000001, price: 1.5, country: 'DE', n: 9007199254740993n },
  { _pk: 1700000000000002, price: 2.5, country: 'DE', n: 2 },
  { _pk: 1700000000000003, price: 3.5, country: 'DE', n: 3 },
  { _pk: 1700000000000004, price: 9, country: 'FR', n: 4 },
]
const attr = [
  { name: 'price', type: 'DOUBLE', stat: 'RSTAT' },
  { name: 'country', type: 'STRING' },
  { name: 'n', type: 'LONG' },
]
await client.register({
  schema: 'shop',
  streams: ['orders', 'aged', 'shared', 'followed'].map((name) => ({ name, type: 1, swsz: 0, attr })),
})
for (const order of orders) await client.ok(client.post('/stream/shop/orders', order))

const put = (name: string, question: unknown) => client.send('PUT', `/saved/${name}`, question)
const save = (name: string, question: unknown) => client.ok(put(name, question))
const rows = (path: string, body?: unknown) => client.send(body === undefined ? 'GET' : 'POST', `/saved/${path}`, body)

const byCountry = {
  sql: 'SELECT country, count() AS n FROM shop.orders WHERE country = {country:String} AND price > {least:Float64} GROUP BY country',
  params: {
    country: { type: 'text', values: ['DE', 'FR', "it's"] },
    least: { type: 'number', default: 0, min: 0, max: 100 },
  },
}

await save('by_country', byCountry)

test.after.always(close)

for (const [asked, answer] of [
  ['rows?country=DE', [{ country: 'DE', n: 3 }]],
  ['rows?country=DE&least=2', [{ country: 'DE', n: 2 }]],
  ['rows?country=FR&least=2.5e0', [{ country: 'FR', n: 1 }]],
  ["rows?country=it's", []],
] as const) {
  test(`${asked} answers ${JSON.stringify(answer)}`, async (t) => {
    const { rows: found, num_items, more_data_to_come } = await client.ok(rows(`by_country/${asked}`))
    t.deepEqual(found, answer)
    t.deepEqual([num_items, more_data_to_come], [answer.length, 0])
  })
}

test('values go in the body as well, where they have their types', async (t) => {
  t.deepEqual((await client.ok(rows('by_country/rows', { country: 'DE', least: 3 }))).rows, [{ country: 'DE', n: 1 }])
  t.regex((await rows('by_country/rows', { country: 'DE', least: '3' })).body.error[0], /least must be a number/)
  t.regex((await rows('by_country/rows', { country: 5 })).body.error[0], /country must be a text/)
})

for (const [asked, problem] of [
  ['', /^country is missing: it is a String without a default$/],
  ['?country=IT', /^country must be one of "DE", "FR", "it's"$/],
  ['?country=DE&contry=DE', /^contry is no parameter of this question; did you mean country\?$/],
  ['?Country=DE', /^Country is no parameter of this question; did you mean country\?$/],
  ['?country=DE&least=abc', /^least must be a number$/],
  ['?country=DE&least=-1', /^least must be at least 0$/],
  ['?country=DE&least=101', /^least must be at most 100$/],
  ['?country=DE&country=FR', /^country stands in the address more than once, and takes one value$/],
  ['?country=DE&format=XML', /^format: there are JSON, JSONEachRow, CSV, Parquet, Arrow, not XML$/],
  ['?country=DE&limit=0', /^limit: /],
  ['?country=DE&limit=1&limit=2', /^limit: there are two; send one$/],
  ['?country=DE&cursor=abc', /^cursor: this service made no such text/],
  ['?country=DE&version=0', /^version: /],
] as const) {
  test(`rows${asked} is refused, and the answer says what would be right`, async (t) => {
    const { status, body } = await rows(`by_country/rows${asked}`)
    t.is(status, 400)
    t.regex(body.error[0], problem)
  })
}

test('a value is bound, whatever it is like', async (t) => {
  await save('echo', {
    sql: 'SELECT {v:String} AS v, {l:Array(String)} AS l',
    params: { l: { type: 'Array(String)', default: [] } },
  })
  for (const v of ["' OR 1=1 --", '\\', "\\' UNION SELECT 1 --", '{x:String}', 'a\tb\nc', '\u0000', '💧', '']) {
    t.deepEqual((await client.ok(rows('echo/rows', { v, l: [v, 'b'] }))).rows, [{ v, l: [v, 'b'] }], JSON.stringify(v))
    t.is((await client.ok(rows(`echo/rows?v=${encodeURIComponent(v)}`))).rows[0].v, v)
  }
  t.deepEqual((await client.ok(rows('echo/rows?v=a&l=x&l=y'))).rows[0].l, ['x', 'y'])
  t.is((await rows('echo/rows', { v: '\ud800' })).status, 400)
})

test('each type of a parameter takes its values, and refuses others', async (t) => {
  await save('types', {
    sql: 'SELECT {i:Int64} AS i, {u:UInt8} AS u, {b:Bool} AS b, {d:Date} AS d, toUnixTimestamp64Micro({t:DateTime64(6)}) AS t, {o:Nullable(Int32)} AS o',
    params: {
      i: { type: 'integer', default: 1 },
      u: { default: 1 },
      b: { type: 'boolean', default: false },
      d: { type: 'date', default: '2026-01-31' },
      t: { type: 'time', default: '1970-01-01T00:00:01.000002Z' },
      o: { default: null },
    },
  })
  const first = (await client.ok(rows('types/rows'))).rows[0]
  t.deepEqual(first, { i: 1, u: 1, b: false, d: '2026-01-31', t: 1000002, o: null })
  t.is((await client.ok(rows('types/rows?i=-9223372036854775808'))).rows[0].i, -9223372036854775808n)
  t.is((await client.ok(rows('types/rows?b=true'))).rows[0].b, true)
  t.is((await client.ok(rows('types/rows?t=2026-11-29T00:00:00%2B01:00'))).rows[0].t, 1795906800000000)
  t.is((await client.ok(rows('types/rows?t=1969-12-31T23:59:58.25Z'))).rows[0].t, -1750000)
  t.is((await client.ok(rows('types/rows?t=1969-12-31T23:59:59.000Z'))).rows[0].t, -1000000)
  for (const bad of [
    'i=1.5',
    'i=9223372036854775808',
    'u=256',
    'u=-1',
    'b=2',
    'd=2026-02-31x',
    'd=2026-02-31',
    'd=1969-12-31',
    'd=yesterday',
    't=1969-12-31T23:59:59.5Z',
    't=now',
    'o=x',
  ])
    t.is((await rows(`types/rows?${bad}`)).status, 400, bad)
})

for (const [sql, problem] of [
  [
    'SELECT contry FROM shop.orders',
    /^line 1, column 8: Unknown expression identifier `contry`.*\nSELECT contry FROM shop\.orders\n {7}\^$/s,
  ],
  ['SELECT country FROM shop.nowhere', /^line 1, column 21: /],
  ['SELECT country FROM FROM shop.orders', /^line 1, column 26: Syntax error: failed at position 26/],
  ['INSERT INTO shop.orders VALUES (1)', /^sql: a saved question is a SELECT, and this begins with INSERT$/],
  ['SELECT 1; SELECT 2', /^sql: .*one statement/],
  ['SELECT 1 FORMAT CSV', /^sql: leave FORMAT out/],
  ['SELECT {limit:Int64}', /^sql: a parameter is not called limit/],
  ['SELECT {a:Map(String, String)}', /^params\.a: has the type Map\(String,String\) in the text/],
  ['SELECT {a:Int64} + {a:Int32}', /^sql: \{a:Int32\} has the type Int64 before$/],
] as const) {
  test(`a question that cannot be asked is refused: ${sql}`, async (t) => {
    const { status, body } = await put('bad', { sql })
    t.is(status, 400, JSON.stringify(body))
    t.regex(body.error[0], problem)
    t.is((await client.get('/saved/bad')).status, 404)
  })
}

test('what analysts may not reach no question reaches', async (t) => {
  for (const sql of [
    "SELECT * FROM file('/etc/passwd')",
    'SELECT * FROM weir.api_keys',
    'SELECT * FROM system.query_log',
  ]) {
    const { status, body } = await put('bad', { sql })
    t.true(status === 403 || status === 400, JSON.stringify(body))
  }
})

for (const [question, problem] of [
  [{}, /^sql: is missing$/],
  [{ sql: 'SELECT 1', watches: {} }, /^watches: is unknown/],
  [{ sql: 'SELECT 1', params: { a: {} } }, /^params\.a: is not in the text/],
  [
    { sql: 'SELECT {a:Int64}', params: { a: { type: 'text' } } },
    /^params\.a\.type: is String, and the text has \{a:Int64\}$/,
  ],
  [
    { sql: 'SELECT {a:Int64}', params: { a: { type: 'integer', defualt: 1 } } },
    /^params\.a\.defualt: is unknown; did you mean default\?$/,
  ],
  [{ sql: 'SELECT {a:Int64}', params: { a: { default: 'x' } } }, /^params\.a\.default: must be a whole number$/],
  [{ sql: 'SELECT {a:Int64}', params: { a: { min: 5, default: 1 } } }, /^params\.a\.default: must be at least 5$/],
  [{ sql: 'SELECT {a:String}', params: { a: { min: 5 } } }, /^params\.a\.min: /],
  [{ sql: 'SELECT 1', cache_s: -1 }, /^cache_s: /],
  [{ sql: 'SELECT 1', language: 'python' }, /^language: must be sql or weir$/],
  [{ language: 'weir', sql: 'insert into shop.orders values null {"price": 1}' }, /changes something/],
  [{ language: 'weir', sql: 'select * from shop.nowhere' }, /nowhere/],
] as const) {
  test(`a definition is refused: ${JSON.stringify(question)}`, async (t) => {
    const { status, body } = await put('bad', question)
    t.true(status === 400 || status === 404, JSON.stringify(body))
    t.regex(body.error[0], problem)
  })
}

test('each change is a version, and a definition that says the same is none', async (t) => {
  t.like(await save('versions', { sql: 'SELECT 1 AS a' }), { version: 1 })
  t.like(await save('versions', { sql: 'SELECT 1 AS a', params: {}, cache_s: 0 }), { version: 1 })
  t.like(await client.ok(client.send('PUT', '/saved/versions?dry=1', { sql: 'SELECT 2 AS a' })), { dry: 1, version: 2 })
  t.like(await save('versions', { sql: 'SELECT 2 AS a' }), { version: 2 })
  t.deepEqual((await client.ok(rows('versions/rows'))).rows, [{ a: 2 }])
  t.deepEqual((await client.ok(rows('versions/rows?version=1'))).rows, [{ a: 1 }])
  t.is((await rows('versions/rows?version=3')).status, 404)
  const told = await client.ok(client.get('/saved/versions'))
  t.deepEqual(
    told.versions.map(({ version }: { version: number }) => version),
    [2, 1],
  )
  t.is((await client.ok(client.get('/saved/versions?version=1'))).sql, 'SELECT 1 AS a')
  t.like(await client.ok(client.send('DELETE', '/saved/versions?dry=1')), { dry: 1 })
  await client.ok(client.send('DELETE', '/saved/versions'))
  t.is((await rows('versions/rows')).status, 404)
  t.is((await client.send('DELETE', '/saved/versions')).status, 404)
  t.like(await save('versions', { sql: 'SELECT 1 AS a' }), { version: 4 })
  t.is((await rows('versions/rows?version=1')).status, 404, 'a deletion takes all versions')
})

test('what is shown of a question can be saved as it is, and changes nothing', async (t) => {
  const { sql, language, cache_s, params } = await client.ok(client.get('/saved/by_country'))
  t.deepEqual(params.country, byCountry.params.country)
  t.like(await save('by_country', { sql, language, cache_s, params }), { version: 1 })
})

test('a question in the other language has its parameters as well', async (t) => {
  await save('old', {
    language: 'weir',
    sql: 'select * from shop.orders where country = {c:String} and price > {p:Float64}',
    params: { c: { type: 'text' }, p: { type: 'number', default: 0 } },
  })
  t.deepEqual(
    (await client.ok(rows('old/rows?c=FR'))).rows.map(({ price }: { price: number }) => price),
    [9],
  )
  for (const c of ['" or price > 0 or country = "', '\\', 'a"b', '\n'])
    t.deepEqual((await client.ok(rows('old/rows', { c }))).rows, [], JSON.stringify(c))
  t.regex((await rows('old/rows?c=FR&format=CSV')).body.error[0], /JSON or JSONEachRow/)
  await save('mean', { language: 'weir', sql: 'select aggr(price) from shop.orders rollup 1' })
  t.like((await client.ok(rows('mean/rows'))).rows[0].value, { cnt: 4, sum: 16.5 })
})

for (const name of ['all', 'old_all', 'union', 'combined']) {
  test(`${name}: pages of each size go on behind each other, and hold each row once`, async (t) => {
    const sql = 'SELECT price, n FROM shop.orders'
    const questions: Record<string, unknown> = {
      all: { sql: `${sql} ORDER BY price DESC` },
      union: { sql: `SELECT * FROM (${sql} WHERE price < 3 UNION ALL ${sql} WHERE price > 3) ORDER BY price` },
      combined: { sql: 'SELECT number AS n FROM numbers(2) UNION ALL SELECT number + 2 FROM numbers(2);' },
      old_all: { language: 'weir', sql: 'select * from shop.orders' },
    }
    await save(name, questions[name])
    const whole = (await client.ok(rows(`${name}/rows`))).rows
    t.is(whole.length, 4)
    for (const limit of [1, 2, 3, 4, 5]) {
      const found: unknown[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const at = cursor === '' ? '' : `&cursor=${cursor}`
        const page = await client.ok(rows(`${name}/rows?limit=${limit}${at}`))
        t.true(page.rows.length > 0 && page.rows.length <= limit)
        t.is(page.more_data_to_come, page.cursor === undefined ? 0 : 1)
        found.push(...page.rows)
        cursor = page.cursor
      }
      t.deepEqual(found, whole, `limit ${limit}`)
    }
  })
}

for (const [own, text, most] of [
  ['own', 'select * from shop.orders limit 3', 3],
  ['own_more', 'select * from shop.orders limit 9', 9],
  ['own_intervals', 'select aggr(price) from shop.orders limit 3', 3],
] as const) {
  test.serial(
    `${text}: the smaller one holds of its limit and that of a request, and the pages have all rows`,
    async (t) => {
      await save(own, { language: 'weir', sql: text })
      const pages = async (more: string) => {
        const found: unknown[] = []
        const lengths: number[] = []
        for (let cursor: string | undefined = ''; cursor !== undefined && lengths.length < 20; ) {
          const page = await client.ok(rows(`${own}/rows?${more}${cursor === '' ? '' : `&cursor=${cursor}`}`))
          t.is(page.more_data_to_come, page.cursor === undefined ? 0 : 1)
          lengths.push(page.rows.length)
          found.push(...page.rows)
          cursor = page.cursor
        }
        return { found, lengths }
      }
      const { found: all } = await pages('')
      for (const limit of [1, 2, 3, 5]) {
        const { found, lengths } = await pages(`limit=${limit}`)
        const length = Math.min(limit, most)
        t.true(lengths.slice(0, -1).every((each) => each === length) && Number(lengths.at(-1)) <= length, `${lengths}`)
        // Intervals go on with the clock.
        if (own !== 'own_intervals') t.deepEqual(found, all, `limit ${limit}`)
      }
    },
  )
}

test('a cursor is of its question, its version and its values', async (t) => {
  await save('paged', { sql: 'SELECT number AS n FROM numbers({most:UInt64})' })
  await save('other', { sql: 'SELECT number AS n FROM numbers({most:UInt64})' })
  const { cursor } = await client.ok(rows('paged/rows?most=5&limit=2'))
  t.deepEqual((await client.ok(rows(`paged/rows?most=5&limit=1&cursor=${cursor}`))).rows, [{ n: 2 }])
  for (const path of ['other/rows?most=5', 'paged/rows?most=6'])
    t.regex((await rows(`${path}&limit=2&cursor=${cursor}`)).body.error[0], /^cursor: it is of another query/)
})

test('rows come in each format', async (t) => {
  await save('formats', { sql: "SELECT * FROM (SELECT 1 AS a, 'x,\"y' AS b UNION ALL SELECT 2, 'z') ORDER BY a" })
  const lines = await rows('formats/rows?format=JSONEachRow')
  t.is(lines.text, '{"a":1,"b":"x,\\"y"}\n{"a":2,"b":"z"}\n')
  t.is(lines.headers.get('content-type'), 'application/x-ndjson')
  const csv = await rows('formats/rows?format=csv')
  t.is(csv.text, '"a","b"\n1,"x,""y"\n2,"z"\n')
  t.regex((await rows('formats/rows?format=Parquet')).text, /^PAR1/)
  t.regex((await rows('formats/rows?format=Arrow')).text, /^ARROW1/)
})

test('a page of another origin may read the headers of an answer: its cursor, its version, and how old it is', async (t) => {
  await save('headed', { sql: 'SELECT number AS n FROM numbers(3)', cache_s: 60 })
  const ask = () => client.send('GET', '/saved/headed/rows?format=CSV&limit=2', undefined, { origin })
  await ask()
  const { headers } = await ask()
  const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? []
  for (const name of ['X-Weir-Cursor', 'X-Weir-Version', 'Age', 'ETag'])
    t.true(headers.has(name) && exposed.includes(name), name)
})

test('an answer has an ETag by which it is not sent again, and says how old it may be', async (t) => {
  await save('tagged', { sql: 'SELECT count() AS n FROM shop.orders WHERE country = {c:String}', cache_s: 60 })
  const first = await rows('tagged/rows?c=none')
  const tag = first.headers.get('etag') ?? ''
  t.regex(tag, /^"[\w-]{27}"$/)
  t.is(first.headers.get('cache-control'), 'public, max-age=60')
  const again = await client.send('GET', '/saved/tagged/rows?c=none', undefined, { 'if-none-match': tag })
  t.deepEqual([again.status, again.text], [304, ''])
  t.is((await rows('by_country/rows?country=DE')).headers.get('cache-control'), 'no-cache')
})

test('an answer may be as old as the question says, and no older; one without cache_s has every event before it', async (t) => {
  const sql = "SELECT count() AS n FROM shop.aged WHERE country = 'XX'"
  await save('now', { sql })
  await save('then', { sql, cache_s: 60 })
  await save('soon', { sql, cache_s: 1 })
  const count = async (name: string) => (await client.ok(rows(`${name}/rows`))).rows[0].n
  t.deepEqual([await count('now'), await count('then'), await count('soon')], [0, 0, 0])
  await client.ok(client.post('/stream/shop/aged', { price: 1, country: 'XX' }))
  t.deepEqual([await count('now'), await count('then')], [1, 0])
  await until('the answer to be too old', async () => (await count('soon')) === 1, 10_000)
})

test('what is asked at once is asked once, and each answer has the events before it', async (t) => {
  const sql = 'SELECT count() AS n, {a:String} AS a, generateUUIDv4() AS id FROM shop.shared'
  await save('once', { sql })
  const answers = await Promise.all(Array.from({ length: 200 }, () => client.ok(rows('once/rows?a=x'))))
  const ids = new Set(answers.map((answer) => answer.rows[0].id))
  t.true(ids.size <= 20, `${ids.size} questions for 200 requests`)
  const other = await client.ok(rows('once/rows?a=y'))
  t.false(ids.has(other.rows[0].id))
  let before = answers[0].rows[0].n
  for (let round = 0; round < 10; round++) {
    const asked = Array.from({ length: 5 }, () => client.ok(rows('once/rows?a=x')))
    await client.ok(client.post('/stream/shop/shared', { price: 1, country: 'YY' }))
    t.is((await client.ok(rows('once/rows?a=x'))).rows[0].n, ++before)
    await Promise.all(asked)
  }
})

test('a followed question comes again when its answer has changed, and ends when it is deleted', async (t) => {
  await save('followed', { sql: 'SELECT count() AS n FROM shop.followed WHERE country = {c:String}' })
  const stream = await openEventStream(url, '/saved/followed/live?c=LL')
  await until('the first answer', () => stream.blocks.some(({ event }) => event === 'answer'))
  await client.ok(client.post('/stream/shop/followed', { price: 1, country: 'LL' }))
  const answers = () =>
    stream.blocks.filter(({ event }) => event === 'answer').map(({ data }) => JSON.parse(data ?? '').rows[0].n)
  await until('another answer', () => answers().length === 2, 20_000)
  t.deepEqual(answers(), [0, 1])
  await client.ok(client.send('DELETE', '/saved/followed'))
  await until('the end', () => stream.blocks.some(({ event }) => event === 'error'), 20_000)
  t.regex(stream.blocks.at(-1)?.data ?? '', /there is no saved question/)
  t.is((await client.get('/saved/by_country/live')).status, 400)
  for (const wish of ['format=CSV', 'format=JSONEachRow', 'limit=1'])
    t.regex((await client.get(`/saved/by_country/live?country=DE&${wish}`)).body.error[0], /^format, limit, cursor: /)
})

test('each question is in the document of all calls, and has one of its own', async (t) => {
  const all = await client.ok(client.get('/openapi.json'))
  const own = await client.ok(client.get('/saved/by_country/openapi.json'))
  t.deepEqual(all.paths['/saved/by_country/rows'], own.paths['/saved/by_country/rows'])
  const { parameters } = own.paths['/saved/by_country/rows'].get
  t.deepEqual(parameters[0], {
    name: 'country',
    in: 'query',
    required: true,
    schema: { type: 'string', enum: ['DE', 'FR', "it's"] },
  })
  t.is(parameters[1].required, false)
})

test('an agent has a tool of its name, with its parameters, and can save others', async (t) => {
  const call = async (method: string, params: unknown) =>
    (await client.ok(client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params }))).result
  const { tools } = await call('tools/list', {})
  const tool = tools.find(({ name }: { name: string }) => name === 'by_country')
  t.deepEqual(tool.inputSchema.required, ['country'])
  t.deepEqual(Object.keys(tool.inputSchema.properties), ['country', 'least', 'limit', 'cursor'])
  const told = await call('tools/call', { name: 'by_country', arguments: { country: 'FR' } })
  t.deepEqual(JSON.parse(told.content[0].text).rows, [{ country: 'FR', n: 1 }])
  const refused = await call('tools/call', { name: 'by_country', arguments: { country: 'IT' } })
  t.true(refused.isError)
  t.regex(refused.content[0].text, /country must be one of/)
  const saved = await call('tools/call', {
    name: 'save_question',
    arguments: { name: 'by_agent', sql: 'SELECT {n:Int64} AS n' },
  })
  t.false(saved.isError, JSON.stringify(saved))
  const asked = await call('tools/call', { name: 'by_agent', arguments: { n: 5 } })
  t.deepEqual(JSON.parse(asked.content[0].text).rows, [{ n: 5 }])
  const many = await call('tools/call', { name: 'paged', arguments: { most: 250 } })
  t.is(JSON.parse(many.content[0].text).rows.length, 100)
  t.regex(many.content[1].text, /^rows remain: call again/)
  await save('of_weir', { language: 'weir', sql: 'select * from shop.orders limit 3' })
  const one = await call('tools/call', { name: 'of_weir', arguments: { limit: 1 } })
  t.is(JSON.parse(one.content[0].text).rows.length, 1)
  t.regex(one.content[1].text, /^rows remain: call again/)
})

for (const [format, limit, pages] of [
  // The second page is full, and the last.
  ['CSV', 100_000, 3],
  ['Parquet', 90_000, 3],
] as const)
  test.serial(`pages of ${limit} rows of ${format} go on by a header, though a page has over 8 MB`, async (t) => {
    // Bytes that no format packs.
    const wide = format === 'CSV' ? "repeat('x', 100)" : 'concat(SHA512(toString(number)), SHA512(toString(-number)))'
    const name = `pages_${format}_${limit}`
    await save(name, { sql: `SELECT number AS n, ${wide} AS x FROM numbers(200000) ORDER BY n` })
    const bodies: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at = cursor === '' ? '' : `&cursor=${cursor}`
      const { status, headers, text } = await rows(`${name}/rows?format=${format}&limit=${limit}${at}`)
      t.is(status, 200)
      bodies.push(text)
      cursor = headers.get('x-weir-cursor')
    }
    t.is(bodies.length, pages)
    if (format === 'CSV') {
      t.true(Buffer.byteLength(bodies[0] ?? '') > 8 * 1024 * 1024)
      const numbers = bodies.flatMap((body) =>
        body
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => Number(line.split(',')[0])),
      )
      t.deepEqual([numbers.length, numbers.every((number, place) => number === place)], [200_000, true])
    }
  })

test('a long answer comes as a stream, whole, to each who asks at once', async (t) => {
  await save('long', { sql: "SELECT number AS n, repeat('x', 100) AS x FROM numbers(200000)" })
  const answers = await Promise.all([1, 2, 3].map(() => rows('long/rows?format=JSONEachRow')))
  for (const { status, text } of answers) {
    t.is(status, 200)
    t.is(text.split('\n').length, 200_001)
  }
  const { num_items, rows: found } = await client.ok(rows('long/rows'))
  t.deepEqual([num_items, found.length, found.at(-1).n], [200_000, 200_000, 199_999])
})
