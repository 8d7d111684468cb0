import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { openHook } from '../../support/hook.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { createRandom } from '../../support/random/random.ts'
import { seed } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

test('kill -9 amid runs of schedules: each is sent once, and each file is there whole', async (t) => {
  t.timeout(600_000)
  t.log(`seed ${seed}`)
  const { next } = createRandom(seed)
  const hook = await openHook()
  t.teardown(hook.close)
  const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1' }
  let service = await spawnService(settings)
  const { client } = service
  await client.ok(client.post('/brs/bucket', { bucket_name: 'files' }))
  await client.ok(client.post('/db/notification/register', { notifid: 1, endpoints: [hook.url('/sent')] }))
  const cron = '0 0 29 2 *'
  const schedule = [
    { cron, notf: 1 },
    { cron, into: { bucket: 'files', key: 'numbers.csv' } },
  ]
  const sql = 'SELECT number % 3000 AS n, count() AS many FROM numbers(20000000) GROUP BY n'
  await client.ok(client.send('PUT', '/saved/q', { sql, schedule }))
  const wanted: number[] = []
  for (let round = 0; round < 5; round++) {
    const { due } = await service.client.ok(service.client.post('/saved/q/run', {}))
    wanted.push(...due)
    await sleep(next() * 2_500)
    await service.end('SIGKILL')
    service = await spawnService(settings)
    await until(
      'all runs have ended',
      async () => {
        const { runs } = await service.client.ok(service.client.get('/saved/q/runs'))
        const ended = new Set(runs.map((run: { due: number }) => run.due))
        return wanted.every((each) => ended.has(each))
      },
      60_000,
    )
  }
  const { runs } = await service.client.ok(service.client.get('/saved/q/runs'))
  t.deepEqual(runs.map((run: { due: number }) => run.due).toSorted(), wanted.toSorted())
  t.true(runs.every((run: { state: string }) => run.state === 'done'))
  const { text } = await service.client.get('/brs/files/object/numbers.csv')
  t.is(text.split('\n').length, 3_002)
  const sent = () => new Map(hook.at('/sent').map(({ body }) => [body.id, body.due]))
  await until('all are sent', () => sent().size >= 5)
  t.deepEqual(
    [...sent().values()].toSorted(),
    wanted.filter((_, n) => n % 2 === 0),
  )
})
