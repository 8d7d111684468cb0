import { setTimeout as sleep } from 'node:timers/promises'
import test, { registerCompletionHandler } from 'ava'
import { createPlaces } from '../../../../infra/clickhouse/analysts/places.ts'

// Callers that still wait when all is tested would keep the process for a minute.
registerCompletionHandler(() => process.exit())

const refuse = (why: string) => new Error(why)
const make = (more: Partial<Parameters<typeof createPlaces>[1]> = {}) =>
  createPlaces(['one', 'two'], { max: 4, patience_ms: 60_000, refuse, ...more })

const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, sleep(20, 'pending')])) === 'pending'

test('a caller that is alone takes every place', async (t) => {
  const places = make()
  t.deepEqual([await places.acquire('a'), await places.acquire('a')].sort(), ['one', 'two'])
})

test('a caller that keeps every place busy leaves one free once another has asked', async (t) => {
  const places = make()
  const held = [await places.acquire('a'), await places.acquire('a')]
  const more = [places.acquire('a'), places.acquire('a')]
  const other = places.acquire('b')
  for (const place of held) places.release(place)
  const mine = await other
  t.true(await isPending(Promise.all(more)))
  places.release(mine)
  t.true(await isPending(Promise.all(more)), 'the second place stays free for b')
  t.is(await places.acquire('b'), mine)
})

test('others are forgotten once they have not asked for a while', async (t) => {
  const places = make({ shares_ms: 10 })
  places.release(await places.acquire('b'))
  await sleep(30)
  await places.acquire('a')
  await t.notThrowsAsync(places.acquire('a'))
})

test('where the line is full, the caller with the most in it gives up its newest for one with fewer', async (t) => {
  const places = make()
  await places.acquire('b')
  await places.acquire('a')
  const [first, second, third, last] = ['first', 'second', 'third', 'last'].map(() => places.acquire('a'))
  await t.throwsAsync(places.acquire('a'), { message: 'full' })
  const other = [places.acquire('b'), places.acquire('c')]
  await t.throwsAsync(Promise.all([last]), { message: 'full' })
  await t.throwsAsync(Promise.all([third]), { message: 'full' })
  await t.throwsAsync(places.acquire('b'), { message: 'full' })
  t.true(await isPending(Promise.race([first, second, ...other])))
})

test('a hundred callers, one of them with forty queries, are served in turn', async (t) => {
  const places = make({ max: 256 })
  const served: string[] = []
  const held: string[] = []
  const ask = (caller: string): void =>
    void places.acquire(caller).then((place) => {
      served.push(caller)
      held.push(place)
    })
  for (let query = 0; query < 40; query++) ask('many')
  for (let caller = 1; caller < 100; caller++) ask(`caller ${caller}`)
  while (served.length < 139) {
    await sleep(0)
    const place = held.shift()
    if (place === undefined) break
    places.release(place)
  }
  t.is(served.length, 139)
  const turn = served.slice(2, 102) // The first two came while no other key asked.
  t.is(new Set(turn).size, 100, `in the first hundred turns 'many' had ${turn.filter((who) => who === 'many').length}`)
})

test('to wait ends with the signal, or with patience', async (t) => {
  const places = make({ patience_ms: 30 })
  await places.acquire('a')
  await places.acquire('a')
  const gone = new AbortController()
  const left = places.acquire('a', gone.signal)
  gone.abort(new Error('gone'))
  await t.throwsAsync(left, { message: 'gone' })
  await t.throwsAsync(places.acquire('a'), { message: 'late' })
})
