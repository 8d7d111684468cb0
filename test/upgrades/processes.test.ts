/** What an earlier version left in a ClickHouse server, brought up to date by two processes that start together. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { answersBeside, folderOf, forms } from './forms.ts'

test.after.always(killServices)

const count = 'select count(*) from shop.visits'

for (const form of forms) {
  test.serial(`two processes that start on what ${form} left agree on what it answered, and take events`, async (t) => {
    const folder = await folderOf(form)
    const server = await startTestClickHouse({ folder: join(folder, 'clickhouse') })
    t.teardown(server.kill)
    // The first has the objects of the version before, in the folder that it goes on with; the other has none.
    const start = (DATA_DIR: string) => spawnService({ DATA_DIR, CLICKHOUSE_URL: server.url })
    const both = await Promise.all([folder, temporaryFolder()].map(start))
    for (const [place, { client }] of both.entries()) {
      for (const { question, now, before } of await answersBeside(form, client)) {
        if (place === 0 || !question.includes('"/brs/')) t.deepEqual(now, before, question)
      }
    }
    const twice = 'SELECT name FROM weir.migrations GROUP BY name HAVING count() > 1 FORMAT TSV'
    t.is(await (await fetch(server.url, { method: 'POST', body: twice })).text(), '', 'what each of them applied')
    const [{ client }] = both as [(typeof both)[0]]
    const counted = await client.count(count)
    for (const [n, { client }] of both.entries()) {
      await client.event('shop.visits', { visitor: 'ann', page: 'home', price: n, quantity: 1 })
    }
    await until('both events are there', async () => (await client.count(count)) >= counted + 2)
    t.is(await client.count(count), counted + 2)
    for (const { end } of both) t.is((await end('SIGTERM')).code, 0)
  })
}
