import test from 'ava'
import { createRandom, draw, shuffle } from '../../learn/random.ts'

test('numbers are uniform: means, and each place of a short shuffle equally often', (t) => {
  const random = createRandom(3)
  const count = 60_000
  let sum = 0
  for (let i = 0; i < count; i++) sum += random.uniform()
  t.true(Math.abs(sum / count - 0.5) < 0.005)
  const places = new Int32Array(9)
  for (let i = 0; i < count; i++) {
    const entries = Int32Array.of(0, 1, 2)
    shuffle(entries, random)
    for (const [place, entry] of entries.entries()) {
      const cell = 3 * place + entry
      places[cell] = (places[cell] ?? 0) + 1
    }
  }
  for (const times of places) t.true(Math.abs(times / count - 1 / 3) < 0.01, `${places}`)
})

test('a drawn sample holds each entry equally often, and loses none', (t) => {
  const random = createRandom(4)
  const times = new Int32Array(10)
  for (let i = 0; i < 20_000; i++) {
    const entries = Int32Array.from(times.keys())
    draw(entries, random, 3)
    t.is(new Set(entries).size, 10)
    for (const entry of entries.subarray(0, 3)) times[entry] = (times[entry] ?? 0) + 1
  }
  for (const count of times) t.true(Math.abs(count / 20_000 - 0.3) < 0.02, `${times}`)
})

test('a shuffle of the first entries leaves the others alone', (t) => {
  const entries = Int32Array.from({ length: 20 }, (_, i) => i)
  shuffle(entries, createRandom(5), 10)
  t.deepEqual([...entries.subarray(10)], [10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  t.notDeepEqual([...entries.subarray(0, 10)], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('seeds that differ give numbers that differ, the same one the same', (t) => {
  const first = (seed: number): number => createRandom(seed).uniform()
  t.is(new Set([-1, 0, 1, 2, 2 ** 32, 2 ** 33, 1e15].map(first)).size, 7)
  t.is(first(9), first(9))
})
