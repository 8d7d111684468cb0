/** A Temporal that stands still: its connections stay, and nothing answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from './data.ts'
import { createTrainer, requestOf } from './trainer.ts'

const stands_ms = 22_000
/** A call waits three seconds for Temporal, in each of its few steps. */
const longest_ms = 15_000
const models = Array.from({ length: 40 }, (_, n) => `m${n}`)

withTemporal(
  'while Temporal stands still for over twenty seconds, forty trainings asked for at once are refused, all else goes on, and each is made once it goes on',
  async (t) => {
    t.timeout(750_000)
    const temporal = await startTestTemporal(t)
    const { client, close } = await startService({ TEMPORAL_ADDRESS: temporal.address })
    t.teardown(close)
    const trainer = createTrainer(client)
    for (const model of ['begun', ...models]) await trainer.upload(model, pointsCsv(40))
    await client.register({ schema: 'still', streams: [{ name: 's', type: 1, attr: [{ name: 'n', type: 'LONG' }] }] })
    const ask = (model: string) => client.post('/ml/train', requestOf(model, { algo_type: 'LIN' }))
    t.is((await ask('begun')).status, 200)

    await temporal.pause()
    const stood = performance.now()
    const asked = Promise.all(models.map(ask))
    for (let n = 0; n < 20; n++) await client.event('still.s', { n })
    t.is(await client.count('select count(*) from still.s'), 20)
    for (const { status, body, headers } of await asked) {
      t.is(status, 503, JSON.stringify(body))
      t.is(body.errcode, -7)
      t.true(Number(headers.get('retry-after')) > 0)
    }
    const took_ms = performance.now() - stood
    t.true(took_ms < longest_ms, `${took_ms} ms`)
    const ready = await client.get('/health/ready')
    t.is(ready.status, 200)
    t.is(ready.body.parts.orchestration.status, 'down')
    await sleep(Math.max(0, stands_ms - (performance.now() - stood)))

    temporal.resume()
    t.is(await trainer.ended('begun'), 25)
    const taken = new Set<string>()
    await until(
      'every training is taken',
      async () => {
        for (const model of models.filter((each) => !taken.has(each))) {
          const { status } = await ask(model)
          // 409: the call that was refused came to Temporal after all.
          if (status === 200 || status === 409) taken.add(model)
        }
        return taken.size === models.length
      },
      150_000,
    )
    for (const model of models) t.is(await trainer.ended(model), 25, model)
  },
)
