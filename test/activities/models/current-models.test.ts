import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createCurrentModels } from '../../../activities/models/current-models.ts'
import type { ModelVersion, VersionRow } from '../../../activities/models/stores/versions.ts'

test('a version that another process made current is taken within a second, also where the clock of this one jumps back', async (t) => {
  const wall = Date.now
  let back_ms = 0
  Date.now = () => wall() - back_ms
  t.teardown(() => {
    Date.now = wall
  })
  let number = 1
  const models = createCurrentModels(
    { current: async () => ({ number }) as unknown as ModelVersion, list: async () => [] },
    { list: async () => new Map() },
  )
  const asked = async () => (await models.of({ schema: 's', model: 'm' })) as unknown as { number: number }
  t.is((await asked()).number, 1)
  back_ms = 3_600_000
  number = 2
  t.is((await asked()).number, 1, 'it is remembered for a moment')
  await sleep(600)
  t.is((await asked()).number, 2)
})

test('a version that is asked by an alias follows it at once where this process moved it', async (t) => {
  const row = (number: number) => ({ number, current: number === 1 }) as unknown as VersionRow
  let champion = 1
  const models = createCurrentModels(
    { current: async () => row(1), list: async () => [row(1), row(2)] },
    { list: async () => new Map([['champion', champion]]) },
  )
  const key = { schema: 's', model: 'm' }
  const asked = async (version?: number | string) =>
    (await models.of({ ...key, ...(version !== undefined && { version }) }))?.number
  t.deepEqual([await asked(), await asked('champion'), await asked(2), await asked('challenger')], [1, 1, 2, undefined])
  champion = 2
  t.is(await asked('champion'), 1, 'it is remembered for a moment')
  models.forget({ schema: 's', model: 'mm' })
  t.is(await asked('champion'), 1, 'another model is another one')
  models.forget(key)
  t.deepEqual([await asked(), await asked('champion'), await asked(2)], [1, 2, 2])
})
