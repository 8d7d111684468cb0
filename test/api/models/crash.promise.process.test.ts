import test from 'ava'
import { spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from './data.ts'
import { createTrainer, requestOf, slow } from './trainer.ts'

test('a training that was amid its fit when the process was killed is completed after a restart', async (t) => {
  const settings = { DATA_DIR: temporaryFolder() }
  const first = await spawnService(settings)
  const before = createTrainer(first.client)
  await before.upload('long', pointsCsv(5_000))
  await first.client.ok(first.client.post('/ml/train', requestOf('long', slow)))
  await until(
    'the fit',
    async () =>
      (await before.recordOf('long')).train_log.log.some((line: string) => line.startsWith('starting training')),
    90_000,
  )
  t.is((await before.statusOf('long')).train_req_state, 23)
  const { train_start_ts } = await before.recordOf('long')
  await first.end('SIGKILL')

  const second = await spawnService(settings)
  t.teardown(() => second.end('SIGKILL'))
  const after = createTrainer(second.client)
  t.is(await after.ended('long'), 25)
  const record = await after.recordOf('long')
  const { log } = record.train_log
  t.is(record.train_start_ts, train_start_ts)
  t.is(log.filter((line: string) => line.startsWith('retrieved')).length, 1, 'what was done is not done again')
  t.is(log.filter((line: string) => line.startsWith('starting training')).length, 2)
  t.is((await second.client.ok(second.client.get('/ml/shop/long/versions'))).num_versions, 1)
})
