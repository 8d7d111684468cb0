/** Notifications are sent where there is Temporal, and while it is away. */
import test from 'ava'
import { openHook } from '../../support/hook.ts'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { schema } from './exactly-once.ts'

test.after.always(killServices)

withTemporal.serial(
  'notifications are sent while Temporal is away, and the next process goes on with them',
  async (t) => {
    t.timeout(750_000)
    const temporal = await startTestTemporal(t)
    const hook = await openHook()
    t.teardown(hook.close)
    const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', TEMPORAL_ADDRESS: temporal.address }
    const sendsOneMore = async ({ client }: Awaited<ReturnType<typeof spawnService>>): Promise<void> => {
      const before = hook.ids('/each').size
      await client.event('s.st', { n: before })
      await until('the send', () => hook.ids('/each').size > before, 60_000)
    }
    const first = await spawnService(settings)
    const template = { notifid: 1, endpoints: [hook.url('/each')] }
    await first.client.ok(first.client.post('/db/notification/register', template))
    await first.client.register(schema)
    await sendsOneMore(first)
    await temporal.kill()
    await sendsOneMore(first)
    t.is((await first.end('SIGTERM')).code, 0)
    const second = await spawnService(settings)
    await sendsOneMore(second)
    t.is(hook.ids('/each').size, 3)
    t.is((await second.end('SIGTERM')).code, 0)
  },
)
