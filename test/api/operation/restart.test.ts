/** The data that a service finds when it starts: its own, and the remains of a crash or an accident. */
import { join } from 'node:path'
import test from 'ava'
import { createCatalogue } from '../../../infra/catalogue/catalogue.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { createClock } from '../../../infra/clock.ts'
import { createLmdbLog, type LmdbLog } from '../../../infra/log/embedded/log.ts'
import { at } from '../../support/era.ts'
import { type PageAnswer, pagesOf } from '../../support/requests/pages.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
let service: RunningService = await startService({ DATA_DIR: folder })
test.after.always(() => service.close())

/** Stops the service, does something to its data, and starts it again. */
async function restarted(meanwhile: () => Promise<void> = async () => {}): Promise<RunningService> {
  await service.close()
  await meanwhile()
  service = await startService({ DATA_DIR: folder })
  return service
}

async function withLog(work: (log: LmdbLog) => Promise<unknown>): Promise<void> {
  const log = createLmdbLog({ path: join(folder, 'log'), maxBytes: 2 ** 30 })
  await work(log)
  await log.log.close()
}

async function withClickHouse(work: (clickhouse: ClickHouse) => Promise<unknown>): Promise<void> {
  const clickhouse = createEmbeddedClickHouse({ path: join(folder, 'clickhouse') })
  await work(clickhouse)
  await clickhouse.close()
}

const schemaOf = (schema: string) => ({
  schema,
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'n', type: 'LONG', stat: 'RSTAT' },
        { name: 'name', type: 'STRING', stat: 'UCOUNT' },
      ],
    },
  ],
})

const statistic = async (sql: string) => JSON.parse(String((await service.client.rows(sql))[0]?.v)).aggr_val

test.serial('schemas, events, statistics and states are there again, and go on', async (t) => {
  const { client } = service
  await client.register(schemaOf('kept'))
  await client.register(schemaOf('off'))
  await client.lines(
    'kept.st',
    [1, 2, 3].map((n) => ({ _pk: at(n), n, name: `v${n}`, undeclared: [n] })),
  )
  const last = await client.event('kept.st', { n: 4 })
  await client.send('PUT', '/stream/off/st/state', { state: 0 })
  const before = await client.rows('select * from kept.st')

  for (let round = 0; round < 2; round++) {
    const { client } = await restarted()
    t.deepEqual(await client.rows('select * from kept.st'), before)
    t.deepEqual(await statistic('select aggr(n) from kept.st rollup 1').then(({ cnt, sum }) => [cnt, sum]), [4, 10])
    t.deepEqual((await client.get('/stream/kept/schema')).body, schemaOf('kept'))
    t.deepEqual((await client.get('/stream/off/st/state')).body, { state: 0 })
    t.is((await client.post('/stream/off/st', '{}')).status, 409)
    t.deepEqual((await client.post('/stream', schemaOf('kept'))).body.error, ['schema kept is registered already'])
  }
  const next = await service.client.event('kept.st', { n: 5, name: 'v1' })
  t.true(next > last)
  t.deepEqual(await statistic('select aggr(n) from kept.st rollup 1').then(({ cnt, sum }) => [cnt, sum]), [5, 15])
  t.deepEqual(await statistic('select aggr(name) from kept.st rollup 1'), { cnt: 3 })
})

test.serial('a page that was told before is gone on with after', async (t) => {
  await service.client.register(schemaOf('pages'))
  await service.client.lines(
    'pages.st',
    [1, 1, 1, 2, 2, 2].map((time, n) => ({ _pk: at(time), n })),
  )
  const seen: number[] = []
  const see = ({ rows }: Pick<PageAnswer, 'rows'>) => seen.push(...rows.map(({ v }) => JSON.parse(String(v)).n))
  const pages = pagesOf(service.client, 'select * from pages.st where n >= 0 limit 2')
  const { value: first } = await pages.next()
  if (!first) throw new Error('no first page')
  see(first)
  const { client } = await restarted()
  let more: Record<string, unknown> = { levk: first.levk, sec_buf: first.sec_buf }
  for (;;) {
    const page = await client.ok(client.query('select * from pages.st where n >= 0 limit 2', more))
    see(page)
    if (page.more_data_to_come === 0) break
    more = { levk: page.levk, sec_buf: page.sec_buf }
  }
  t.deepEqual(seen.toSorted(), [0, 1, 2, 3, 4, 5])
})

test.serial('a download in slices that was begun before is gone on with after', async (t) => {
  const bytes = Buffer.alloc(1024 * 1024 + 3, 'x')
  await service.client.ok(service.client.post('/brs/bucket', { bucket_name: 'kept' }))
  await fetch(new URL('/brs/kept/object/k', service.url), { method: 'PUT', body: bytes })
  const { next_key } = await service.client.ok(service.client.post('/brs/kept/getfile', { key: 'k' }))
  const { client } = await restarted()
  const slices = []
  for (const nslice of [0, 1]) {
    const { text } = await client.post(`/brs/kept/getfile?key=${encodeURIComponent(next_key)}&nslice=${nslice}`, '')
    slices.push(Buffer.from(text, 'base64'))
  }
  t.true(Buffer.concat(slices).equals(bytes))
})

test.serial('what waits in the log is fed at the start, and the first query sees it', async (t) => {
  await service.client.register(schemaOf('waiting'))
  const { client } = await restarted(() =>
    withLog(({ log }) =>
      log.append('waiting.st', Buffer.from('{"_pk":1,"_seq":1,"n":7}\n{"_pk":2,"_seq":2,"n":8}\n'), 2),
    ),
  )
  t.is(await client.count('select count(*) from waiting.st'), 2)
})

