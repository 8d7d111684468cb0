/** POST /reconcile and `npm run reconcile`, against a service with an embedded log. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { programOf } from '../../support/program.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

let service: RunningService
let clickhouse: ClickHouse
test.before(async () => {
  const keep = (part: ClickHouse): ClickHouse => {
    clickhouse = part
    return part
  }
  service = await startService({}, undefined, { clickhouse: keep })
})
test.after.always(() => service?.close())

const sales = (schema: string) => ({
  schema,
  streams: [
    {
      name: 'sales',
      type: 1,
      attr: [
        { name: 'buyer', type: 5, stat: 'COUNT' },
        { name: 'price', type: 11, stat: 'RSTAT' },
      ],
    },
  ],
})

type Line = {
  schema: string
  stream: string
  table: string
  checked: number
  wrong: number
  repaired: number
  lowered?: number
}

const twice = (schema: string): Promise<void> =>
  clickhouse.run(`INSERT INTO ${schema}.sales__60 SELECT * FROM ${schema}.sales__60 SETTINGS insert_deduplicate = 0`)

const statistic = async (schema: string): Promise<unknown> => {
  const [row] = await service.client.rows(
    `select aggr(price) from ${schema}.sales where st >= 1 and et <= 9000000000000000 rollup 1`,
  )
  return JSON.parse(String(row?.v)).aggr_val
}

test.serial('what was counted twice is repaired, and the answer tells where', async (t) => {
  const { client } = service
  await client.register(sales('one'))
  await client.register(sales('two'))
  for (const schema of ['one', 'two']) {
    await client.lines(`${schema}.sales`, [
      { buyer: 'a', price: 2 },
      { buyer: 'b', price: 4 },
    ])
    t.is(await client.count(`select count(*) from ${schema}.sales`), 2)
  }
  const before = await statistic('one')
  await twice('one')
  await twice('two')
  const refused = await client.post('/reconcile', { schema: 'one' })
  t.deepEqual([refused.status, refused.body.errcode], [409, -4])
  t.regex(refused.body.error.join(), /one: sales__60 \(1 keys\) hold more .*restore a backup first.*\?force=1/)
  const dry = await client.ok(client.post('/reconcile?dry=1', { schema: 'one' }))
  t.deepEqual(
    dry.streams.map(({ table, wrong, repaired, lowered }: Line) => ({ table, wrong, repaired, lowered })),
    [
      { table: 'sales', wrong: 0, repaired: 0, lowered: 0 },
      { table: 'sales__60', wrong: 1, repaired: 0, lowered: 1 },
    ],
  )
  t.notDeepEqual(await statistic('one'), before, 'nothing was changed')
  const { streams } = await client.ok(client.post('/reconcile?force=1', { schema: 'one' }))
  t.deepEqual(
    streams.map(({ schema, stream, table, wrong, repaired }: Line) => ({ schema, stream, table, wrong, repaired })),
    [
      { schema: 'one', stream: 'sales', table: 'sales', wrong: 0, repaired: 0 },
      { schema: 'one', stream: 'sales', table: 'sales__60', wrong: 1, repaired: 1 },
    ],
  )
  t.deepEqual(await statistic('one'), before)
  const all = await client.ok(client.post('/reconcile?force=1', ''))
  t.deepEqual(
    all.streams.map(({ schema, table, wrong }: Line) => [schema, table, wrong]),
    [
      ['one', 'sales', 0],
      ['one', 'sales__60', 0],
      ['two', 'sales', 0],
      ['two', 'sales__60', 1],
    ],
  )
  t.regex((await client.get('/metrics')).text, /weir_reconcile_repaired_total\{stream="two\.sales"\} 1/)
})

test.serial('events that come in meanwhile wait for the repair, and count once', async (t) => {
  const { client } = service
  await client.register(sales('busy'))
  await client.event('busy.sales', { buyer: 'a', price: 1 })
  let posted = 1
  let isOver = false
  const posting = (async () => {
    while (!isOver) {
      await client.event('busy.sales', { buyer: `b${posted}`, price: 1 })
      posted++
    }
  })()
  for (let round = 0; round < 3; round++) {
    t.true((await client.count('select count(*) from busy.sales')) > 0)
    await clickhouse.run('ALTER TABLE busy.sales__60 DELETE WHERE true SETTINGS mutations_sync = 2')
    await client.ok(client.post('/reconcile', { schema: 'busy' }))
  }
  isOver = true
  await posting
  t.is(await client.count('select count(*) from busy.sales'), posted)
  t.like(await statistic('busy'), { cnt: posted })
})

const seen = (...more: object[]) => ({
  schema: 'seen',
  streams: [
    {
      name: 'visits',
      type: 1,
      attr: ['who', 'page', 'from'].map((name) => ({ name, type: 5 })),
      rels: [{ sub: 'who', obj: 'page', rel: 'SAW', sub_props: ['from'] }, ...more],
    },
  ],
})

test.serial('what a client deleted or merged stays so, whatever is made anew from events', async (t) => {
  const { client } = service
  const ask = (text: string) => client.ok(client.post('/graph/seen_graph/query', text))
  const triples = async (): Promise<string[]> =>
    (await ask('s=>(*)-[*]->(*)')).triple.map(({ sub, pred, obj }: Record<string, string>) => `${sub} ${pred} ${obj}`)
  const names = async () => (await ask('s=>(@a *); RETURN a.name')).rows.map(({ name }: { name: string }) => name)
  const reconciled = async () => (await client.ok(client.post('/reconcile', { schema: 'seen' }))).streams
  await client.register(seen())
  const see = (who: string, page: string) => client.event('seen.visits', { who, page, from: who[0] })
  for (const who of ['ann', 'bob', 'cid', 'dan']) await see(who, 'home')
  await ask('DELETE (who:ann)')
  await ask('MERGE (who:bob)<-[*]-(who:cid)')
  await ask('CREATE (page:root)')
  await ask('MERGE (page:root)<-[*]-(who:dan)')
  await see('ann', 'help')
  const left = ['page:root SAW page:home', 'who:ann SAW page:help', 'who:bob SAW page:home', 'who:bob SAW page:home']
  t.deepEqual(await triples(), left)

  t.deepEqual([(await reconciled()).map(({ wrong }: Line) => wrong), await triples()], [[0, 0, 0], left])
  await clickhouse.run("ALTER TABLE graph.seen_graph_rel DELETE WHERE subject = 'ann' SETTINGS mutations_sync = 2")
  t.deepEqual([(await reconciled()).map(({ wrong }: Line) => wrong), await triples()], [[0, 1, 0], left])

  await client.ok(client.post('/stream/seen/visits/rebuild', ''))
  await until('the rebuild', async () => {
    const { streams } = await client.ok(client.get('/stream/seen/info'))
    return streams[0].rebuild.state === 'done'
  })
  t.deepEqual([await triples(), await names()], [left, ['help', 'home', 'root', 'ann', 'bob']])

  await client.ok(client.send('PUT', '/stream', seen({ sub: 'who', obj: 'from', rel: 'BEGINS' })))
  t.deepEqual(await triples(), [...left, 'who:ann BEGINS from:a', 'who:bob BEGINS from:b'].sort())
  t.deepEqual(
    [(await reconciled()).map(({ wrong }: Line) => wrong).join(''), await names()],
    ['00000', ['a', 'b', 'help', 'home', 'root', 'ann', 'bob']],
  )
})

test.serial('an event that is there twice stays once, in what was made of it too', async (t) => {
  const { client } = service
  await client.register(sales('double'))
  await client.lines('double.sales', [
    { buyer: 'a', price: 2 },
    { buyer: 'b', price: 4 },
  ])
  t.is(await client.count('select count(*) from double.sales'), 2)
  const before = await statistic('double')
  const again = "INSERT INTO double.sales SELECT * FROM double.sales WHERE buyer = 'b' SETTINGS insert_deduplicate = 0"
  await clickhouse.run(again)
  t.is(await client.count('select count(*) from double.sales'), 3)
  await twice('double')
  const { streams } = await client.ok(client.post('/reconcile?force=1', { schema: 'double' }))
  t.deepEqual(
    streams.map(({ table, wrong, repaired }: Line) => [table, wrong, repaired]),
    [
      ['sales', 1, 1],
      ['sales__60', 1, 1],
    ],
  )
  t.is(await client.count('select count(*) from double.sales'), 2)
  t.deepEqual(await statistic('double'), before)
})

test.serial('statistics of events that are lost stay until a repair is forced', async (t) => {
  const { client } = service
  await client.register(sales('lost'))
  await client.lines('lost.sales', [
    { buyer: 'a', price: 2 },
    { buyer: 'b', price: 4 },
  ])
  t.is(await client.count('select count(*) from lost.sales'), 2)
  const before = await statistic('lost')
  await clickhouse.run("ALTER TABLE lost.sales DELETE WHERE buyer = 'b' SETTINGS mutations_sync = 2")
  t.is((await client.post('/reconcile', { schema: 'lost' })).status, 409)
  t.deepEqual(await statistic('lost'), before)
  await client.ok(client.post('/reconcile?force=1', { schema: 'lost' }))
  t.like(await statistic('lost'), { cnt: 1, sum: 2 })
  t.is((await client.post('/reconcile?dry=1&force=1', {})).status, 400)
  t.is((await client.post('/reconcile?force=yes', {})).status, 400)
})

test.serial('an unknown schema is a 404, a wrong body a 400', async (t) => {
  t.is((await service.client.post('/reconcile', { schema: 'nobody' })).status, 404)
  t.is((await service.client.post('/reconcile', { schema: 7 })).status, 400)
  t.is((await service.client.post('/reconcile', '[]')).status, 400)
  const misspelt = await service.client.post('/reconcile', { shema: 'nobody' })
  t.deepEqual([misspelt.status, misspelt.body.error], [400, ['shema is unknown; did you mean schema?']])
})

test.serial('npm run reconcile prints a table, and fails where no Weir is', async (t) => {
  const run = (url: string, ...words: string[]) =>
    promisify(execFile)(process.execPath, [...programOf('examples/reconcile.ts'), ...words], {
      env: { ...process.env, WEIR_URL: url },
      timeout: 60_000,
    })
  await service.client.register(sales('three'))
  const { stdout } = await run(service.url, 'three')
  t.regex(stdout, /three\.sales.*sales__60/)
  t.regex(stdout, /Everything fits its events/)
  const failure = await t.throwsAsync(run(service.url, 'nobody'))
  t.regex(String(failure), /no schema "nobody"/)
  await t.throwsAsync(run('http://127.0.0.1:1'))
})
