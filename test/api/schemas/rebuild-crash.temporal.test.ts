import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { differences } from '../streams/compare.ts'
import { everyKind, nextEvent } from './rebuild-schema.ts'

/** Kills the process again and again while it rebuilds, at moments from its begin to its end. */
async function killAndCompare(
  t: ExecutionContext,
  settings: Readonly<Record<string, string>>,
  delays_ms: readonly number[],
) {
  const folder = temporaryFolder()
  let service = await spawnService({ ...settings, DATA_DIR: folder })
  t.teardown(() => service.end('SIGKILL'))
  const schema = everyKind('killed')
  await service.client.register(schema)
  const posted = { s: Array.from({ length: 6000 }, nextEvent), other: Array.from({ length: 500 }, nextEvent) }
  await service.client.lines('killed.s', posted.s)
  await service.client.lines('killed.other', posted.other)
  const rebuild = async () =>
    (await service.client.ok(service.client.get('/stream/killed/info?consistency=eventual'))).streams[0].rebuild
  let isWanted = true
  for (const delay_ms of delays_ms) {
    if (isWanted) await service.client.ok(service.client.post('/stream/killed/s/rebuild', ''))
    const events = Array.from({ length: 5 }, nextEvent)
    await service.client.lines('killed.s', events)
    posted.s.push(...events)
    await sleep(delay_ms)
    await service.end('SIGKILL')
    service = await spawnService({ ...settings, DATA_DIR: folder })
    isWanted = (await rebuild())?.state !== 'running'
  }
  const end = await until(
    'the rebuild',
    async () => {
      const now = await rebuild()
      return now?.state === 'running' ? undefined : now
    },
    170_000,
  )
  t.like(end, { state: 'done' })
  t.deepEqual(await differences(service.client, schema, posted), [])
  t.is((await service.end('SIGTERM')).code, 0)
}

test('a rebuild that kill -9 cuts off is taken up at the next start', (t) => killAndCompare(t, {}, [0, 150, 400]))

withTemporal('on Temporal a worker killed amid a step is replaced by the next one', async (t) => {
  const { address } = await startTestTemporal(t)
  await killAndCompare(t, { TEMPORAL_ADDRESS: address }, [300])
})
