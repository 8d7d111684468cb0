/** Live streams of several processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const [a, b] = await Promise.all([spawnService(settings('a')), spawnService(settings('b'))])

test.after.always(async () => {
  killServices()
  await server.kill()
})

const path = '/stream/live/st/live'

test.serial(
  'events of two processes come once and in one order at readers of both, and at one that changes over',
  async (t) => {
    await a.client.register({
      schema: 'live',
      streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }],
    })
    const [atA, atB] = [await openEventStream(a.url, path), await openEventStream(b.url, path)]
    const post = async ({ client }: typeof a, first: number): Promise<void> => {
      for (let round = 0; round < 20; round++) {
        const events = Array.from({ length: 25 }, (_, n) => ({
          n: first + 25 * round + n,
          ...(n % 2 === 0 && { _pk: 1_600_000_000_000_000 + ((round * 7919 + n * 104_729) % 1_000_003) }),
        }))
        await client.lines('live.st', events)
      }
    }
    await Promise.all([post(a, 0), post(b, 500)])
    await Promise.all([atA.until('all at one', 1000), atB.until('all at the other', 1000)])
    t.deepEqual(
      atA
        .data()
        .map(({ n }) => n)
        .toSorted((one, two) => one - two),
      Array.from({ length: 1000 }, (_, n) => n),
    )
    const ids = (stream: typeof atA) => stream.named('event').map(({ id }) => id)
    t.deepEqual(ids(atB), ids(atA))
    const over = await openEventStream(b.url, `${path}?after=${ids(atA)[400]}`)
    await over.until('the rest', 599)
    t.deepEqual(ids(over), ids(atA).slice(401))
    for (const each of [atA, atB, over]) each.close()
  },
)
