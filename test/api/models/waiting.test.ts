import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from './data.ts'
import { createTrainer, requestOf, slow } from './trainer.ts'

test('a training that waits for two others says its place, and goes on once they have ended', async (t) => {
  const service = await startService()
  t.teardown(service.close)
  const { client } = service
  const trainer = createTrainer(client)
  const rows = pointsCsv(6000)
  for (const model of ['slow', 'slower']) {
    await trainer.upload(model, rows)
    await client.ok(client.post('/ml/train', requestOf(model, slow)))
  }
  await until('both long fits', async () => (await trainer.statusOf('slower')).train_req_state === 23, 60_000)
  await trainer.upload('short', pointsCsv(100))
  await client.ok(client.post('/ml/train', requestOf('short', { algo_type: 'LIN' })))
  const waiting = await until('its place', async () => (await trainer.statusOf('short')).waiting, 60_000)
  t.true(waiting.place >= 1)
  t.is(waiting.for, 'threads')
  for (const model of ['slow', 'slower']) await client.ok(client.send('DELETE', `/ml/shop/${model}/request`))
  t.is(await trainer.ended('short'), 25)
  t.is((await trainer.statusOf('short')).waiting, undefined)
  t.regex((await trainer.recordOf('short')).train_log.log.join('\n'), /waiting for (its turn, at place \d+|memory)/)
})
