/** What does not fit: a log beyond its size, a disk that is full. */
import test from 'ava'
import { startService } from '../support/service.ts'
import { withSmallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

const schema = {
  schema: 'l',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }] }],
}

test.serial(
  'events beyond MAX_LOG_MB are a 503 with Retry-After, nothing of them is kept, and smaller ones are taken',
  async (t) => {
    const service = await startService({ MAX_LOG_MB: '1' })
    t.teardown(() => service.close())
    const { client } = service
    await client.register(schema)
    const lines = Array.from({ length: 20_000 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(60) })).join('\n')
    const answer = await client.post('/stream/l/st', lines, { 'content-type': 'application/x-ndjson' })
    t.deepEqual([answer.status, answer.body.errcode], [503, -6])
    t.regex(answer.headers.get('retry-after') ?? '', /^\d+$/)
    t.is(await client.count('select count(*) from l.st'), 0)
    await client.event('l.st', { n: 1 })
    t.is(await client.count('select count(*) from l.st'), 1)
  },
)

withSmallDisk(
  'a full disk is a 503 with Retry-After, loses nothing that was acknowledged, and room brings all back',
  400,
  async (t, disk) => {
    const service = await startService({ DATA_DIR: disk.folder })
    t.teardown(() => service.close())
    const { client } = service
    await client.register(schema)
    let acknowledged = 0
    const post = async () => {
      const answer = await client.post('/stream/l/st', JSON.stringify({ n: acknowledged + 1 }))
      if (answer.status === 200) acknowledged++
      return answer
    }
    for (let round = 0; round < 20; round++) t.is((await post()).status, 200)

    disk.fill(1)
    const refused = await until('a refusal', async () => {
      const answer = await post()
      return answer.status === 200 ? undefined : answer
    })
    t.deepEqual([refused.status, refused.body.errcode], [503, -6])
    t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
    t.is((await client.get('/health/live')).status, 200)
    t.is((await client.get('/stream/list')).status, 200)

    disk.free()
    await until('room', async () => (await post()).status === 200)
    const kept = await until('all of it', async () => {
      const { body } = await client.query('select aggr(n) from l.st rollup 1')
      return body.rows && JSON.parse(body.rows[0].v).aggr_val
    })
    t.deepEqual([kept.cnt, kept.sum], [acknowledged, (acknowledged * (acknowledged + 1)) / 2])
    t.is(await client.count('select count(*) from l.st'), acknowledged)
  },
)
