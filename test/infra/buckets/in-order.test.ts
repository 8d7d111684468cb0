import test from 'ava'
import fc from 'fast-check'
import { inOrder } from '../../../infra/buckets/folder/in-order.ts'
import '../../support/random/seed.ts'

async function* each(keys: readonly string[]) {
  yield* keys
}

const ordered = (keys: readonly string[]): string[] =>
  keys
    .map((key) => Buffer.from(key))
    .sort(Buffer.compare)
    .map(String)

test('keys of any letters come in the order of their bytes', async (t) => {
  const key = fc.string({ unit: 'binary', maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(key, { maxLength: 200 }), async (keys) => {
      t.deepEqual(await gather(inOrder(each(keys))), ordered(keys))
    }),
  )
})

test('very many keys come in order, and other work gets its turn meanwhile', async (t) => {
  const keys = Array.from({ length: 52_345 }, (_, i) => `k${(i * 7_919) % 52_345}`)
  let longest_ms = 0
  let last = performance.now()
  const watch = setInterval(() => {
    longest_ms = Math.max(longest_ms, performance.now() - last)
    last = performance.now()
  }, 1)
  t.deepEqual(await gather(inOrder(each(keys))), ordered(keys))
  clearInterval(watch)
  t.true(longest_ms > 0, 'timers ran while keys were sorted')
})

async function gather<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}
