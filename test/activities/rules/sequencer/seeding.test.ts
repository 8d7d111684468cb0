/** The memory of references that is filled before the first event. */
import { join } from 'node:path'
import test from 'ava'
import { type Fill, inFills, type MemorySpace, seededKey } from '../../../../activities/rules/references/seed.ts'
import { createSeeding } from '../../../../activities/rules/sequencer/seeding.ts'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { createRuleMemory } from '../../../../infra/memory/memory.ts'
import { createMetrics } from '../../../../infra/metrics.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const name = 's.st/refr:1'
const keys = Array.from({ length: 60_000 }, (_, at) => `k${at}`)

/** A process over a folder; it ends as it has committed so many fills. */
function start(path: string, endsAfter = Number.POSITIVE_INFINITY) {
  const { log, turns, rules, clock } = createLmdbLog({ path, maxBytes: 2 ** 30 })
  const memory = createRuleMemory({ store: rules, metrics: createMetrics(), last: clock.last })
  const sizes: number[] = []
  let [asked, held, most] = [0, 0, 0]
  const space: MemorySpace = {
    name,
    stream: 'st',
    keys: ['k'],
    window_us: Number.POSITIVE_INFINITY,
    async *seed(): AsyncGenerator<Fill> {
      asked++
      for (const fill of inFills(keys, (state, key) => state.set(name, key, [1, 2, key], { seq: 1, pk: 1 }))) {
        most = Math.max(most, ++held)
        yield fill
      }
      yield (state) => state.set(name, seededKey, true)
    },
  }
  const seeding = createSeeding({
    spaces: [space],
    memory,
    clickhouse: { rows: () => Promise.reject(new Error('nothing is asked')) },
    caughtUp: async () => {},
    last: clock.last,
    async commit(changes) {
      if (sizes.length >= endsAfter) throw new Error('the process ends')
      sizes.push(changes.changes.length)
      await turns.commit({ lines: [], ...changes })
      held--
    },
  })
  return { log, memory, seeding, sizes, asked: () => asked, most: () => most }
}

test('tens of thousands of keys come in commits of some thousand, one after the other, and none is held in memory', async (t) => {
  const { log, memory, seeding, sizes, most } = start(join(temporaryFolder(), 'log'))
  t.false(seeding.isDone())
  await seeding.fill()
  t.true(seeding.isDone())
  t.is(
    sizes.reduce((sum, each) => sum + each),
    keys.length + 1,
  )
  t.true(Math.max(...sizes) <= 2_000)
  t.is(most(), 1)
  t.true(memory.cached().items < 10)
  t.deepEqual(memory.state.value(name, 'k59999'), [1, 2, 'k59999'])
  t.is(memory.state.value(name, 'absent'), undefined)
  await log.close()
})

test('a process that ends amid the filling is succeeded by one that fills all of it, and that by one that fills nothing', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const first = start(path, 20)
  await t.throwsAsync(first.seeding.fill(), { message: 'the process ends' })
  t.false(first.seeding.isDone())
  await first.log.close()
  const second = start(path)
  t.false(second.seeding.isDone())
  await second.seeding.fill()
  t.deepEqual(
    ['k0', 'k59999'].map((key) => second.memory.state.value(name, key)),
    [
      [1, 2, 'k0'],
      [1, 2, 'k59999'],
    ],
  )
  await second.log.close()
  const third = start(path)
  t.true(third.seeding.isDone())
  t.is(third.asked(), 0)
  await third.log.close()
})
