import test from 'ava'
import { addressName, createRateLimit } from '../../../infra/limits/rate-limit.ts'

test('twice the rate may come at once, and each name has its own', (t) => {
  const limit = createRateLimit(5, () => 0)
  for (let n = 1; n <= 10; n++) t.like(limit.take('address', 'a'), { isOver: false, limit: 10, remaining: 10 - n })
  t.deepEqual(limit.take('address', 'a'), { isOver: true, limit: 10, remaining: 0, reset_s: 1 })
  t.false(limit.take('address', 'b').isOver)
  limit.close()
})

test('whenever they come, no more are taken than twice the rate and what the time brings', (t) => {
  let now_ms = 0
  const limit = createRateLimit(5, () => now_ms)
  const taken: number[] = []
  for (; now_ms < 10_000; now_ms += 20) {
    const isQuiet = now_ms > 3_000 && now_ms < 6_000
    if (!isQuiet && !limit.take('address', 'a').isOver) taken.push(now_ms)
  }
  for (const from of taken) {
    for (const within_ms of [260, 1_000, 2_000, 4_000]) {
      const count = taken.filter((at) => at >= from && at <= from + within_ms).length
      t.true(count <= 10 + (within_ms / 1000) * 5, `${count} within ${within_ms} ms from ${from} on`)
    }
  }
  t.deepEqual([taken.filter((at) => at <= 3_000).length, taken.filter((at) => at >= 6_000).length], [25, 29])
  limit.close()
})

test('who waits as long as the refusal says is taken', (t) => {
  let now_ms = 0
  for (const rate of [1, 3, 1000]) {
    const limit = createRateLimit(rate, () => now_ms)
    for (let n = 0; n < 2 * rate; n++) limit.take('address', 'a')
    const { isOver, reset_s } = limit.take('address', 'a')
    now_ms += reset_s * 1000
    t.deepEqual([isOver, limit.take('address', 'a').isOver], [true, false])
    limit.close()
  }
})

test('names beyond what is counted apart share one count', (t) => {
  const limit = createRateLimit(2, () => 0)
  for (let n = 0; n < 50_000; n++) limit.take('address', String(n))
  const beyond = Array.from({ length: 10 }, (_, n) => limit.take('address', `beyond ${n}`))
  t.is(beyond.filter(({ isOver }) => !isOver).length, 4)
  t.like(limit.take('address', '0'), { isOver: false, remaining: 2 })
  limit.close()
})

test('an address counts by what one subscriber has to himself', (t) => {
  for (const [address, name] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8:0:0::'],
    ['::1', '0:0:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
  ] as const) {
    t.is(addressName(address), name)
  }
})

test('a flood of addresses leaves each key its own count', (t) => {
  const limit = createRateLimit(1)
  t.teardown(limit.close)
  for (let n = 0; n < 60_000; n++) limit.take('address', String(n))
  t.true(limit.take('address', 'another').isOver)
  for (const name of ['a', 'b', 'c', 'd']) t.false(limit.take('key', name).isOver)
})
