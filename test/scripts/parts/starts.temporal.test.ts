import { Connection, WorkflowClient } from '@temporalio/client'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'

withTemporal(
  'a Temporal that is killed or stopped comes back where it was, with its workflows and its UI',
  async (t) => {
    const server = await startTestTemporal(t)
    const ends = ['kill', 'stop'] as const
    for (const end of ends) {
      const connection = await Connection.connect({ address: server.address })
      const client = new WorkflowClient({ connection })
      await client.start('waits', { taskQueue: 'nobody-works-on-it', workflowId: `before-${end}` })
      await connection.close()
      await server[end]()
      await server.restart()
    }
    const connection = await Connection.connect({ address: server.address })
    t.teardown(() => connection.close())
    const client = new WorkflowClient({ connection })
    for (const end of ends) t.is((await client.getHandle(`before-${end}`).describe()).status.name, 'RUNNING')
    t.true((await fetch(server.uiAddress)).ok)
  },
)
