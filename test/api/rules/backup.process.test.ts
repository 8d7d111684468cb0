/** The memory of rules goes on in a service that is restored from a backup: windows by key, open sessions, waits of absence. */
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import test from 'ava'
import { restoreBackup } from '../../../infra/backup/restore-backup.ts'
import { saveBackup } from '../../../infra/backup/save-backup.ts'
import { killServices, spawnService } from '../../support/process.ts'
import type { Client } from '../../support/requests/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const schema = {
  schema: 'kept',
  streams: {
    orders: {
      keep: 'forever',
      attributes: { customer: 'text', price: 'integer' },
      lookups: {
        spent: {
          ...{ from: 'customers', where: 'customer = this.customer' },
          take: { 'spent.1h.sum': 'spent_1h', 'spent.1h.unique': 'prices_1h', 'spent.cnt': 'orders' },
        },
      },
      groups: [
        { by: ['customer'], of: 'price', stats: ['summary', 'last'], session: { after: '10m', into: 'visits' } },
      ],
    },
    visits: { keep: 'forever' },
    silent: { keep: 'forever' },
  },
  entities: {
    customers: {
      ...{ of: 'orders', by: 'customer' },
      values: { spent: { of: 'price', stats: ['summary', 'distinct'], windows: ['1h', '1d'] } },
    },
  },
  patterns: {
    gone: {
      ...{ in: 'orders', each: 'this.customer = before.customer', during: '1d', take: ['customer'] },
      absent: { after: '10m', into: 'silent' },
    },
  },
}

async function send(client: Client, now: number, ...events: readonly (readonly [ago_s: number, string, number])[]) {
  for (const [ago_s, customer, price] of events)
    await client.event('kept.orders', { _pk: now - ago_s * 1_000_000, customer, price })
}

test('a backup has windows by key, open sessions and waits, and they go on where it is restored', async (t) => {
  const root = temporaryFolder()
  const first = await spawnService({ DATA_DIR: temporaryFolder() })
  const now = Date.now() * 1000
  await first.client.register(schema)
  await send(first.client, now, [7_000, 'ann', 1_000], [700, 'bob', 5], [500, 'ann', 10], [400, 'ann', 20])
  const response = await fetch(new URL('/backup', first.client.url), { method: 'POST' })
  const body = response.body as ReadableStream<Uint8Array>
  await saveBackup(join(root, 'saved'), async () => Readable.fromWeb(body))
  await first.end('SIGKILL')

  await restoreBackup(join(root, 'saved'), join(root, 'data'))
  const { client } = await spawnService({ DATA_DIR: join(root, 'data') })
  const answered = await client.ok(client.query('select * from kept.customers'))
  const values = new Map(answered.rows.map(({ k, v }: { k: string; v: string }) => [k, JSON.parse(v).spent]))
  t.like(values.get('ann'), { cnt: 3, sum: 1_030, '1h': { cnt: 2, sum: 30, unique: 2 }, '1d': { sum: 1_030 } })
  await send(client, now, [300, 'ann', 40], [0, 'ann', 20])
  const [last, before] = await client.documents('select * from kept.orders where customer = "ann" limit 2')
  t.like(before, { spent_1h: 30, prices_1h: 2, orders: 3 })
  t.like(last, { spent_1h: 70, prices_1h: 3, orders: 4 })
  const bobs = async (stream: string) => client.documents(`select * from kept.${stream} where customer = "bob"`)
  // Bob did not come again.
  await until('both rows of Bob', async () => [...(await bobs('visits')), ...(await bobs('silent'))].length === 2)
  t.like((await bobs('visits'))[0], { from: now - 700_000_000, to: now - 700_000_000, cnt: 1, last: 5 })
  t.is((await bobs('silent'))[0]?._pk, now - 100_000_000)
  const open = await client.documents('select * from kept.visits where open = 1 and customer = "ann"')
  t.like(open[0], { from: now - 500_000_000, to: now, cnt: 4 })
})
