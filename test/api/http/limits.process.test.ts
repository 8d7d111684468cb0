/** Requests for which there is no room: a log beyond its size, a disk that is full. */
import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { startService } from '../../support/service.ts'
import { withSmallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'

const schema = {
  schema: 'l',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }] }],
}

test.serial(
  'while ClickHouse is away events fill the log up to MAX_LOG_MB, then are a 503 with Retry-After; once it is back all that was acknowledged is there',
  async (t) => {
    t.timeout(300_000)
    let isAway = false
    const service = await startService({ MAX_LOG_MB: '1' }, silentLogger(), {
      clickhouse: (part) => ({
        ...part,
        insert: async (insertion) => {
          if (isAway) throw new Error('ClickHouse is away')
          return part.insert(insertion)
        },
      }),
    })
    t.teardown(() => service.close())
    const { client } = service
    await client.register(schema)
    let acknowledged = 0
    /** About 80 KB a time. */
    const post = async (rows: number) => {
      const events = Array.from({ length: rows }, (_, i) =>
        JSON.stringify({ n: acknowledged + i + 1, text: 'x'.repeat(60) }),
      )
      const answer = await client.post('/stream/l/st', events.join('\n'), { 'content-type': 'application/x-ndjson' })
      if (answer.status === 200) acknowledged += rows
      return answer
    }
    const isRefused = ({ status, body, headers }: Awaited<ReturnType<typeof post>>): void => {
      t.deepEqual([status, body.errcode], [503, -6])
      t.regex(headers.get('retry-after') ?? '', /^\d+$/)
    }
    isRefused(await post(20_000))
    t.is(await client.count('select count(*) from l.st'), 0)

    isAway = true
    let posts = 0
    let answer = await post(800)
    for (; answer.status === 200 && posts < 20; posts++) answer = await post(800)
    isRefused(answer)
    t.true(posts > 5, `${acknowledged} events`)
    t.is((await client.get('/health/live')).status, 200)
    isRefused(await post(800))

    isAway = false
    await until('events are taken again', async () => (await post(800)).status === 200, 60_000)
    t.is(await client.count('select count(*) from l.st'), acknowledged)
    const [row] = await client.rows('select aggr(n) from l.st rollup 1')
    t.is(JSON.parse(String(row?.v)).aggr_val.sum, (acknowledged * (acknowledged + 1)) / 2)
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
