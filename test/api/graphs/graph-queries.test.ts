import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const attribute = (name: string, type: number, more: object = {}) => ({ name, type, ...more })

const shop = {
  schema: 'shop',
  streams: [
    {
      name: 'visitor',
      type: 1,
      inpt: [],
      attr: [
        attribute('vid', 5),
        attribute('prod', 5),
        attribute('catid', 9),
        attribute('price', 11),
        attribute('vip', 12),
      ],
      rels: [
        { sub: 'vid', obj: 'prod', rel: 'VIEWS', rel_props: ['price'] },
        { sub: 'prod', obj: 'catid', rel: 'IN', sub_props: ['price'] },
      ],
      fltr: [
        {
          name: 'dear',
          fqry: { name: '{"query":[{"key":"price","cmp_op":0,"val":100}],"qtype":1}', type: 1 },
          fatr: ['vid', 'prod', 'price'],
          ostm: 'dear_views',
        },
      ],
    },
    {
      name: 'dear_views',
      type: 2,
      inpt: ['visitor'],
      attr: [attribute('vid', 5), attribute('prod', 5), attribute('price', 11)],
      rels: [{ sub: 'vid', obj: 'prod', rel: 'WANTS', sub_label: 'Person' }],
    },
    { name: 'order', type: 1, inpt: [], attr: [attribute('vid', 5), attribute('n', 9)] },
  ],
}

const at = (schema: string, stream = 'visitor') => `/stream/${schema}/${stream}/graph/query`
const ask = (text: string, path = at('shop')) => client.ok(client.post(path, text))
/** `sub pred obj` of each triple. */
const triples = async (text: string, path?: string): Promise<string[]> => {
  const { triple, num_items } = await ask(text, path)
  if (num_items !== triple.length) throw new Error(`num_items is ${num_items}, and there are ${triple.length}`)
  return triple.map(({ sub, pred, obj }: Record<string, string>) => `${sub} ${pred} ${obj}`)
}

test.before(async () => {
  await client.register(shop)
  await client.lines('shop.visitor', [
    { vid: 'v1', prod: 'p1', catid: 7, price: 5 },
    { vid: 'v1', prod: 'p2', catid: 7, price: 500 },
    { vid: 'v2', prod: 'p1', catid: 8, price: 5 },
    { vid: 'v1', prod: 'p1', catid: 7, price: 6 },
    { vid: 'v3', price: 1 },
    { prod: 'p9', price: 1 },
    { vid: null, prod: 'p9', catid: null },
  ])
})

test('the triples of a subject, as often as they were written', async (t) => {
  t.deepEqual(await ask('s=>(vid:v1)-[VIEWS]->(prod:*)'), {
    triple: [
      { sub: 'vid:v1', pred: 'VIEWS', obj: 'prod:p1' },
      { sub: 'vid:v1', pred: 'VIEWS', obj: 'prod:p1' },
      { sub: 'vid:v1', pred: 'VIEWS', obj: 'prod:p2' },
    ],
    num_items: 3,
  })
})

test('* in every position', async (t) => {
  const views = ['vid:v1 VIEWS prod:p1', 'vid:v1 VIEWS prod:p1', 'vid:v1 VIEWS prod:p2', 'vid:v2 VIEWS prod:p1']
  const ins = ['prod:p1 IN catid:7', 'prod:p1 IN catid:7', 'prod:p1 IN catid:8', 'prod:p2 IN catid:7']
  const wants = ['Person:v1 WANTS prod:p2']
  t.deepEqual(await triples('s=>(*)-[*]->(*)'), [...wants, ...ins, ...views])
  t.deepEqual(await triples('s=>(*:*)-[*]->(*:*)'), [...wants, ...ins, ...views])
  t.deepEqual(await triples('s=>(vid:*)-[*]->(*)'), views)
  t.deepEqual(await triples('s=>(*)-[IN]->(*)'), ins)
  t.deepEqual(await triples('s=>(*:v1)-[*]->(*)'), [...wants, ...views.slice(0, 3)])
  t.deepEqual(await triples('s=>(*)-[*]->(prod:*)'), [...views.slice(0, 2), views[3], views[2], ...wants])
  t.deepEqual(await triples('s=>(vid:v1)-[*]->(prod:p2)'), ['vid:v1 VIEWS prod:p2'])
})

