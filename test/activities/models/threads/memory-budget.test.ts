import test from 'ava'
import { createMemoryBudget } from '../../../../activities/models/threads/memory-budget.ts'

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
