/** The JavaScript client beside a service: each noun is asked as its users ask it. */
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { connect, defineSchema, WeirError } from '../../../clients/node/src/index.ts'
import { startService } from '../../support/service.ts'

const { url, close } = await startService()
const weir = connect({ url, bigints: true })
test.after.always(close)

const shop = defineSchema({
  schema: 'shop',
  streams: {
    orders: {
      attributes: {
        customer: 'text',
        price: { type: 'number', stats: ['summary'], every: '1m', required: true },
        paid: { type: 'text', values: ['cash', 'card'] },
        pieces: 'integer',
      },
      compute: { cents: { type: 'number', is: 'price * 100' } },
      keep: '90d',
    },
  },
})

test.before(async () => {
  await weir.schemas.put(shop)
})

test('a definition is tried, registered, and changed by the same call', async (t) => {
  const form = { schema: 'again', streams: { a: { keep: 'forever', attributes: { x: 'number' } } } } as const
  const tried = await weir.schemas.put(form, { dry: true })
  t.is((tried as { dry?: number }).dry, 1)
  t.deepEqual(
    await weir.schemas
      .list()
      .all()
      .then((all) => all.some(({ name }) => name === 'again')),
    false,
  )
  await weir.schemas.put(form)
  await weir.schemas.put('schema: again\nstreams:\n  a: { keep: forever, attributes: { x: number, y: text } }\n')
  const { streams } = (await weir.schemas.get('again')) as { streams: { a: { attributes: object } } }
  t.deepEqual(Object.keys(streams.a.attributes), ['x', 'y'])
  await weir.schemas.remove('again')
})

test('an event is sent, counted once under its id, and refused in the words of the service', async (t) => {
  const orders = weir.of(shop).stream('orders')
  const [one, two] = [
    await orders.send({ price: 3, customer: 'once' }, { id: 'k1' }),
    await orders.send({ price: 3, customer: 'once' }, { id: 'k1' }),
  ]
  t.is(one._pk, two._pk)
  t.deepEqual(await weir.sql('SELECT count() AS n FROM shop.orders WHERE customer = {c:String}', { c: 'once' }).all(), [
    { n: 1 },
  ])
  // @ts-expect-error: a price is a number, which the types say as well.
  const refused = orders.send({ price: '3' })
  const error = await t.throwsAsync(refused, { instanceOf: WeirError })
  t.is(error.kind, 'refused')
  t.is(error.status, 400)
  t.regex(error.message, /^price: expected a number \(DOUBLE\), got the string "3"/)
})

test('many events come in their order; those that are refused are named by their place', async (t) => {
  const progress: number[] = []
  const events = Array.from({ length: 2_500 }, (_, n) => ({
    customer: 'many',
    price: n === 1_200 ? ('x' as never) : n,
  }))
  const sent = await weir
    .of(shop)
    .stream('orders')
    .sendMany(events, { maxBytes: 20_000, onProgress: ({ accepted }) => progress.push(accepted) })
  t.like(sent, { accepted: 2_499, rejected: 1, repeated: 0 })
  t.deepEqual(
    sent.refused.map(({ index }) => index),
    [1_200],
  )
  t.is(sent.refused[0]?.event, events[1_200])
  t.true(sent.batches > 3)
  t.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
  const prices = await weir
    .sql<{ price: number }>("SELECT price FROM shop.orders WHERE customer = 'many' ORDER BY _pk, _seq")
    .all()
  t.deepEqual(
    prices.map(({ price }) => price),
    events.flatMap(({ price }) => (typeof price === 'number' ? [price] : [])),
  )
})

