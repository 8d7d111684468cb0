/** The tables that a release left in a ClickHouse server, brought up to date by two processes that start together. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { answersBeside, folderOf, releases } from './folders.ts'

test.after.always(killServices)

const count = 'select count(*) from shop.visits'

for (const release of releases) {
  test.serial(
    `two processes that start on what ${release} left agree on what it answered, and take events`,
    async (t) => {
      const folder = await folderOf(release)
      const server = await startTestClickHouse({ folder: join(folder, 'clickhouse') })
      t.teardown(server.kill)
      const clickhouse = async (body: string) => (await fetch(server.url, { method: 'POST', body })).text()
      // A migration that came after the release.
      const latest = '(SELECT max(name) FROM weir.migrations)'
      await clickhouse(`DELETE FROM weir.migrations WHERE name = ${latest}`)
      // The first has the objects of the release, in the folder that it goes on with; the other has none.
      const start = (DATA_DIR: string) => spawnService({ DATA_DIR, CLICKHOUSE_URL: server.url })
      const both = await Promise.all([folder, temporaryFolder()].map(start))
      for (const [place, { client }] of both.entries()) {
        for (const { question, now, before } of await answersBeside(release, client)) {
          if (place === 0 || !/"\/(brs|ml)\//.test(question)) t.deepEqual(now, before, question)
        }
      }
      const twice = 'SELECT name FROM weir.migrations GROUP BY name HAVING count() > 1 FORMAT TSV'
      t.is(await clickhouse(twice), '', 'what each of them applied')
      const [{ client }] = both as [(typeof both)[0]]
      const counted = await client.count(count)
      for (const [n, { client }] of both.entries()) {
        await client.event('shop.visits', { visitor: 'ann', page: 'home', price: n, quantity: 1 })
      }
      await until('both events are there', async () => (await client.count(count)) >= counted + 2)
      t.is(await client.count(count), counted + 2)
      for (const { end } of both) t.is((await end('SIGTERM')).code, 0)
    },
  )
}
