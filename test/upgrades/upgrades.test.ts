/** Folders that earlier versions made, opened by this one. */
import test from 'ava'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Client } from '../support/requests/client.ts'
import { startService } from '../support/service.ts'
import { answersBeside, folderOf, forms } from './forms.ts'

const count = 'select count(*) from shop.visits'
const nodes =
  's=>(@a visitor:*)-[VIEWED]->(@p page:*); RETURN a.name AS a, a.country AS country, p.price AS price SORT_ASC a'
const event = { visitor: 'ann', page: 'home', country: 'XX', price: 7, quantity: 1, _pk: 1700000800000000 }

test('there is a folder of each form', (t) => t.true(forms.length > 1))

for (const form of forms) {
  test.serial(`a folder of ${form} answers as it did, and takes new events`, async (t) => {
    const folder = await folderOf(form)
    const answerAll = async (client: Client): Promise<void> => {
      for (const { question, now, before } of await answersBeside(form, client)) t.deepEqual(now, before, question)
    }
    const first = await startService({ DATA_DIR: folder })
    await answerAll(first.client).finally(first.close)

    let clickhouse: ClickHouse | undefined
    const keeping = (part: ClickHouse): ClickHouse => {
      clickhouse = part
      return part
    }
    const { client, close } = await startService({ DATA_DIR: folder }, undefined, { clickhouse: keeping })
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
    // Whatever reads or writes sums reads and writes those of values far from zero.
    const text =
      "SELECT name FROM system.tables WHERE as_select LIKE '%_s4_price%' AND as_select NOT LIKE '%_far_price%'"
    t.deepEqual(await clickhouse?.rows({ text, params: {} }), [])
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

test.serial('an upgrade that is cut off behind any of its statements is ended by the next start', async (t) => {
  const folder = await folderOf('cfd7dc4')
  let cuts = 0
  for (let isCut = true; isCut; cuts++) {
    let left = cuts + 1
    isCut = false
    const cutting = (part: ClickHouse): ClickHouse => ({
      ...part,
      async run(statement) {
        if (isCut) throw new Error('the process is gone')
        await part.run(statement)
        const text = typeof statement === 'string' ? statement : statement.text
        if (/shop_graph|_far_/.test(text) && --left === 0) {
          isCut = true
          throw new Error('the process is gone')
        }
      },
    })
    const starting = startService({ DATA_DIR: folder }, undefined, { clickhouse: cutting })
    const service = await starting.catch(() => undefined)
    await service?.close()
    if (cuts > 40) break
  }
  t.true(cuts > 6, `the upgrade was cut off ${cuts} times`)
  t.log(cuts)
  const made: { text: string }[] = []
  const looking = (part: ClickHouse): ClickHouse => {
    const text = "SELECT create_table_query AS text FROM system.tables WHERE name = 'shop_graph_rel'"
    return {
      ...part,
      async close() {
        made.push(...(await part.rows<{ text: string }>({ text, params: {} })))
        await part.close()
      },
    }
  }
  const { client, close } = await startService({ DATA_DIR: folder }, undefined, { clickhouse: looking })
  for (const { question, now, before } of await answersBeside('cfd7dc4', client)) t.deepEqual(now, before, question)
  await client.event('shop.visits', event)
  t.deepEqual((await client.graph('shop.visits', nodes)).body.rows[0], { a: 'ann', country: 'DE', price: 7 })
  await close()
  for (const done of [/_values Map/, /PROJECTION _by_object \(\s*SELECT \*/, /lightweight_mutation_projection_mode/]) {
    t.regex(made[0]?.text.replaceAll('`', '') ?? '', done)
  }
})