test('events that come slowly do not wait for a full batch, packed or not', async (t) => {
  async function* slowly() {
    yield { customer: 'slow', price: 1 }
    const end = Date.now() + 5_000
    while ((await countOf('slow')) < 1 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
    yield JSON.stringify({ customer: 'slow', price: await countOf('slow') })
  }
  const countOf = async (customer: string) =>
    Number(
      (await weir.sql('SELECT count() AS n FROM shop.orders WHERE customer = {customer:String}', { customer }).first())
        ?.n,
    )
  t.like(await weir.stream('shop', 'orders').sendMany(slowly(), { flushMs: 20, gzip: true }), {
    accepted: 2,
    batches: 2,
  })
  t.is(await countOf('slow'), 2)
})

test('all lines of a batch may be refused', async (t) => {
  const sent = await weir.stream('shop', 'orders').sendMany([{ price: 'a' }, { price: 'b' }])
  t.like(sent, { accepted: 0, rejected: 2 })
  t.deepEqual(
    sent.refused.map(({ index }) => index),
    [0, 1],
  )
})

test('rows come plainly, over all pages, and whole numbers exactly', async (t) => {
  await weir.stream('shop', 'orders').send({ customer: 'exact', price: 1, pieces: 9_007_199_254_740_993n })
  const text = 'select * from shop.orders where customer = "exact"'
  t.like(await weir.query(text).first(), { customer: 'exact', price: 1, cents: 100, pieces: 9_007_199_254_740_993n })
  t.is((await connect({ url }).query(text).first())?.pieces, 9_007_199_254_740_992)
  t.deepEqual(await weir.query('select count(*) from shop.orders where customer = "exact"').all(), [{ count: 1 }])
  t.is((await weir.query('select * from shop.orders where customer = "many" limit 3').all()).length, 3)
  t.deepEqual(await weir.sql('SELECT 9223372036854775807 AS n, \'{"a":1}\' AS text').all(), [
    { n: 9_223_372_036_854_775_807n, text: '{"a":1}' },
  ])
})

test('a question that cannot be asked is refused with the place in it', async (t) => {
  const error = await t.throwsAsync(weir.sql('SELECT pric FROM shop.orders').all(), { instanceOf: WeirError })
  t.regex(error.message, /line 1, column 8.*pric/)
  const half = weir.sql("SELECT throwIf(number = 100000, 'gone') AS n FROM numbers(300000)").all()
  t.is((await t.throwsAsync(half, { instanceOf: WeirError })).kind, 'refused')
})

test('live events begin with the last ones and go on; an end by the reader is an end', async (t) => {
  const orders = weir.of(shop).stream('orders')
  await orders.send({ customer: 'live', price: 1 })
  const stop = new AbortController()
  const events = orders.live({ last: 1, where: 'customer = "live"', signal: stop.signal })
  t.like((await events.next()).value, { customer: 'live', price: 1 })
  const next = events.next()
  await orders.send({ customer: 'live', price: 2 })
  t.like((await next).value, { price: 2 })
  stop.abort(new Error('enough'))
  await t.throwsAsync(events.next(), { message: 'enough' })
})

test('saved questions, tables, buckets, graphs, keys, models', async (t) => {
  const dear = weir.saved<{ n: number }>('dear')
  await dear.put({ sql: 'SELECT toUInt32({p:Float64}) AS n' })
  t.deepEqual(await dear.rows({ p: 3 }).all(), [{ n: 3 }])
  for await (const { rows } of dear.live({ p: 4 })) {
    t.deepEqual(rows, [{ n: 4 }])
    break
  }
  t.true((await weir.questions().all()).some(({ name }) => name === 'dear'))
  await dear.remove()

  const hubs = weir.table<{ city: string }>('mydb', 'hubs')
  await hubs.make()
  await hubs.put('LAX', { city: 'Los Angeles' })
  t.like(await hubs.get('LAX'), { _pk: 'LAX', city: 'Los Angeles' })
  t.is(await hubs.get('SFO'), undefined)
  t.is(await hubs.count(), 1)
  await hubs.drop()
  t.is((await t.throwsAsync(hubs.get('LAX'), { instanceOf: WeirError })).kind, 'missing')

  const bucket = weir.bucket('things')
  await bucket.make()
  await bucket.put('a/b c.txt', 'hello')
  t.is(await (await bucket.get('a/b c.txt')).text(), 'hello')
  t.deepEqual(await bucket.list().all(), [{ key: 'a/b c.txt' }])
  await bucket.remove('a/b c.txt')
  await bucket.drop()

  const films = weir.graph('films')
  await films.make()
  await films.addNode({ label: 'Person', name: 'Tom Hanks', prop: { born: 1956 } })
  t.true((await weir.graphs().all()).includes('films'))
  await films.remove()

  const training = await weir.models.train({
    'schema-name': 'shop',
    model_name: 'kinds',
    algo_type: 'KMEANS',
    algo_param: { k: 2 },
    training_details: { training_source_type: 'STREAM', 'stream-name': 'orders' },
    attr_list: [{ name: 'price', position: 0 }],
  })
  const states: number[] = []
  for await (const { train_req_state } of training) states.push(train_req_state)
  t.is(states.at(-1), 25)
  const { predict_labels } = await weir.models.predict({
    'schema-name': 'shop',
    model_name: 'kinds',
    input_format: 'CSV',
    data: '5',
  })
  t.true(predict_labels === 0 || predict_labels === 1)
  t.true((await weir.models.list().all()).some(({ model_name }) => model_name === 'kinds'))
})

test('an import is a loop over its states, begins once under a name, and throws where it fails', async (t) => {
  const bucket = weir.bucket('past')
  await bucket.make()
  await bucket.put('2025/a.csv', 'who,paid\nimported,1\nimported,x\nimported,2\n')
  const request = { from: { bucket: 'past', prefix: '2025/' }, format: 'CSV', into: 'shop.orders' } as const
  const named = { ...request, id: 'orders_2025', map: { customer: 'who', price: 'paid' } }
  const started = await weir.imports.start(named, { wait: 30 })
  t.like(started.begun, { id: 'orders_2025', state: 'done' })
  const states = []
  for await (const state of started) states.push(state)
  t.like(states.at(-1), { state: 'done', progress: 1, accepted: 2, rejected: 1 })
  t.like(states.at(-1)?.errors[0], { key: '2025/a.csv', row: 3 })
  t.is((await weir.imports.start(named)).begun.begun, started.begun.begun)
  t.like(await weir.imports.get('orders_2025'), { accepted: 2 })
  t.deepEqual(await weir.sql("SELECT sum(price) AS s FROM shop.orders WHERE customer = 'imported'").all(), [{ s: 3 }])

  await bucket.put('cut.ndjson.gz', new Uint8Array(gzipSync('{"customer":"cut","price":1}\n').subarray(0, 30)))
  const cut = await weir.imports.start({ ...request, from: { bucket: 'past', key: 'cut.ndjson.gz' }, format: 'NDJSON' })
  t.regex(cut.begun.id, /^import_/)
  const error = await t.throwsAsync(cut.done(), { instanceOf: WeirError })
  t.is(error.kind, 'refused')
  t.regex(error.message, /^the import import_\w+ failed: /)
  t.deepEqual(
    (await weir.imports.list().all()).map(({ id, state }) => [id, state]),
    [
      [cut.begun.id, 'failed'],
      ['orders_2025', 'done'],
    ],
  )
  await weir.imports.remove(cut.begun.id)
  t.is((await t.throwsAsync(weir.imports.get(cut.begun.id), { instanceOf: WeirError })).kind, 'missing')
})

test('a hook is made, tried before, lists its deliveries, and is removed', async (t) => {
  const hook = weir.hook('shopify')
  const door = { into: 'shop.orders', verify: { scheme: 'github', secret: 'a-secret-of-a-test' } }
  t.is((await hook.put(door, { dry: true })).dry, 1)
  await hook.put(door)
  t.deepEqual(
    (await weir.hooks.list().all()).map(({ name }) => name),
    ['shopify'],
  )
  await t.throwsAsync(weir.call({ method: 'POST', path: ['hook', 'shopify'], json: { price: 1 } }), {
    instanceOf: WeirError,
  })
  t.deepEqual(
    (await hook.deliveries().all()).map(({ verdict }) => verdict),
    ['unsigned'],
  )
  await hook.remove()
  t.deepEqual(await weir.hooks.list().all(), [])
})

test('a source whose brokers do not answer is refused, and there is none', async (t) => {
  const source = weir.source('theirs')
  const kafka = { brokers: ['127.0.0.1:9'], topic: 'orders' }
  const error = await t.throwsAsync(source.put({ kafka, into: 'shop.orders' }, { dry: true }), {
    instanceOf: WeirError,
  })
  t.is(error.kind, 'refused')
  t.deepEqual(await weir.sources().all(), [])
  for (const call of [source.get(), source.on(), source.off(), source.remove()])
    t.is((await t.throwsAsync(call, { instanceOf: WeirError })).kind, 'missing')
})

test('a wrong address is one clear line', async (t) => {
  const nothing = await t.throwsAsync(connect({ url: 'http://127.0.0.1:9', patience_ms: 0 }).about(), {
    instanceOf: WeirError,
  })
  t.is(nothing.kind, 'network')
  t.notRegex(nothing.message, /\n/)
  const other = await t.throwsAsync(
    connect({ url: `${url}/docs` })
      .schemas.list()
      .all(),
    { instanceOf: WeirError },
  )
  t.notRegex(other.message, /\n/)
})