test('against the arrow', async (t) => {
  const of = ['vid:v1 VIEWS prod:p1', 'vid:v1 VIEWS prod:p1', 'vid:v2 VIEWS prod:p1']
  t.deepEqual(await triples('s=>(prod:p1)<-[VIEWS]-(vid:*)'), of)
  t.deepEqual(await triples('s=>(*)-[VIEWS]->(prod:p1)'), of)
})

test('a number is a name, as subject and as object', async (t) => {
  t.deepEqual(await triples('s=>(catid:7)<-[IN]-(*)'), [
    'prod:p1 IN catid:7',
    'prod:p1 IN catid:7',
    'prod:p2 IN catid:7',
  ])
  await client.register({
    schema: 'numbers',
    streams: [
      {
        name: 's',
        type: 1,
        inpt: [],
        attr: [attribute('long', 9), attribute('double', 11), attribute('bool', 12)],
        rels: [
          { sub: 'long', obj: 'double', rel: 'HAS' },
          { sub: 'double', obj: 'bool', rel: 'IS' },
        ],
      },
    ],
  })
  await client.event('numbers.s', { long: 9223372036854775807n, double: 1.5, bool: true })
  await client.event('numbers.s', { long: -1, double: -0.25, bool: false })
  t.deepEqual(await triples('s=>(long:9223372036854775807)-[*]->(*)', at('numbers', 's')), [
    'long:9223372036854775807 HAS double:1.5',
  ])
  t.deepEqual(await triples('s=>(*)-[IS]->(*)', at('numbers', 's')), [
    'double:-0.25 IS bool:false',
    'double:1.5 IS bool:true',
  ])
})

test('names with any character in them are kept apart and found', async (t) => {
  const attr = [attribute('a', 5), attribute('b', 5)]
  const rels = [{ sub: 'a', obj: 'b', rel: 'R' }]
  await client.register({ schema: 'text', streams: [{ name: 's', type: 1, inpt: [], attr, rels }] })
  const names = [
    '10:30',
    '10',
    '',
    '*',
    ':',
    'Tom "T" O\'Brien',
    'a/b\\c',
    'Zoë 山田 😀',
    'tab\tline\nend',
    "'; DROP TABLE x",
    'x$%',
    'xyz',
  ]
  await client.lines(
    'text.s',
    names.map((name, index) => ({ a: name, b: `${index}` })),
  )
  for (const [index, name] of names.entries()) {
    const written = JSON.stringify(name).replace(/\$%"$/, '$\\u0025"')
    t.deepEqual(
      await ask(`s=>(a:${written})-[R]->(*)`, at('text', 's')),
      { triple: [{ sub: `a:${name}`, pred: 'R', obj: `b:${index}` }], num_items: 1 },
      written,
    )
  }
  t.deepEqual(await triples('s=>(a:"x$%")-[R]->(*)', at('text', 's')), ['a:x$% R b:10', 'a:xyz R b:11'])
  t.deepEqual(await triples('s=>(a:10$%)-[R]->(*)', at('text', 's')), ['a:10 R b:1', 'a:10:30 R b:0'])
  t.deepEqual(await triples('s=>(*)-[R]->(b:"1$%")', at('text', 's')), ['a:10 R b:1', 'a:x$% R b:10', 'a:xyz R b:11'])
})

test('the events of a filter stream give triples of their own, which any stream of the schema answers', async (t) => {
  t.deepEqual(await triples('s=>(Person:*)-[WANTS]->(*)'), ['Person:v1 WANTS prod:p2'])
  t.deepEqual(await triples('s=>(Person:*)-[WANTS]->(*)', at('shop', 'order')), ['Person:v1 WANTS prod:p2'])
  t.deepEqual(await triples('s=>(Person:*)-[WANTS]->(*)', at('shop', 'dear_views')), ['Person:v1 WANTS prod:p2'])
})

test('a query sees every event that was acknowledged before it, unless it does without', async (t) => {
  const attr = [attribute('a', 5), attribute('b', 5)]
  const rels = [{ sub: 'a', obj: 'b', rel: 'R' }]
  await client.register({ schema: 'fresh', streams: [{ name: 's', type: 1, inpt: [], attr, rels }] })
  for (let i = 1; i <= 20; i++) {
    await client.event('fresh.s', { a: 'x', b: `${i}` })
    t.is((await triples('s=>(a:x)-[R]->(*)', at('fresh', 's'))).length, i)
  }
  t.is((await client.post(`${at('fresh', 's')}?consistency=eventual`, 's=>(*)-[R]->(*)')).status, 200)
})

test('the content type of a query is ignored', async (t) => {
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'application/x-ndjson']) {
    const { status, body } = await client.post(at('shop'), 's=>(vid:v2)-[VIEWS]->(prod:*)', { 'content-type': type })
    t.deepEqual([status, body.num_items], [200, 1], type)
  }
})

