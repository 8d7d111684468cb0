import { join } from 'node:path'
import test from 'ava'
import { createKeptClock } from '../../../../infra/log/shared/kept-clock.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const hour_us = 3_600_000_000
const now_us = 1_800_000_000_000_000

test('values grow across a restart that nobody announced, though the wall clock went back an hour', (t) => {
  const path = join(temporaryFolder(), 'new', 'clock')
  let now = now_us
  const one = createKeptClock(path, 0, () => now)
  let last = 0
  for (let i = 0; i < 5_000; i++) {
    last = one.next()
    now += 1_000
  }
  const two = createKeptClock(path, 0, () => now - hour_us)
  const first = two.next()
  t.true(first > last)
  t.true(first - last <= 1_000_001, 'it is not ahead by more than a second')
})

test('a clean end keeps the exact last value', (t) => {
  const path = join(temporaryFolder(), 'clock')
  const one = createKeptClock(path, 0, () => now_us)
  const last = [one.next(), one.next(), one.next()].at(-1) ?? 0
  one.close()
  const two = createKeptClock(path, 0, () => now_us - hour_us)
  t.is(two.next(), last + 1)
  two.close()
})

test('processes that share the file each begin above what any of them had kept', (t) => {
  const path = join(temporaryFolder(), 'clock')
  const [ahead, behind] = [createKeptClock(path, 0, () => now_us + hour_us), createKeptClock(path, 0, () => now_us)]
  const greatest = ahead.next()
  behind.next()
  behind.close()
  t.true(createKeptClock(path, 0, () => now_us).next() > greatest)
})

test('it begins above a value known from elsewhere', (t) => {
  const clock = createKeptClock(join(temporaryFolder(), 'clock'), now_us + hour_us, () => now_us)
  t.is(clock.next(), now_us + hour_us + 1)
})
