import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { open } from 'lmdb'
import { giveSpaceBack } from '../../../../infra/log/embedded/give-space-back.ts'
import { type AnswersOptions, createAnswers } from '../../../../infra/log/shared/answers.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'

const hour_us = 3_600 * 1_000_000

function openAnswers(
  t: ExecutionContext,
  every_ms: number,
  folder = temporaryFolder(),
  more: Partial<AnswersOptions> = {},
) {
  const root = open({ path: join(folder, 'log.mdb'), maxDbs: 16 })
  const answers = createAnswers(root, { every_ms, ...more })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= answers.close().then(() => root.close())
    return closing
  }
  t.teardown(close)
  return { answers, root, close, folder }
}

const keysFrom = (from: number, n: number) =>
  Array.from({ length: n }, (_, index) => ({ key: `k${from + index}`, answer: 'a', seq: 1 }))

test('an answer is repeated for 24 hours and no longer', async (t) => {
  const { answers } = openAnswers(t, 60_000)
  const now = Date.now() * 1000
  for (const hours of [0, 6, 11.9, 12.1, 23.9, 24.1, 30, 47]) {
    await Promise.all(answers.put('s.st', [{ key: `${hours}`, answer: 'y\u00e4', seq: 1 }], now - hours * hour_us))
    t.is(answers.get('s.st', `${hours}`), hours < 24 ? 'y\u00e4' : undefined, `${hours} hours`)
  }
})

test('what is put and taken back in the same turn was never there, and other keys are', async (t) => {
  const { answers } = openAnswers(t, 60_000)
  const now = Date.now() * 1000
  await Promise.all([
    ...answers.put('s.st', keysFrom(1, 2), now),
    ...answers.put('s.other', keysFrom(1, 1), now),
    ...answers.unput('s.st', keysFrom(1, 1), now),
  ])
  t.deepEqual(
    [answers.get('s.st', 'k1'), answers.get('s.st', 'k2'), answers.get('s.other', 'k1')],
    [undefined, 'a', 'a'],
  )
})

test("a batch's progress is there again once what was put over it is taken back in the same turn", async (t) => {
  const { answers } = openAnswers(t, 60_000)
  const now = Date.now() * 1000
  const progress = (answer: string) => [{ key: 'batch', answer, seq: 1 }]
  await Promise.all(answers.put('s.st', progress('2,000 lines'), now))
  await Promise.all([
    ...answers.put('s.st', progress('4,000 lines'), now),
    ...answers.unput('s.st', progress('4,000 lines'), now),
  ])
  t.is(answers.get('s.st', 'batch'), '2,000 lines')
})

const noon_us = 20_000 * 24 * hour_us + 12 * hour_us

test('a clock that is set back over noon takes no answer along, also where the service starts anew meanwhile', async (t) => {
  let now = noon_us + 60_000_000
  const wall_us = () => now
  const folder = temporaryFolder()
  const first = openAnswers(t, 20, folder, { wall_us })
  await Promise.all(first.answers.put('s.st', keysFrom(1, 1), now))
  now -= hour_us
  await Promise.all(first.answers.put('s.st', keysFrom(2, 1), now))
  await sleep(100)
  t.deepEqual([first.answers.get('s.st', 'k1'), first.answers.get('s.st', 'k2')], ['a', 'a'])
  await first.close()
  const { answers } = openAnswers(t, 20, folder, { wall_us, known_us: noon_us + 60_000_000 })
  await sleep(100)
  t.deepEqual([answers.get('s.st', 'k1'), answers.get('s.st', 'k2')], ['a', 'a'])
})

test('a clock that was a year ahead for a moment keeps no key from being forgotten in its time', async (t) => {
  let now = noon_us
  const { answers } = openAnswers(t, 20, temporaryFolder(), { wall_us: () => now })
  now += 365 * 24 * hour_us
  await Promise.all(answers.put('s.st', keysFrom(1, 1), now))
  now = noon_us + 1_000_000
  await Promise.all(answers.put('s.st', keysFrom(2, 1), now))
  for (let half = 1; half <= 5; half++) {
    now = noon_us + half * 12 * hour_us
    await sleep(100)
  }
  t.deepEqual([answers.get('s.st', 'k1'), answers.get('s.st', 'k2')], [undefined, undefined])
  await sleep(1_000)
  t.is(answers.count(), 0)
})

test('all answers of a time are forgotten at once, however many, no other is, and their space is given back', async (t) => {
  // At a fixed time of the day: 37 hours before it must lie in the half day that is emptied next.
  const now = noon_us + 6 * hour_us
  const wall_us = () => now
  const { answers, folder, close } = openAnswers(t, 100, temporaryFolder(), { wall_us })
  const old = 300_000
  for (let from = 0; from < old; from += 100_000) {
    await Promise.all(answers.put('s.st', keysFrom(from, 100_000), now - 37 * hour_us))
  }
  await Promise.all(answers.put('s.st', keysFrom(old, 100), now - hour_us))
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  await until('the old ones are gone', () => answers.count() === 100, 15_000)
  t.is(answers.get('s.st', `k${old}`), 'a')
  await close()

  const sizeOf = () => statSync(join(folder, 'log.mdb')).size
  const before = sizeOf()
  await giveSpaceBack(folder, silentLogger(), 1024 * 1024)
  const again = openAnswers(t, 60_000, folder, { wall_us })
  t.is(again.answers.get('s.st', `k${old}`), 'a')
  t.true(sizeOf() < before / 50, `${before} to ${sizeOf()} bytes`)
})

test('a queue that is dropped is asked in vain, and one of its name begins anew', async (t) => {
  const { answers } = openAnswers(t, 60_000)
  const now = Date.now() * 1000
  await Promise.all([...answers.put('s.st', keysFrom(1, 1), now), ...answers.put('s.other', keysFrom(1, 1), now)])
  await answers.drop('s.st')
  t.deepEqual([answers.get('s.st', 'k1'), answers.get('s.other', 'k1')], [undefined, 'a'])
  await Promise.all(answers.put('s.st', [{ key: 'k1', answer: 'new', seq: 2 }], now))
  t.is(answers.get('s.st', 'k1'), 'new')
})