test('a query may stand in an object, as clients send it that were generated for bodies of JSON', async (t) => {
  const query = 's=>(vid:v2)-[VIEWS]->(prod:*)'
  const { status, body } = await client.post(at('shop'), JSON.stringify({ query }))
  t.deepEqual([status, body.num_items], [200, 1])
  for (const wrong of ['{"query":1}', '{"query":"s=>(*)","levk":"x"}', '{}']) {
    const refused = await client.post(at('shop'), wrong)
    t.is(refused.status, 400, wrong)
    t.regex(String(refused.body.error), /send the text of a query, or \{"query"/, wrong)
  }
  const broken = await client.post(at('shop'), ' {"query"')
  t.deepEqual([broken.status, /the body is no JSON/.test(String(broken.body.error))], [400, true])
})

test('a schema without relations answers an empty result', async (t) => {
  const stream = { name: 's', type: 1, inpt: [], attr: [attribute('a', 5)] }
  await client.register({ schema: 'plain', streams: [stream] })
  t.deepEqual(await ask('s=>(*)-[*]->(*)', at('plain', 's')), { triple: [], num_items: 0 })
})

test('what matches nothing is an empty result', async (t) => {
  t.deepEqual(await ask('s=>(vid:nobody)-[VIEWS]->(prod:*)'), { triple: [], num_items: 0 })
})

test('a label or a relation that the graph has not is told beside the empty result', async (t) => {
  const empty = { triple: [], num_items: 0, errcode: 0 }
  const noLabel = 'no node of the graph shop_graph has the label VID; did you mean vid?'
  t.deepEqual(await ask('s=>(VID:v1)-[VIEWS]->(prod:*)'), { ...empty, error: [noLabel] })
  const noRelation = 'no relation of the graph shop_graph is called views; did you mean VIEWS?'
  t.deepEqual(await ask('s=>(vid:v1)-[views]->(prod:*)'), { ...empty, error: [noRelation] })
})

test('a query that cannot be read is refused with its place, in error and msg', async (t) => {
  const { status, body } = await client.post(at('shop'), 's=>(vid:v1)-[VIEWS]->')
  const message = body.msg
  t.regex(message, /^line 1, column 22: .*\ns=>\(vid:v1\)-\[VIEWS\]->\n {21}\^$/)
  t.deepEqual([status, body], [400, { errcode: -1, error: [message], msg: message }])
  for (const text of ['', 's=>((vid:v1)-[VIEWS]->(prod:*)', '{"sql":"s=>(*)-[*]->(*)"}']) {
    t.is((await client.post(at('shop'), text)).status, 400, text)
  }
  t.is((await client.send('POST', at('shop'), new Uint8Array([0xff, 0xfe]))).status, 400)
})

test('a query too long for ClickHouse to read is refused at the part that is too much', async (t) => {
  const many = (count: number, part: (index: number) => string, between: string) =>
    Array.from({ length: count }, (_, index) => part(index)).join(between)
  for (const [text, told] of [
    [`s=>(@v vid:* {${many(201, (n) => `price != ${n}`, ' AND ')}}); RETURN v.name`, /at most 200 conditions/],
    [`s=>(@v vid:*); RETURN v.name WHERE ${many(201, (n) => `name = v${n}`, ' OR ')}`, /at most 200 conditions/],
    [`s=>(@v vid:*); RETURN ${many(101, (n) => `v.name AS c${n}`, ', ')}`, /at most 100 columns/],
    [`s=>(@v vid:* {${many(101, () => '$price', '+')} > 5})`, /at most 100 operands/],
    [`s=>(@v vid:* {${'MAX($price,'.repeat(60)}1${')'.repeat(60)} > 5})`, /at most 100 operands/],
    [`s=>(@v vid:*); RETURN v.price AS p, MATH_EXP("${many(101, () => '$p', '+')}") AS c`, /at most 100 operands/],
  ] as const) {
    const { status, body } = await client.post(at('shop'), text)
    t.deepEqual([status, body.errcode], [400, -1], text.slice(0, 60))
    t.regex(body.error[0], told)
    t.regex(body.error[0], /^line 1, column \d+: .*\n.*\n *\^$/)
  }
  await client.ok(client.post('/graph/bounds/node', { label: 'A', name: 'x', prop: {} }))
  const nested = `s=>(@a A:* {${'MAX(1,'.repeat(30)}1${')'.repeat(30)} = 1}); RETURN a.name`
  t.is((await ask(nested, '/graph/bounds/query')).num_items, 1)
})

test('a number that lies beyond every date has none', async (t) => {
  await client.ok(client.post('/graph/dates/node', { label: 'A', name: 'x', prop: {} }))
  const missing = ['YEAR(1e300)', 'MONTH(-1e300)', 'DAY(1e300)', 'DAY(-1e19)', 'YEAR(1e19)'].map(
    (part) => `DATE_${part} ~ NA`,
  )
  const filter = [...missing, 'DATE_DAY(CURTIME) !~ NA'].join(' AND ')
  t.is((await ask(`s=>(@a A:* {${filter}}); RETURN a.name`, '/graph/dates/query')).num_items, 1)
})

test('a schema or a stream that is not there, and another method', async (t) => {
  t.is((await client.post(at('nowhere'), 's=>(*)-[*]->(*)')).status, 404)
  t.is((await client.post(at('shop', 'nothing'), 's=>(*)-[*]->(*)')).status, 404)
  const { status, headers } = await client.get(at('shop'))
  t.deepEqual([status, headers.get('allow')], [405, 'POST'])
})

test('a graph goes with its schema', async (t) => {
  const attr = [attribute('a', 5), attribute('b', 5)]
  const short = {
    schema: 'short',
    streams: [{ name: 's', type: 1, inpt: [], attr, rels: [{ sub: 'a', obj: 'b', rel: 'R' }] }],
  }
  await client.register(short)
  await client.event('short.s', { a: 'x', b: 'y' })
  t.is((await triples('s=>(*)-[*]->(*)', at('short', 's'))).length, 1)
  await client.ok(client.send('DELETE', '/stream/short'))
  t.is((await client.post(at('short', 's'), 's=>(*)-[*]->(*)')).status, 404)
  await client.register(short)
  t.deepEqual(await triples('s=>(*)-[*]->(*)', at('short', 's')), [])
})

test('a relation that comes later is filled from the events that are there, beside one of the same name', async (t) => {
  const attr = ['a', 'b', 'c'].map((name) => attribute(name, 5))
  const labels = { rel: 'R', sub_label: 'X', obj_label: 'Y' }
  const first = { sub: 'a', obj: 'b', ...labels, sub_props: ['c'] }
  const second = { sub: 'b', obj: 'c', ...labels, obj_props: ['a'], obj_updt: 1 }
  const schema = (...rels: object[]) => ({
    schema: 'later',
    streams: [{ name: 's', type: 1, inpt: [], attr, ...(rels.length > 0 && { rels }) }],
  })
  const replace = (...rels: object[]) => client.ok(client.send('PUT', '/stream', schema(...rels)))
  await client.register(schema())
  await client.event('later.s', { a: 'a1', b: 'b1', c: 'c1' })
  t.deepEqual(await triples('s=>(*)-[*]->(*)', at('later', 's')), [])
  await replace(first)
  t.deepEqual(await triples('s=>(*)-[*]->(*)', at('later', 's')), ['X:a1 R Y:b1'])
  await client.event('later.s', { a: 'a2', b: 'b1', c: 'c2' })
  await replace(first, second)
  const all = ['X:a1 R Y:b1', 'X:a2 R Y:b1', 'X:b1 R Y:c1', 'X:b1 R Y:c2']
  t.deepEqual(await triples('s=>(*)-[*]->(*)', at('later', 's')), all)
  await replace()
  t.deepEqual(await triples('s=>(*)-[*]->(*)', at('later', 's')), all)
})
