import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createCurrentModels } from '../../../activities/models/current-models.ts'
import type { ModelVersion } from '../../../activities/models/stores/versions.ts'

test('a version that another process made current is taken within a second, also where the clock of this one jumps back', async (t) => {
  const wall = Date.now
  let back_ms = 0
  Date.now = () => wall() - back_ms
  t.teardown(() => {
    Date.now = wall
  })
  let number = 1
  const models = createCurrentModels({ current: async () => ({ number }) as unknown as ModelVersion })
  const asked = async () => (await models.of({ schema: 's', model: 'm' })) as unknown as { number: number }
  t.is((await asked()).number, 1)
  back_ms = 3_600_000
  number = 2
  t.is((await asked()).number, 1, 'it is remembered for a moment')
  await sleep(600)
  t.is((await asked()).number, 2)
})
