import test from 'ava'
import { startService } from '../../support/service.ts'
import { pointsCsv } from './data.ts'
import { createTrainer } from './trainer.ts'

const { client, close } = await startService({ MAX_MODEL_VERSIONS: '2' })
test.after.always(close)
const trainer = createTrainer(client)

test('of a model so many versions are kept as the setting says, the current one always', async (t) => {
  const numbers = async () => {
    const { versions } = await client.ok(client.get('/ml/shop/often/versions'))
    return versions.map(({ version, current }: { version: number; current: boolean }) => (current ? -version : version))
  }
  const train = async () => {
    await trainer.upload('often', pointsCsv(40))
    t.is(await trainer.train('often', { algo_type: 'LIN' }), 25)
  }
  for (let i = 0; i < 3; i++) await train()
  t.deepEqual(await numbers(), [-3, 2])
  t.true((await trainer.recordOf('often')).train_log.log.includes('version 1 is removed: MAX_MODEL_VERSIONS is 2'))
  await client.ok(client.send('PUT', '/ml/shop/often/version', JSON.stringify({ version: 2 })))
  t.deepEqual(await numbers(), [3, -2])
  await train()
  t.deepEqual(await numbers(), [-4, 3])
})
