/** Notifications are sent by a workflow where there is Temporal. */
import { setTimeout as after } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import test, { type ExecutionContext } from 'ava'
import { type Hook, openHook } from '../../support/hook.ts'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { killServices, spawnService } from '../../support/process.ts'
import type { Client as WeirClient } from '../../support/requests/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { writeHistory } from '../../workflows/histories.ts'
import { schema, sendsOnce } from './exactly-once.ts'

const patience_ms = 150_000
test.after.always(killServices)

async function workflowsAt(t: ExecutionContext, address: string) {
  const connection = await Connection.connect({ address })
  t.teardown(() => connection.close())
  return new Client({ connection }).workflow
}

/** Posts one more event, and resolves once its send has come. */
async function sendsOneMore(client: WeirClient, hook: Hook): Promise<void> {
  const before = hook.ids('/each').size
  await client.event('s.st', { n: before })
  await until('the send', () => hook.ids('/each').size > before, patience_ms)
}

withTemporal.serial('sending is one run, begun by the first template, and taken up by the next process', async (t) => {
  t.timeout(600_000)
  const temporal = await startTestTemporal(t)
  const workflow = await workflowsAt(t, temporal.address)
  const handle = workflow.getHandle('notifications')
  const hook = await openHook()
  t.teardown(hook.close)
  const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', TEMPORAL_ADDRESS: temporal.address }
  const first = await spawnService(settings)
  await t.throwsAsync(handle.describe())
  await first.client.ok(first.client.post('/db/notification/register', { notifid: 1, endpoints: [hook.url('/each')] }))
  await first.client.register(schema)
  await sendsOneMore(first.client, hook)
  const { status, runId } = await handle.describe()
  t.is(status.name, 'RUNNING')
  t.is(await (await handle.describe()).staticSummary(), 'Send notifications')
  t.is((await first.end('SIGTERM')).code, 0)

  const second = await spawnService(settings)
  await sendsOneMore(second.client, hook)
  t.is((await handle.describe()).runId, runId)
  if (process.env.UPDATE_HISTORIES === '1') writeHistory('sending-taken-up', historyToJSON(await handle.fetchHistory()))

  await handle.terminate('by a person')
  await until('another run', async () => (await handle.describe()).runId !== runId, patience_ms)
  await sendsOneMore(second.client, hook)
  t.is((await second.end('SIGTERM')).code, 0)
})

withTemporal.serial('while Temporal is away for twenty seconds sends go on, and after it too', async (t) => {
  t.timeout(600_000)
  const temporal = await startTestTemporal(t)
  const hook = await openHook()
  t.teardown(hook.close)
  const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', TEMPORAL_ADDRESS: temporal.address }
  const { client, end } = await spawnService(settings)
  await client.ok(client.post('/db/notification/register', { notifid: 1, endpoints: [hook.url('/each')] }))
  await client.register(schema)
  await sendsOneMore(client, hook)
  await temporal.kill()
  const away = performance.now()
  await sendsOneMore(client, hook)
  // Longer than Temporal waits for a sign of life.
  await after(20_000 - (performance.now() - away))
  await sendsOneMore(client, hook)
  await temporal.restart()
  const workflow = await workflowsAt(t, temporal.address)
  const restarted_s = Date.now() / 1000
  const lastSeen_s = async (): Promise<number> => {
    const [activity] = (await workflow.getHandle('notifications').describe()).raw.pendingActivities ?? []
    return Number(activity?.lastHeartbeatTime?.seconds ?? 0)
  }
  // The same attempt or the next: whether Temporal hears of the first again before it gives it up is chance.
  await until('a sign of life at Temporal', async () => (await lastSeen_s()) > restarted_s, patience_ms)
  for (let send = 0; send < 3; send++) await sendsOneMore(client, hook)
  t.is(hook.ids('/each').size, 6)
  t.is((await end('SIGTERM')).code, 0)
})

withTemporal.serial(
  'on Temporal too each match is sent once, and what was pending is delivered, over kill -9',
  async (t) => {
    t.timeout(600_000)
    const { address } = await startTestTemporal(t)
    const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', TEMPORAL_ADDRESS: address }
    await sendsOnce(t, { start: () => spawnService(settings), processes: 1, batches: 8, killedAt: 4 })
  },
)
