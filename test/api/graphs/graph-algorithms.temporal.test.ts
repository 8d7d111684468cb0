import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { sharedTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { writeHistory } from '../../workflows/histories.ts'

withTemporal('an algorithm runs on Temporal, whose UI says which one over which graph', async (t) => {
  const { address } = await sharedTemporal()
  const service = await startService({ TEMPORAL_ADDRESS: address })
  t.teardown(() => service.close())
  const { client } = service
  await client.ok(client.get('/graph/remote/new'))
  await client.ok(client.post('/graph/remote/query', 'CREATE (P:a)-[R]->(P:b)'))
  await client.ok(client.post('/graph/remote/algorithm/degree?wait=0', {}))
  const done = await until(
    'the end of the run',
    async () => {
      const told = await client.ok(client.get('/graph/remote/algorithm/degree'))
      return told.state === 'running' ? undefined : told
    },
    150_000,
  )
  t.like(done, { state: 'done', nodes: 2, relations: 1 })
  const { rows } = await client.ok(client.post('/graph/remote/query', 's=>(@a P:*); RETURN a.degree'))
  t.deepEqual(rows, [{ degree: 1 }, { degree: 1 }])

  const connection = await Connection.connect({ address })
  t.teardown(() => connection.close())
  const { workflow } = new Client({ connection })
  const handle = workflow.getHandle('algorithm:remote:degree')
  t.is(await (await handle.describe()).staticSummary(), 'Run degree over graph remote into property degree')
  if (process.env.UPDATE_HISTORIES === '1') writeHistory('algorithm-done', historyToJSON(await handle.fetchHistory()))
})
