import test from 'ava'
import { addressName, createRateLimit } from '../../../infra/limits/rate-limit.ts'

test('twice the rate may come at once, and each name has its own', async (t) => {
  const limit = createRateLimit(5)
  for (let n = 1; n <= 10; n++) t.like(await limit.take('a'), { isOver: false, limit: 10, remaining: 10 - n })
  const over = await limit.take('a')
  t.like(over, { isOver: true, remaining: 0 })
  t.true(over.reset_s >= 1 && over.reset_s <= 2)
  t.false((await limit.take('b')).isOver)
  limit.close()
})

test('names beyond what is counted apart share one count', async (t) => {
  const limit = createRateLimit(2)
  for (let n = 0; n < 50_000; n++) await limit.take(String(n))
  const beyond = await Promise.all(Array.from({ length: 10 }, (_, n) => limit.take(`beyond ${n}`)))
  // On a slow machine a window ends amid the loop, and names are counted anew.
  if (beyond.some(({ isOver }) => isOver)) t.is(beyond.filter(({ isOver }) => !isOver).length, 4)
  t.like(await limit.take('0'), { limit: 4 })
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
