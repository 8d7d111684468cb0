import test from 'ava'
import { stopServers } from '../../support/clickhouse/server-mode.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)
test.afterEach.always(stopServers)

test('a run that kill -9 cuts off is taken up again at start, and its values are all of one run', async (t) => {
  const DATA_DIR = temporaryFolder()
  const before = await spawnService({ DATA_DIR })
  const path = '/graph/ring/algorithm/components'
  const chain = Array.from({ length: 500 }, (_, node) => `(P:p${node})`).join('-[R]->')
  await before.client.ok(before.client.get('/graph/ring/new'))
  await before.client.ok(before.client.post('/graph/ring/query', `CREATE ${chain}`))
  t.like(await before.client.ok(before.client.post(`${path}?wait=30`, {})), { state: 'done', components: 1 })
  await before.client.ok(before.client.post('/graph/ring/query', 'DELETE (P:p100)'))
  const asked = await before.client.ok(before.client.post(`${path}?wait=0`, {}))
  await before.end('SIGKILL')
  t.true(['running', 'done'].includes(asked.state))

  const { client } = await spawnService({ DATA_DIR })
  await until('the end of the run', async () => (await client.ok(client.get(path))).state === 'done')
  const { rows } = await client.ok(
    client.post('/graph/ring/query', 's=>(@p P:*); RETURN p.component, COUNT(*) AS n SORT_ASC component'),
  )
  t.deepEqual(rows, [
    { component: 0, n: 399 },
    { component: 1, n: 100 },
  ])
})
