/** Definitions in words, sentence by sentence of docs/words.md. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { parse } from 'yaml'
import { startService } from '../../support/service.ts'

const service = await startService()
const { client, url } = service
test.after.always(() => service.close())

const send = async (
  method: string,
  path: string,
  body: string,
  type = 'application/yaml',
  headers: Record<string, string> = {},
) => {
  const answer = await fetch(`${url}${path}`, { method, body, headers: { 'content-type': type, ...headers } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const get = async (path: string, accept?: string) => {
  const answer = await fetch(`${url}${path}`, { headers: accept === undefined ? {} : { accept } })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}
const events = async (stream: string) =>
  (await client.ok(client.query(`select * from ${stream}`))).rows.map(({ v }: { v: string }) => JSON.parse(v))
const words = async (schema: string) => JSON.parse((await get(`/stream/${schema}/schema?as=words`)).text)

const shop = `schema: shop
streams:
  orders:
    keep: 90d
    strict: true
    attributes:
      customer: text
      country: { type: text, stats: [count] }
      price: { type: number, stats: [summary, p50, p95], every: 1m, min: 0, required: true }
      paid: { type: text, values: [cash, card] }
      item: { type: json, fields: { sku: text, pieces: integer } }
    compute:
      cents: { type: integer, is: "round(price * 100)" }
      risk: { type: number, predict: fraud, from: [price, country], probability_of: "fraud" }
    lookups:
      home: { from: "table depot.customers", where: "_pk = this.customer", take: { country: home } }
      spent: { from: customers, where: "customer = this.customer", take: { spent.sum: spent_before } }
    groups:
      - { by: [country, paid], of: price, stats: [summary, p95], every: 5m }
    filters:
      dear: { where: "price > 100 and country = 'DE'", take: [customer, price], into: dear_orders, notify: 7 }
      above: { where: "price > 1.1 * avg(orders.price, 5m)", into: unusual_orders }
    graph:
      - { from: customer, relation: BOUGHT, to: item.sku, with: [price] }
  payments: { attributes: { order: integer, amount: number } }
entities:
  customers: { of: orders, by: customer, values: { spent: { of: price, stats: [summary] } } }
joins:
  paid: { first: orders, then: payments, where: "first._pk = then.order", match: once, within: 1h, into: paid_orders,
          take: { first: [customer, price], then: [amount] } }
patterns:
  rising: { in: orders, where: "price > 10", each: "this.customer = before.customer and this.price > before.price", times: 3, during: 10m,
            between: anything, into: sprees, notify: 8 }
`

test.before('the example of the page registers, as YAML', async (t) => {
  await client.ok(client.post('/db/depot/table', { table_name: 'customers', table_type: 1, key_type: 1 }))
  const { status, body } = await send('POST', '/stream', shop)
  t.is(status, 200, JSON.stringify(body))
  t.deepEqual(
    (body.error as string[]).filter((note) => !/fraud|notification|keep/.test(note)),
    [],
  )
  t.true(
    (body.error as string[]).includes(
      'streams.orders.filters.dear.into (line 21, column 87) has no keep: stream dear_orders keeps events for 1d; keep: forever keeps them for ever',
    ),
    String(body.error),
  )
})

test.serial('a schema in words is made whole: streams that something goes into need no declaration', async (t) => {
  const { streams } = JSON.parse((await get('/stream/shop/info')).text)
  t.deepEqual(streams.map(({ name, type }: { name: string; type: number }) => `${name} ${type}`).toSorted(), [
    'customers 4',
    'dear_orders 2',
    'orders 1',
    'paid_orders 3',
    'payments 1',
    'sprees 3',
    'unusual_orders 2',
  ])
})

test.serial('events of a schema in words are taken, computed, filtered and summed as those of any other', async (t) => {
  await client.ok(
    client.post('/stream/shop/orders', {
      customer: 'ann',
      country: 'DE',
      price: 120.5,
      paid: 'card',
      item: { sku: 'a', pieces: 2 },
    }),
  )
  const rows = await events('shop.dear_orders')
  t.like(rows[0], { customer: 'ann', price: 120.5 })
  t.like((await events('shop.orders'))[0], { cents: 12050 })
  const refused = await send('POST', '/stream/shop/orders', '{"customer":"bob","price":-1}', 'application/json')
  t.is(refused.status, 400)
})

test.serial('it is shown in words, as JSON, and as YAML where the client asks for it', async (t) => {
  const sent = parse(shop)
  const shown = await words('shop')
  t.deepEqual(shown.streams.orders.filters, sent.streams.orders.filters)
  t.deepEqual(shown, { ...sent, patterns: shown.patterns, entities: shown.entities })
  const yaml = await get('/stream/shop/schema?as=words', 'application/yaml')
  t.regex(yaml.type ?? '', /^application\/yaml/)
  t.deepEqual(parse(yaml.text), shown)
  t.is((await send('POST', '/stream', yaml.text)).body.msg, 'schema shop is registered already')
})

test.serial('without as=words the wire form is shown, byte for byte as it was sent', async (t) => {
  const wire = '{ "schema": "bytes",\n "streams": [ {"name":"s","type":"1","attr":[{"name":"a","type":5}]} ] }'
  t.is((await send('POST', '/stream', wire, 'application/json')).status, 200)
  t.is((await get('/stream/bytes/schema')).text, wire)
  t.deepEqual(await words('bytes'), { schema: 'bytes', streams: { s: { attributes: { a: 'text' } } } })
  t.is((await get('/stream/bytes/schema?as=yaml')).status, 400)
})

test.serial('members that have no word are under extra, and stay', async (t) => {
  const wire = {
    schema: 'extras',
    cvar: [{}],
    color: 'red',
    streams: [{ name: 's', type: 1, attr: [{ name: 'a', type: 5, unit: 'm' }], owner: { team: 1 } }],
  }
  await client.register(wire)
  const shown = await words('extras')
  t.deepEqual(shown, {
    schema: 'extras',
    streams: { s: { attributes: { a: { type: 'text', extra: { unit: 'm' } } }, extra: { owner: { team: 1 } } } },
    extra: { cvar: [{}], color: 'red' },
  })
  const strict = await send('PUT', '/stream?strict=1', JSON.stringify(shown), 'application/json')
  t.is(strict.status, 400)
  t.regex(String(strict.body.error), /streams\.s\.attributes\.a\.extra\.unit \(line 1, column \d+\) is unknown/)
})

test.serial('a refusal names the place in words, with line and column of YAML', async (t) => {
  const { status, body } = await send(
    'POST',
    '/stream',
    'schema: bad\nstreams:\n  s:\n    attributes:\n      a: { type: text, stats: [summary] }\n    groups:\n      - { by: [b], of: a, stats: [count] }\n',
  )
  t.is(status, 400)
  t.deepEqual(body.error, [
    "streams.s.attributes.a.stats (line 5, column 31): summary takes integer or number and 'a' is text; count, distinct, last, first and top take any type",
    "streams.s.groups[0].by[0] (line 7, column 16): 'b' is no attribute of s; known are a",
  ])
})

test.serial('a fault of a join, which two streams have on the wire, is named once', async (t) => {
  const joined = (then: string, take: string) =>
    [
      'schema: bad',
      'streams:',
      '  a: { attributes: { k: text, v: number } }',
      '  b: { attributes: { k: text, w: number } }',
      `joins: { j: { first: a, then: b, where: "first.k = then.${then}", match: once, within: 1h, into: c, take: { first: [k], then: [${take}] } } }`,
      '',
    ].join('\n')
  const faults = async (text: string) => (await send('POST', '/stream', text)).body.error
  t.deepEqual(await faults(joined('lost', 'x')), [
    "joins.j.take.then[0] (line 5, column 125): 'x' is no attribute of b; known are k, w",
    "joins.j.where (line 5, column 41): 'lost' is no attribute of b; known are k, w",
  ])
  t.deepEqual(await faults(joined('w', 'w')), [
    "joins.j.where (line 5, column 41): 'k' is text and cannot be compared with 'w', which is number",
  ])
})

test.serial('a note and a refusal of a stream that is added name its place in words', async (t) => {
  await client.register({ schema: 'grown', streams: { first: { keep: 'forever', attributes: { a: 'text' } } } })
  const add = async (group: string) =>
    (
      await send(
        'PUT',
        '/stream/grown?dry=1',
        `schema: grown\nstreams:\n  more:\n    attributes: { a: text }\n    groups: [{ by: ${group}, of: a, stats: [count] }]\n`,
      )
    ).body.error
  t.deepEqual(await add('a'), [
    'streams.more (line 4, column 5) has no keep: stream more keeps events for 1d; keep: forever keeps them for ever',
  ])
  t.regex(
    String(await add('lost')),
    /^streams\.more\.groups\[0\]\.by\S* \(line 5, column \d+\): 'lost' is no attribute of more/,
  )
})

test.serial('a refusal of JSON has line and column, too', async (t) => {
  const { body } = await send(
    'POST',
    '/stream',
    '{"schema": "bad", "streams": {\n  "s": {"attributes": {"a": "txt"}}}}',
    'application/json',
  )
  t.deepEqual(body.error, ["streams.s.attributes.a (line 2, column 29): 'txt' is no type; did you mean text?"])
})

test.serial('a fault in a condition has its line and column within the text', async (t) => {
  const { body } = await send(
    'POST',
    '/stream',
    'schema: bad\nstreams:\n  s: { attributes: { a: number }, filters: { f: { where: "a > ", into: t } } }\n',
  )
  t.is(
    (body.error as string[])[0],
    'streams.s.filters.f.where (line 3, column 58): line 1, column 5: expected a value, an attribute, or a statistic such as avg(orders.price, 5m), got the end\na > \n    ^',
  )
})

for (const [what, text, reason] of [
  [
    'words in a list of streams',
    '{"schema":"m","streams":[{"name":"s","type":1,"attributes":{"a":"text"}}]}',
    /mixes two forms/,
  ],
  [
    'entities beside a list of streams',
    '{"schema":"m","streams":[{"name":"s","type":1}],"entities":{}}',
    /mixes two forms/,
  ],
  [
    'members of the wire in words',
    '{"schema":"m","streams":{"s":{"attr":[{"name":"a","type":5}]}}}',
    /streams\.s\.attr.*in words this is attributes/,
  ],
  [
    'a code of the wire in words',
    '{"schema":"m","streams":{"s":{"swsz":60}}}',
    /streams\.s\.swsz.*in words this is keep/,
  ],
] as const)
  test.serial(`a definition that mixes both forms is refused: ${what}`, async (t) => {
    const { status, body } = await send('POST', '/stream', text, 'application/json')
    t.is(status, 400)
    t.regex(String(body.error), reason)
    t.is((await get('/stream/m/schema')).status, 404)
  })

test.serial('a statistic that no one keeps, and a word that stands elsewhere, are refused by name', async (t) => {
  const { status, body } = await send(
    'POST',
    '/stream',
    `schema: m
streams:
  s: { attributes: { a: { type: number, stats: [summary, p950] } } }
entities:
  e: { of: s, by: a, session: 30m, values: { v: { of: a, stats: [count] } } }
`,
  )
  t.is(status, 400)
  t.regex(String(body.error), /streams\.s\.attributes\.a\.stats\[1\] \(line 3, column 58\): 'p950' is no statistic/)
  t.regex(
    String(body.error),
    /entities\.e\.session \(line 5, column 31\): belongs to a value of the entity: values: \{ spent/,
  )
})

test.serial('names that are words of the language are names', async (t) => {
  const text = `schema: streams
streams:
  attributes:
    attributes: { type: text, keep: { type: number, stats: [summary] }, extra: text, and: text, this: number }
    filters: { where: { where: "and = 'x' and type != extra or keep > avg(keep, 5m)", into: keep } }
entities:
  entities: { of: attributes, by: type, values: { values: { of: keep, stats: [count] } } }
`
  const { status, body } = await send('POST', '/stream', text)
  t.is(status, 200, JSON.stringify(body))
  t.deepEqual(await words('streams'), parse(text))
})

const start_us = 1_700_000_000_000_000

test.serial(
  'texts and conditions in expressions are computed, shown as they were sent, and checked for their types',
  async (t) => {
    const text = `schema: texts
streams:
  s:
    keep: forever
    attributes: { price: number, page: text, code: integer }
    compute:
      class: { type: text, is: "if(price > 100 and not page = '/free', 'dear', 'cheap')" }
      section: { type: text, is: "coalesce(split(page, '/', 2), 'none')" }
      label: { type: text, apply: concat, to: [page, "': '", price] }
      isDear: { type: boolean, is: price > 100 }
      bucket: { type: integer, is: hash(page) % 4 }
`
    const { status, body } = await send('POST', '/stream', text)
    t.is(status, 200, JSON.stringify(body))
    t.deepEqual(await words('texts'), parse(text))
    await client.lines('texts.s', [
      { _pk: start_us + 1, price: 120, page: '/shop/cart' },
      { _pk: start_us + 2, price: 120, page: '/free' },
      { _pk: start_us + 3, page: 'home' },
    ])
    const rows = (await client.documents('select * from texts.s')).map(({ _v, bucket, ...row }) => row)
    t.deepEqual(rows, [
      { _pk: start_us + 3, page: 'home', section: 'none' },
      {
        _pk: start_us + 2,
        price: 120,
        page: '/free',
        class: 'cheap',
        section: 'free',
        label: '/free: 120',
        isDear: true,
      },
      {
        _pk: start_us + 1,
        price: 120,
        page: '/shop/cart',
        class: 'dear',
        section: 'shop',
        label: '/shop/cart: 120',
        isDear: true,
      },
    ])
    const refused = await send(
      'POST',
      '/stream',
      `schema: wrong
streams:
  s:
    attributes: { price: number, page: text }
    compute:
      a: { type: number, is: "if(price > 100, 'dear', 'cheap')" }
      b: { type: text, is: "if(price > 'x', page, 2)" }
      c: { type: text, is: "if(price > 100, 'dear'" }
`,
    )
    t.is(refused.status, 400)
    const told = String(refused.body.error)
    t.regex(told, /compute\.a.*gives a text, and a is/)
    t.regex(told, /'>' takes values of one type: price is a number, and 'x' is a text/)
    t.regex(told, /IF takes values of one type: page is a text, and a part of it is a number/)
    t.regex(told, /expected '\)', got the end/)
  },
)

test.serial('a dry run is told in words', async (t) => {
  await send('POST', '/stream', 'schema: dry\nstreams:\n  s: { keep: 1d, attributes: { a: number, b: text } }\n')
  const { body } = await send(
    'PUT',
    '/stream?dry=1',
    'schema: dry\nstreams:\n  s: { keep: 90d, attributes: { a: { type: number, stats: [summary], every: 5m }, b: text, c: integer } , groups: [{ by: [b], of: a, stats: [count] }] }\n',
  )
  t.deepEqual(body.would_change, [{ what: 'keep', name: 's', from: '1d', to: '90d' }])
  t.deepEqual(body.would_add, [
    { what: 'attribute', name: 's.c', detail: 'integer' },
    { what: 'statistic', name: 's.a', detail: 'summary every 5m' },
    { what: 'group', name: 's.a by b', detail: 'count every 1m' },
  ])
})

test.serial(
  'a schema of the wire is edited in words, and an edit that would lose its type is refused in words',
  async (t) => {
    await client.register({
      schema: 'edited',
      streams: [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'a', type: 11, stat: 'RSTAT' }] }],
    })
    await client.ok(client.post('/stream/edited/s', { a: 2 }))
    const shown = await words('edited')
    shown.streams.s.attributes.b = 'text'
    t.is((await send('PUT', '/stream', JSON.stringify(shown), 'application/json')).status, 200)
    await client.ok(client.post('/stream/edited/s', { a: 3, b: 'x' }))
    t.is((await events('edited.s')).length, 2)
    shown.streams.s.attributes.a = 'text'
    const { status, body } = await send('PUT', '/stream', JSON.stringify(shown), 'application/json')
    t.is(status, 409)
    t.regex(String(body.error), /number.*text/)
  },
)

test.serial('PUT /stream/S adds streams in words, that may go into streams that are there', async (t) => {
  await send(
    'POST',
    '/stream',
    'schema: more\nstreams:\n  a: { attributes: { n: number }, filters: { f: { where: n > 1, into: big } } }\n',
  )
  const added = await send(
    'PUT',
    '/stream/more',
    'streams:\n  b: { attributes: { n: number }, filters: { g: { where: n > 2, into: big } } }\n',
  )
  t.is(added.status, 200, JSON.stringify(added.body))
  const wrong = await send(
    'PUT',
    '/stream/more',
    'streams:\n  c: { attributes: { n: number, n2: { type: text, min: 3 } } }\n',
  )
  t.regex(
    String(wrong.body.error),
    /^streams\.c\.attributes\.n2\.min \(line 2, column 56\): belongs to integer and number/,
  )
  t.deepEqual(Object.keys((await words('more')).streams), ['a', 'big', 'b'])
})

test.serial(
  'the JSON Schema of definitions takes what the service shows, and refuses what the service refuses',
  async (t) => {
    const schema = JSON.parse((await get('/definition.schema.json')).text)
    const check = new Ajv2020({ strict: false, allErrors: true }).compile(schema)
    for (const name of ['shop', 'bytes', 'extras', 'edited', 'more']) {
      t.true(check(await words(name)), `${name}: ${JSON.stringify(check.errors)}`)
    }
    t.false(check({ schema: 's', streams: { s: { atributes: {} } } }))
    t.false(check({ schema: 's', streams: { s: { attributes: { a: 'txt' } } } }))
    t.false(check({ schema: 's', streams: { s: { keep: '90 days' } } }))
  },
)

for (const [what, text, status, reason] of [
  ['anchors that explode', 'schema: h\nstreams: &a { s: &b [x] }\nc: [*a, *a]\n', 400, /line 2, column \d+: anchors/],
  ['a cycle', 'schema: h\nstreams: &a\n  s: *a\n', 400, /line \d+, column \d+: anchors/],
  ['a tag', 'schema: h\nstreams: !!omap { s: {} }\n', 400, /line 2, column \d+: /],
  ['a merge key', 'schema: h\nstreams:\n  s: { <<: {} }\n', 400, /line 3, column 8: merge keys/],
  ['a key twice', 'schema: h\nstreams:\n  s: {}\n  s: {}\n', 400, /line 4, column 3: "s" is there twice/],
  ['tabs', 'schema: h\nstreams:\n\ts: {}\n', 400, /line 3, column 1: a tab/],
  [
    'ten thousand years',
    'schema: h\nstreams:\n  s: { keep: 3652500d }\n',
    400,
    /keep \(line 3, column 14\): must be over 0s and/,
  ],
  [
    'a window of half a minute',
    'schema: h\nstreams:\n  s: { attributes: { k: text, v: number } }\nentities:\n  e: { of: s, by: k, values: { x: { of: v, windows: 30s } } }\n',
    400,
    /windows \(line 5, column \d+\): must be from 1m to 90d/,
  ],
  ['a list of streams', 'schema: h\nstreams:\n  - { name: s, type: 1 }\n', 400, /a definition in YAML is in words/],
  ['32 MB', `schema: h\nstreams:\n  s: {}\n${'# x\n'.repeat(8 * 1024 * 1024)}`, 413, /./],
] as const)
  test.serial(`hostile YAML is refused, and leaves nothing behind: ${what}`, async (t) => {
    const answer = await send('POST', '/stream', text)
    t.is(answer.status, status, JSON.stringify(answer.body))
    t.regex(String(answer.body.error), reason)
    t.is((await get('/stream/h/schema')).status, 404)
  })

test.serial('each member in the JSON Schema has a description', async (t) => {
  const { $defs } = JSON.parse((await get('/definition.schema.json')).text)
  for (const part of Object.values<Record<string, unknown>>($defs)) {
    t.is(typeof part.description, 'string')
    const { properties } = (part.properties ? part : (part.anyOf as Record<string, unknown>[])[1]) as {
      properties: Record<string, { description?: string }>
    }
    for (const [word, { description }] of Object.entries(properties)) t.truthy(description, word)
  }
})

for (const { title, body, type, message } of [
  {
    title: 'YAML whose line breaks are gone, as curl -d @file sends a file',
    body: 'schema: till  streams:    sales: { attributes: { shop: text } }',
    type: 'application/yaml',
    message:
      /^the definition is no YAML that is taken: all of it is one line; curl -d @file .* --data-binary @file keeps them$/,
  },
  {
    title: 'YAML that is sent as JSON',
    body: 'schema: till\nstreams:\n  sales: { attributes: { shop: text } }\n',
    type: 'application/json',
    message: /^the schema is no JSON: .*; YAML takes the header Content-Type: application\/yaml$/,
  },
  {
    title: 'YAML of two documents',
    body: 'schema: till\n---\nschema: shop\n',
    type: 'application/yaml',
    message: /line 2, column 1: one document is taken, without others behind ---$/,
  },
  {
    title: 'a fault of YAML in JSON of one line',
    body: '{"schema": "till", "streams": {"sales": }',
    type: 'application/json',
    message: /^the schema is no JSON: [^;]*$/,
  },
])
  test(`${title} is refused with what would be right`, async (t) => {
    const { status, body: answer } = await send('POST', '/stream', body, type)
    t.is(status, 400)
    const [reason = '', ...others] = answer.error as string[]
    t.regex(reason, message)
    t.deepEqual(others, [])
  })
