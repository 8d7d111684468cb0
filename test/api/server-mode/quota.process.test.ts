/** A server whose user has used up a quota, amid events and queries. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, NotStarted, spawnService } from '../../support/process.ts'
import { createIds, startLoad } from '../../support/requests/load.ts'
import { allRows } from '../../support/requests/pages.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const schema = {
  schema: 'load',
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'id', type: 'LONG', stat: 'RSTAT' },
        { name: 'who', type: 'STRING', stat: 'UCOUNT' },
        { name: 'group', type: 'LONG' },
        { name: 'even', type: 'BOOL', stat: 'COUNT' },
      ],
      gpby: [{ gpat: ['group'], iatr: 'id', stat: 'RSTAT', gran: 60 }],
    },
  ],
}

/** An interval that no test outlives. */
const day_s = 86_400

test.serial(
  'while a quota is used up events are taken and queries are a 503 that says so; after it all is there once',
  async (t) => {
    t.timeout(600_000)
    const folder = temporaryFolder()
    const server = await startTestClickHouse({ folder: join(folder, 'server') })
    t.teardown(server.kill)
    const service = await spawnService({ DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url })
    const { client } = service
    await client.register(schema)
    const load = startLoad(client, 'load.st', createIds())
    const more = async (count: number) => {
      const before = load.acknowledged.length
      await until('events are taken', () => load.acknowledged.length > before + count, 60_000)
    }

    const refusal = async () => {
      const before = await server.faultsMet()
      await until('a refusal', async () => (await server.faultsMet()) > before, 60_000)
    }
    const ask = (sql: string) => client.send('POST', '/db/mydb/query', { sql })
    const askAtOnce = (sql: string) => client.send('POST', '/db/mydb/query?consistency=eventual', { sql })
    const shown = async (): Promise<number> => {
      const { status, text, body } = await askAtOnce('select count(*) from load.st')
      return status === 200 ? Number(body.retval) : t.fail(text)
    }
    await more(500)

    await server.quota({ seconds: day_s, query_inserts: 1 })
    await until(
      'a query waits for what cannot be inserted',
      async () => {
        const { status, text, body } = await ask('select count(*) from load.st')
        if (status !== 200) t.deepEqual([status, body.errcode], [504, -7], text)
        return /are not in ClickHouse after 2000 ms: Quota for user .* has been exceeded/.test(text)
      },
      60_000,
    )
    const before = await shown()
    await more(500)
    t.is(await shown(), before)

    await server.quota({ seconds: 3, query_inserts: 5 })
    await until('an interval is over', async () => (await shown()) > before, 60_000)
    await refusal()

    await server.quota({ seconds: day_s, queries: 1 })
    await refusal()
    await more(500)
    for (const sql of [
      'select count(*) from load.st',
      'select * from load.st',
      'select aggr(id) from load.st rollup 1',
      'select aggr(id) from load.st groupby group rollup 1',
    ]) {
      const asked = await askAtOnce(sql)
      t.deepEqual([asked.status, asked.body.errcode, asked.headers.has('retry-after')], [503, -6, true], asked.text)
      t.regex(asked.body.error[0], /quota of Weir's user in ClickHouse is used up/)
    }
    for (const [method, path, status, errcode] of [
      ['GET', '/stream/load/st/count?consistency=eventual', 503, -6],
      ['GET', '/stream/load/info', 503, -6],
      ['GET', '/stream/list', 503, -7],
      ['POST', '/stream', 503, -7],
      ['GET', '/health/ready', 200, undefined],
      ['GET', '/health/ready?for=answers', 503, undefined],
      ['GET', '/stream/load/st/state', 200, undefined],
      ['GET', '/health/live', 200, undefined],
    ] as const) {
      const other = method === 'POST' ? { ...schema, schema: 'other' } : undefined
      const answer = await client.send(method, path, other)
      t.deepEqual([answer.status, answer.body.errcode], [status, errcode], `${method} ${path}: ${answer.text}`)
    }

    await server.quota()
    await more(200)
    await load.stop()
    t.deepEqual(load.refused, [])
    const all = async () => (await client.get('/health/ready')).body.parts.log.waiting_bytes === 0
    await until('all is fed', all, 90_000)
    const there = (await allRows(client, 'select * from load.st')).map(({ v }): number => JSON.parse(String(v)).id)
    const inOrder = (ids: readonly number[]): number[] => [...ids].sort((x, y) => x - y)
    t.deepEqual(inOrder(there), inOrder(load.acknowledged))
    const [row] = await client.rows('select aggr(id) from load.st rollup 1')
    t.is(JSON.parse(String(row?.v)).aggr_val.cnt, load.acknowledged.length)
    t.is((await client.get('/health/ready')).status, 200)
    await service.end('SIGTERM')
  },
)

test.serial('a process that meets a used-up quota as it starts waits for the next interval', async (t) => {
  t.timeout(600_000)
  const folder = temporaryFolder()
  const server = await startTestClickHouse({ folder: join(folder, 'server') })
  t.teardown(server.kill)
  await server.quota({ seconds: day_s, queries: 20 })
  const starting = spawnService({ DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url })
  const ended = starting.then(
    () => true,
    () => true,
  )
  await until('two refusals', async () => (await server.faultsMet()) > 1, 60_000)
  t.false(await Promise.race([ended, Promise.resolve(false)]))
  await server.quota()
  const { client, end } = await starting
  await client.register(schema)
  await client.event('load.st', { id: 1 })
  t.is(await client.count('select count(*) from load.st'), 1)
  await end('SIGTERM')
})

test.serial('a process whose user may only read ends at its start, and says that ClickHouse refuses', async (t) => {
  t.timeout(300_000)
  for (const readonly of ['1', '2']) {
    const folder = temporaryFolder()
    const server = await startTestClickHouse({
      folder: join(folder, 'server'),
      user: 'reader',
      password: 'secret',
      profile: [`--readonly=${readonly}`],
    })
    t.teardown(server.kill)
    const error = await t.throwsAsync(spawnService({ DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url }), {
      instanceOf: NotStarted,
    })
    t.is(error?.code, 1)
    t.regex(error?.said ?? '', /weir cannot start: ClickHouse refuses: .*in readonly mode/)
    t.notRegex(error?.said ?? '', /secret/)
  }
})
