import test from 'ava'
import { createSessions } from '../../../activities/prediction/sessions.ts'
import { sumModel } from './models.ts'

function counted(limits?: { maxSessions: number; maxBytes: number }) {
  const loads: string[] = []
  const sessions = createSessions(
    async (key) => {
      loads.push(key)
      if (key === 'broken') throw new Error('no such object')
      return sumModel()
    },
    limits === undefined ? {} : { limits },
  )
  return { loads, sessions, use: (key: string) => sessions.use(key, async ({ bytes }) => bytes) }
}

test('a model is loaded once, also by those who come at the same time', async (t) => {
  const { loads, use } = counted()
  await Promise.all([use('a'), use('a'), use('b'), use('a')])
  await use('a')
  t.deepEqual(loads, ['a', 'b'])
})

test('the longest unused models are given up where there are too many', async (t) => {
  const { loads, sessions, use } = counted({ maxSessions: 2, maxBytes: 1e9 })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await use(key)
  t.deepEqual(loads, ['a', 'b', 'c', 'b'])
  t.is(sessions.size().sessions, 2)
})

test('bytes bound the models too, and one that is larger than the bound is still served', async (t) => {
  const size = sumModel().byteLength
  const { sessions, use } = counted({ maxSessions: 100, maxBytes: 2.5 * size })
  for (const key of ['a', 'b', 'c', 'd']) await use(key)
  t.deepEqual(sessions.size(), { sessions: 2, bytes: 2 * size })
  const small = counted({ maxSessions: 100, maxBytes: 1 })
  t.is(await small.use('a'), size)
})

test('a model in use stays usable when it is given up', async (t) => {
  const { sessions, use } = counted({ maxSessions: 1, maxBytes: 1e9 })
  const inputs = await sessions.use('a', async ({ onnx }) => {
    await use('b')
    sessions.forget('a')
    return onnx.inputMetadata.map(({ name }) => name)
  })
  t.deepEqual(inputs, ['numbers', 'words'])
})

test('a model that could not be loaded is tried again', async (t) => {
  const { loads, sessions, use } = counted()
  await t.throwsAsync(use('broken'), { message: 'no such object' })
  await t.throwsAsync(use('broken'), { message: 'no such object' })
  t.deepEqual(loads, ['broken', 'broken'])
  t.deepEqual(sessions.size(), { sessions: 0, bytes: 0 })
})

test('after forgetting, the new file is loaded', async (t) => {
  const { loads, sessions, use } = counted()
  await use('a')
  sessions.forget('a')
  await use('a')
  t.deepEqual(loads, ['a', 'a'])
})
