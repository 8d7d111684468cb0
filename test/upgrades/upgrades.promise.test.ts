/** Folders that releases made, opened by this version. */
import test from 'ava'
import type { Client } from '../support/requests/client.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { answersBeside, folderOf, releases } from './folders.ts'

const count = 'select count(*) from shop.visits'
const nodes =
  's=>(@a visitor:*)-[VIEWED]->(@p page:*); RETURN a.name AS a, a.country AS country, p.price AS price SORT_ASC a'
const event = { visitor: 'ann', page: 'home', country: 'XX', price: 7, quantity: 1, _pk: 1700000800000000 }

test('there is a folder of each release', (t) => t.true(releases.length > 0))

for (const release of releases) {
  test.serial(`a folder of ${release} answers as it did, and takes new events`, async (t) => {
    const folder = await folderOf(release)
    const answerAll = async (client: Client): Promise<void> => {
      for (const { question, now, before } of await answersBeside(release, client)) t.deepEqual(now, before, question)
    }
    const first = await startService({ DATA_DIR: folder })
    await answerAll(first.client).finally(first.close)

    const { client, close } = await startService({ DATA_DIR: folder })
    t.teardown(close)
    await answerAll(client)
    const pricesOf = async () => {
      const [row] = await client.rows('select aggr(price) from shop.visits rollup 1')
      return JSON.parse(String(row?.v)).aggr_val
    }
    const prices = await pricesOf()
    const before = await client.count(count)
    await client.event('shop.visits', event)
    t.is(await client.count(count), before + 1)
    for (let n = 0; n < 20; n++) await client.event('shop.visits', { page: 'far', price: 1e9 + n })
    const { cnt, sum, max } = await pricesOf()
    t.deepEqual([cnt, sum, max], [prices.cnt + 21, prices.sum + 7 + 20e9 + 190, 1e9 + 19])
    const [row] = (await client.graph('shop.visits', nodes)).body.rows
    // The first country stays, the price is the latest.
    t.deepEqual(row, { a: 'ann', country: 'DE', price: 7 })
    t.is((await client.post('/db/mydb/airports/doc', { _pk: 'LAX', doc: { city: 'LA' } })).status, 200)
    t.is((await client.get('/db/mydb/airports?key=LAX')).body._v, 3)
    t.is((await client.post('/stream', { schema: 'fresh', streams: [{ name: 'st', type: 1 }] })).status, 200)
    const report = (await client.post('/reconcile', undefined)).body
    t.deepEqual(
      report.streams.filter(({ repaired }: { repaired?: number }) => (repaired ?? 0) > 0),
      [],
    )
  })
}

for (const release of releases) {
  test.serial(
    `a folder of ${release} gets windows, sessions and absence by an edit, filled from the events that it has`,
    async (t) => {
      const { client, close } = await startService({ DATA_DIR: await folderOf(release) })
      t.teardown(close)
      const schema = await client.ok(client.get('/stream/shop/schema'))
      const streams = schema.streams.map((stream: { name: string; enty?: { name: string }[] }) =>
        stream.name === 'visits'
          ? {
              ...stream,
              enty: stream.enty?.map((each) => (each.name === 'spent' ? { ...each, window: [3_600] } : each)),
              refr: [
                {
                  ...{ name: 'w', rstm: 'profile', ratr: ['spent.1h.sum'], iatr: ['spent_1h'] },
                  jqry: { cond: ['visitor'], args: ['visitor'] },
                },
              ],
              cepq: [
                {
                  ...{ name: 'gone', type: 1, rstm: 'visits', iatr: ['visitor'], tloc: 3_600 },
                  ...{ jqry: { cond: ['visitor'], args: ['visitor'] }, absent: { after: 60, ostm: 'silent' } },
                },
              ],
              gpby: [{ gpat: ['visitor'], iatr: 'price', stat: 'RSTAT', session: 60, ostm: 'sittings' }],
            }
          : stream,
      )
      const made = ['silent', 'sittings'].map((name) => ({ name, type: 3, swsz: 0, inpt: ['visits'], attr: [] }))
      await client.ok(client.send('PUT', '/stream?force=1', { ...schema, streams: [...streams, ...made] }))
      const at = 1_700_000_100_000_000
      const { rows } = await client.ok(client.query('select * from shop.profile', { at }))
      const windows = rows.map(({ k, v }: { k: string; v: string }) => [k, JSON.parse(v).spent['1h']?.sum ?? 0])
      t.deepEqual(
        windows.filter(([, sum]: [string, number]) => sum > 0),
        [
          ['ann', 70],
          ['bob', 160],
          ['dan', 99],
        ],
      )
      await client.event('shop.visits', { ...event, _pk: at })
      await client.event('shop.visits', { ...event, visitor: 'zoe', _pk: at + 200_000_000 })
      const [ann] = await client.documents('select * from shop.visits where visitor = "ann" and spent_1h > 0')
      t.is(ann?.spent_1h, 70)
      const both = async () =>
        (await client.documents('select * from shop.silent')).length +
        (await client.documents('select * from shop.sittings')).length
      await until('the rows of the visitor who went', async () => (await both()) >= 2)
      t.deepEqual(
        (await client.documents('select * from shop.sittings')).map(({ visitor, cnt }) => [visitor, cnt]),
        [['ann', 1]],
      )
      t.deepEqual(
        (await client.documents('select * from shop.silent')).map(({ visitor, _pk }) => [visitor, _pk]),
        [['ann', at + 60_000_000]],
      )
    },
  )
}
