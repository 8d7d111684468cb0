import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { open } from 'lmdb'
import { createAnswers } from '../../../../infra/log/embedded/answers.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'

const hour_us = 3_600 * 1_000_000

function openAnswers(t: ExecutionContext, every_ms: number) {
  const root = open({ path: join(temporaryFolder(), 'log.mdb'), maxDbs: 8 })
  const answers = createAnswers(root, every_ms)
  t.teardown(async () => {
    await answers.close()
    await root.close()
  })
  const count = () =>
    root.openDB({ name: 'answers' }).getKeysCount() + root.openDB({ name: 'answersByTime' }).getKeysCount()
  return { answers, count }
}

const keysFrom = (from: number, n: number) =>
  Array.from({ length: n }, (_, index) => ({ key: `k${from + index}`, answer: 'a', seq: 1 }))

test('an answer is repeated for 24 hours and no longer', async (t) => {
  const { answers } = openAnswers(t, 60_000)
  const now = Date.now() * 1000
  await Promise.all([
    ...answers.put('s.st', [{ key: 'young', answer: 'yes', seq: 1 }], now - 23.9 * hour_us),
    ...answers.put('s.st', [{ key: 'old', answer: 'no', seq: 1 }], now - 24.1 * hour_us),
  ])
  t.deepEqual([answers.get('s.st', 'young'), answers.get('s.st', 'old')], ['yes', undefined])
})

test('one sweep forgets all answers whose time has passed, however many, and no other', async (t) => {
  const { answers, count } = openAnswers(t, 200)
  const now = Date.now() * 1000
  const [old, young] = [50_000, 100]
  await Promise.all([
    ...answers.put('s.st', keysFrom(0, old), now - 25 * hour_us),
    ...answers.put('s.st', keysFrom(old, young), now - hour_us),
  ])
  await until('the old ones are gone', () => count() === 2 * young, 15_000)
  t.is(answers.get('s.st', `k${old}`), 'a')
})
