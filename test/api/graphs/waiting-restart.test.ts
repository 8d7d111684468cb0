/** Clients' writes to a graph, while they wait in the log that an earlier process has left. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DATA_DIR = temporaryFolder()
const analysts = await freePort()
/** A service into whose graphs nothing comes before `letIn` resolves. */
const start = (letIn: Promise<unknown>) =>
  startService({ DATA_DIR, CLICKHOUSE_HTTP_PORT: `${analysts}` }, undefined, {
    clickhouse: (part) => ({
      ...part,
      insert: async (insertion) => {
        if (insertion.table.startsWith('`graph`.')) await letIn
        await part.insert(insertion)
      },
    }),
  })

test('after a restart analysts, statistics and queries see what an earlier process acknowledged', async (t) => {
  const earlier = await start(Promise.reject(new Error('nothing comes in')))
  await earlier.client.ok(earlier.client.post('/graph/left/node', { label: 'P', name: 'a', prop: { n: 1 } }))
  await earlier.client.ok(earlier.client.send('POST', '/graph/left/query', 'CREATE (P:a)-[R]->(P:b)'))
  await earlier.close()

  const { client, close } = await start(sleep(700))
  t.teardown(close)
  const sql = 'SELECT (SELECT count() FROM graph.left), (SELECT count() FROM graph.left_rel) FORMAT CSV'
  const answers = await Promise.all([
    fetch(`http://127.0.0.1:${analysts}/`, { method: 'POST', body: sql }).then((answer) => answer.text()),
    client.ok(client.get('/graph/stat/0')).then(({ graphs }) => graphs[0].rel.table[0].num_records),
    client
      .ok(client.send('POST', '/graph/left/query', 's=>(@p P:*)-[R]->(@q P:*); RETURN p.n, q.name'))
      .then(({ rows }) => rows),
  ])
  t.deepEqual(answers, ['2,1\n', 1, [{ n: 1, name: 'b' }]])
})
