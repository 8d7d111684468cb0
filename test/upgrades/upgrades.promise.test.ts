/** Folders that releases made, opened by this version. */
import test from 'ava'
import type { Client } from '../support/requests/client.ts'
import { startService } from '../support/service.ts'
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