test.serial(
  'bad lines in the log end in __rejected with the reason, shown by health and metrics, and nothing is blocked',
  async (t) => {
    await service.client.register(schemaOf('bad'))
    const lines = [
      '{"_pk":1,"_seq":1,"n":1}',
      'rubbish',
      '{"_pk":2,"_seq":2,"n":2}',
      '{"_pk":3,"_seq":3,"n":"x"}',
      '{"_pk":4,"_seq":4,"n":4}',
    ]
    const { client } = await restarted(() =>
      withLog(({ log }) => log.append('bad.st', Buffer.from(`${lines.join('\n')}\n`), 5)),
    )
    t.is(await client.count('select count(*) from bad.st'), 3)
    t.deepEqual(await statistic('select aggr(n) from bad.st rollup 1').then(({ cnt, sum }) => [cnt, sum]), [3, 7])
    const health = await client.ok(client.get('/health/ready'))
    t.like(health, {
      status: 'ready',
      parts: { clickhouse: { rejected_events: 2 }, log: { status: 'up', waiting_bytes: 0 } },
    })
    t.regex((await client.get('/metrics')).text, /^weir_events_rejected_total\{stream="bad\.st"\} 2$/m)
    await client.event('bad.st', { n: 5 })
    t.is(await client.count('select count(*) from bad.st'), 4)

    await restarted(() =>
      withClickHouse(async (clickhouse) => {
        const rows = await clickhouse.rows<{ line: string; reason: string }>({
          text: 'SELECT line, reason FROM bad.st__rejected ORDER BY line',
          params: {},
        })
        t.deepEqual(
          rows.map(({ line }) => line),
          [lines[1], lines[3]].toSorted(),
        )
        t.true(rows.every(({ reason }) => /\S{3}/.test(reason)))
      }),
    )
  },
)

test.serial(
  'a stream that cannot be fed says so with a 504, answers eventual queries, and leaves the others alone',
  async (t) => {
    await service.client.register(schemaOf('stuck'))
    await service.client.event('stuck.st', { n: 1 })
    const { client } = await restarted(() =>
      withClickHouse((clickhouse) => clickhouse.run('DROP TABLE stuck.st__in SYNC')),
    )
    const posted = await client.post('/stream/stuck/st', '{"n":2}')
    t.is(posted.status, 200)
    const answer = await client.send('POST', '/db/mydb/query', { sql: 'select count(*) from stuck.st' })
    t.deepEqual([answer.status, answer.body.errcode], [504, -7])
    t.regex(answer.body.error[0], /^the events of stuck\.st are not in ClickHouse after 2000 ms/)
    const eventual = await client.send('POST', '/db/mydb/query?consistency=eventual', {
      sql: 'select count(*) from stuck.st',
    })
    t.deepEqual(eventual.body, { retval: 1 })
    const counted = await client.get('/stream/stuck/st/count?consistency=eventual')
    t.deepEqual(counted.body, { count: 1 })
    const health = await until('the failure in health', async () => {
      const { body } = await client.get('/health/ready')
      return body.parts.log.status === 'failing' ? body : undefined
    })
    t.is(health.parts.log.failures[0].queue, 'stuck.st')
    t.true(health.parts.log.waiting_bytes > 0 && health.parts.log.lag_ms >= 0)
    await client.event('kept.st', { n: 6 })
    t.is(await client.count('select count(*) from kept.st'), 6)
    t.is((await client.send('DELETE', '/stream/stuck')).status, 200)
    t.is((await client.get('/health/ready')).body.parts.log.status, 'up')
  },
)

test.serial('a schema that was half made, or half taken away, is gone, and its name is free', async (t) => {
  for (const schema of ['making', 'dropping']) {
    await service.client.register(schemaOf(schema))
    await service.client.event(`${schema}.st`, { n: 1 })
  }
  const { client } = await restarted(async () => {
    await withClickHouse(async (clickhouse) => {
      const catalogue = createCatalogue(clickhouse, createClock(Date.now() * 1000 + 1e9).next)
      for (const state of ['making', 'dropping'] as const) {
        await catalogue.putSchema({ name: state, body: JSON.stringify(schemaOf(state)), state })
      }
    })
    await withLog(({ log }) => log.append('dropping.st', Buffer.from('{"_pk":1,"_seq":1,"n":7}\n'), 1))
  })
  for (const schema of ['making', 'dropping']) {
    t.is((await client.get(`/stream/${schema}/schema`)).status, 404, schema)
    await client.register(schemaOf(schema))
    t.is(await client.count(`select count(*) from ${schema}.st`), 0, schema)
    await client.event(`${schema}.st`, { n: 2 })
    t.is(await client.count(`select count(*) from ${schema}.st`), 1, schema)
  }
  const { log } = (await client.get('/health/ready')).body.parts
  t.deepEqual([log.status, log.waiting_bytes], ['up', 0])
})

test.serial('lines of a stream that nobody knows do not stay in the log for ever', async (t) => {
  const { client } = await restarted(() =>
    withLog(({ log }) => log.append('nobody.st', Buffer.from('{"_pk":1,"_seq":1}\n'), 1)),
  )
  await until('an empty log', async () => {
    const { log } = (await client.get('/health/ready')).body.parts
    return log.status === 'up' && log.waiting_bytes === 0
  })
  t.is((await client.get('/health/ready')).status, 200)
})
