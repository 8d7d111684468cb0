import test from 'ava'
import { createMemoryBudget } from '../../../../activities/training/threads/memory-budget.ts'

/** Work that begins when it has its memory, and ends when it is let go. */
function createWork() {
  let end = (): void => {}
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    of: (name: string) => async () => {
      begun.push(name)
      await new Promise<void>((resolve) => {
        end = resolve
        ends.set(name, end)
      })
    },
    end: (name: string) => ends.get(name)?.(),
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const { signal } = new AbortController()

test('what does not fit beside the others waits, a large one before the small ones behind it', async (t) => {
  const { within } = createMemoryBudget(100)
  const work = createWork()
  const waited: string[] = []
  const ask = (name: string, bytes: number) => within(bytes, { signal, waits: () => waited.push(name) }, work.of(name))
  const all = [ask('a', 60), ask('b', 30), ask('large', 80), ask('small', 10)]
  await settle()
  t.deepEqual(work.begun, ['a', 'b'])
  t.deepEqual(waited, ['large', 'small'])
  work.end('a')
  await settle()
  t.deepEqual(work.begun, ['a', 'b'])
  work.end('b')
  await settle()
  t.deepEqual(work.begun, ['a', 'b', 'large', 'small'])
  work.end('large')
  work.end('small')
  await Promise.all(all)
})

test('a training one step of which runs does not wait', async (t) => {
  const { within } = createMemoryBudget(100, 2)
  const work = createWork()
  const told: string[] = []
  const ask = (owner: string, step: string, bytes: number) =>
    within(
      bytes,
      {
        signal,
        turn: { owner, isLong: false, isAside: false },
        waits: (place, lacking) => told.push(`${step} ${place} ${lacking}`),
      },
      work.of(step),
    )
  const all = [ask('lone', 'one', 60), ask('lone', 'two', 60), ask('other', 'three', 90)]
  await settle()
  t.deepEqual(told, ['three 2 memory'])
  work.end('one')
  await settle()
  t.deepEqual(work.begun, ['one', 'two'])
  t.deepEqual(told, ['three 2 memory', 'three 1 memory'])
  work.end('two')
  await settle()
  work.end('three')
  await Promise.all(all)
})

test('one that is stopped leaves the line, and those behind it have their turn', async (t) => {
  const { within } = createMemoryBudget(100)
  const work = createWork()
  const first = within(60, { signal }, work.of('first'))
  const stop = new AbortController()
  const stopped = within(100, { signal: stop.signal }, work.of('stopped'))
  const last = within(40, { signal }, work.of('last'))
  await settle()
  t.deepEqual(work.begun, ['first'])
  stop.abort(new Error('the training was stopped'))
  await t.throwsAsync(stopped, { message: 'the training was stopped' })
  await settle()
  t.deepEqual(work.begun, ['first', 'last'])
  work.end('first')
  work.end('last')
  await Promise.all([first, last])
})

test('what fails gives its memory back, and one that needs more than there is takes all of it', async (t) => {
  const { within } = createMemoryBudget(100)
  const fails = async () => {
    throw new Error('one class alone')
  }
  await t.throwsAsync(within(1_000, { signal }, fails), { message: 'one class alone' })
  t.is(await within(100, { signal }, async () => 7), 7)
})

const turn = (owner: string, { isLong = false, isAside = false } = {}) => ({ owner, isLong, isAside })

test('a measure tells its place once its training waits for it alone', async (t) => {
  const { within } = createMemoryBudget(100, 1)
  const work = createWork()
  const told: string[] = []
  const ask = (name: string, own: ReturnType<typeof turn>) =>
    within(
      1,
      {
        signal,
        turn: own,
        waits: (place, lacking) => told.push(`${name} ${place} ${lacking}`),
        begins: () => told.push(`${name} begins`),
      },
      work.of(name),
    )
  const all = [
    ask('fit', turn('one')),
    ask('other', turn('two')),
    ask('third', turn('three')),
    ask('measure', turn('one', { isAside: true })),
  ]
  await settle()
  t.deepEqual(told, ['other 1 slot', 'third 2 slot'])
  work.end('fit')
  await settle()
  t.deepEqual(told.slice(2), ['other begins', 'third 1 slot', 'measure 2 slot'])
  for (const name of ['other', 'third', 'measure']) {
    work.end(name)
    await settle()
  }
  await Promise.all(all)
})

test('short steps pass a long one that waits for the end of another, and a long one never takes the last slot', async (t) => {
  const { within } = createMemoryBudget(100, 2)
  const work = createWork()
  const places: [string, number][] = []
  const ask = (name: string, isLong: boolean) =>
    within(1, { signal, turn: turn(name, { isLong }), waits: (place) => places.push([name, place]) }, work.of(name))
  const all = [ask('long', true), ask('second', true), ask('short', false), ask('next', false)]
  await settle()
  t.deepEqual(work.begun, ['long', 'short'])
  t.deepEqual(places, [
    ['second', 1],
    ['next', 2],
  ])
  work.end('short')
  await settle()
  t.deepEqual(work.begun, ['long', 'short', 'next'])
  work.end('long')
  await settle()
  t.deepEqual(work.begun, ['long', 'short', 'next', 'second'])
  work.end('next')
  work.end('second')
  await Promise.all(all)
})

test('a measure beside its fit gives way to the fits of others, and begins anew once its own fit is done', async (t) => {
  const { within } = createMemoryBudget(100, 2)
  const work = createWork()
  const own = within(1, { signal, turn: turn('a') }, work.of('fit'))
  let measures = 0
  const measure = within(1, { signal, turn: turn('a', { isAside: true }) }, (stops) => {
    measures += 1
    return Promise.race([
      work.of(`measure ${measures}`)(),
      new Promise<void>((_, reject) => stops.addEventListener('abort', () => reject(stops.reason))),
    ])
  })
  await settle()
  t.deepEqual(work.begun, ['fit', 'measure 1'])
  const other = within(1, { signal, turn: turn('b') }, work.of('other'))
  await settle()
  t.deepEqual(work.begun, ['fit', 'measure 1', 'other'])
  work.end('fit')
  await settle()
  t.deepEqual(work.begun, ['fit', 'measure 1', 'other', 'measure 2'])
  const last = within(1, { signal, turn: turn('c') }, work.of('last'))
  await settle()
  t.is(work.begun.length, 4, 'a training that waits for its measure alone keeps it')
  work.end('other')
  await settle()
  t.is(work.begun.at(-1), 'last')
  work.end('measure 2')
  work.end('last')
  await Promise.all([own, measure, other, last])
})
