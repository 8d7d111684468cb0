/** A ClickHouse server that is away, for a while or from the start, or does not answer. */
import { join } from 'node:path'
import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
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

test.serial(
  'a server that is away at the start is waited for: live answers, ready says no, and then all is there',
  async (t) => {
    t.timeout(300_000)
    const folder = temporaryFolder()
    const [port, own] = [await freePort(), await freePort()]
    const starting = spawnService({
      DATA_DIR: join(folder, 'weir'),
      PORT: String(own),
      CLICKHOUSE_URL: `http://someone:se%20cret@127.0.0.1:${port}`,
    })
    const get = (path: string) => fetch(`http://127.0.0.1:${own}${path}`).catch(() => undefined)
    await until('live', async () => (await get('/health/live'))?.status === 200, 60_000)
    const ill = await get('/health/ready')
    t.deepEqual([ill?.status, ill?.headers.get('retry-after')], [503, '1'])
    const refused = await get('/stream/list')
    t.deepEqual([refused?.status, refused?.headers.get('retry-after')], [503, '1'])
    const server = await startTestClickHouse({
      folder: join(folder, 'server'),
      port,
      user: 'someone',
      password: 'se cret',
    })
    t.teardown(server.kill)
    const service = await starting
    t.regex(service.errors(), /ClickHouse is away, waiting for it/)
    t.notRegex(service.errors(), /cret/)
    t.is((await get('/health/ready'))?.status, 200)
    await service.client.register(schema)
    await service.client.event('load.st', { id: 1 })
    t.is(await service.client.count('select count(*) from load.st'), 1)
    await service.end('SIGTERM')
  },
)

test.serial(
  'killed, slow, paused and restarted under load, the server loses and doubles nothing, and nobody lends a hand',
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
    await more(500)
    for (const round of [1, 2, 3]) {
      await server.kill()
      await more(500)
      t.is((await client.get('/health/live')).status, 200)
      const ready = await client.get('/health/ready')
      t.deepEqual([ready.status, ready.body.takes, ready.body.answers], [200, true, false])
      t.like(ready.body.parts.clickhouse, { status: 'down', takes: true, answers: false })
      const answers = await client.get('/health/ready?for=answers')
      t.deepEqual([answers.status, answers.headers.get('retry-after')], [503, '1'])
      const asked = await client.send('POST', '/db/mydb/query', { sql: 'select aggr(id) from load.st rollup 1' })
      t.true(asked.status === 503 || asked.status === 504, `round ${round}: ${asked.status} ${asked.text}`)
      const refused = await client.post('/stream', { ...schema, schema: 'other' })
      t.deepEqual([refused.status, refused.headers.has('retry-after')], [503, true], refused.text)
      await server.restart()
      await more(200)
    }
    server.slow()
    await more(500)
    const late = await client.send('POST', '/db/mydb/query', { sql: 'select count(*) from load.st' })
    t.true([200, 503, 504].includes(late.status), `slow: ${late.status} ${late.text}`)
    server.resume()
    await more(200)
    await server.pause()
    await more(500)
    t.is((await client.get('/health/ready')).status, 200)
    t.is((await client.get('/health/ready?for=answers')).status, 503)
    server.resume()
    await more(200)
    await load.stop()
    t.deepEqual(load.refused, [])
    const sent = load.acknowledged.length
    await until(
      'all is fed',
      async () => (await client.get('/health/ready')).body.parts.log.waiting_bytes === 0,
      90_000,
    )
    const there = (await allRows(client, 'select * from load.st')).map(({ v }): number => JSON.parse(String(v)).id)
    t.deepEqual(
      there.sort((x, y) => x - y),
      [...load.acknowledged].sort((x, y) => x - y),
    )
    for (const sql of ['select aggr(id) from load.st rollup 1', 'select aggr(even) from load.st rollup 1']) {
      const [row] = await client.rows(sql)
      t.is(JSON.parse(String(row?.v)).aggr_val.cnt, sent, sql)
    }
    const groups = await client.rows('select aggr(id) from load.st groupby group rollup 1')
    t.is(
      groups.reduce((sum, { v }) => sum + JSON.parse(String(v)).aggr_val.cnt, 0),
      sent,
    )
    t.is((await client.get('/health/ready?for=answers')).status, 200)
    await service.end('SIGTERM')
  },
)
