import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { deferred } from '../../../base/deferred.ts'
import { inLanes } from '../../../scripts/tests/lanes.js'

test('so many run beside each other, of the heavy ones fewer, and all of them run', async (t) => {
  const portions = ['H1', 'H2', 'a', 'b', 'H3', 'c', 'd']
  const running = new Set<string>()
  const begun: string[] = []
  const most = { all: 0, heavy: 0 }
  await inLanes({
    portions,
    isHeavy: (portion) => portion.startsWith('H'),
    sure: 3,
    most: 3,
    maxHeavy: 1,
    hasRoom: async () => false,
    async run(portion) {
      running.add(portion)
      begun.push(portion)
      most.all = Math.max(most.all, running.size)
      most.heavy = Math.max(most.heavy, [...running].filter((each) => each.startsWith('H')).length)
      await sleep(portion === 'H1' ? 30 : 10)
      running.delete(portion)
    },
  })
  t.deepEqual(begun.toSorted(), portions.toSorted())
  t.deepEqual(begun.slice(0, 3), ['H1', 'a', 'b'])
  t.deepEqual(most, { all: 3, heavy: 1 })
})

test('a portion that waits begins once it is ready itself, the others meanwhile', async (t) => {
  const begun: string[] = []
  const ready = { wK: deferred(), wL: deferred() }
  await inLanes({
    portions: ['wK', 'a', 'wL', 'b', 'c'],
    isHeavy: (portion) => portion === 'wK',
    ready: (portion) => (portion === 'wK' || portion === 'wL' ? ready[portion].promise : undefined),
    sure: 2,
    most: 2,
    maxHeavy: 1,
    hasRoom: async () => false,
    async run(portion) {
      begun.push(portion)
      if (portion === 'c') setTimeout(() => ready.wL.resolve(), 5)
      if (portion === 'wL') setTimeout(() => ready.wK.resolve(), 5)
    },
  })
  t.deepEqual(begun, ['a', 'b', 'c', 'wL', 'wK'])
})

test('beyond the sure ones a lane takes a portion only where there is room', async (t) => {
  for (const [room, expected] of [
    [[], 1],
    [[false, true, false, false, true], 3],
  ] as const) {
    const answers = [...room]
    let running = 0
    let most = 0
    let left = 12
    await inLanes({
      portions: Array.from({ length: left }, (_, n) => n),
      isHeavy: () => false,
      sure: 1,
      most: 3,
      maxHeavy: 1,
      async hasRoom() {
        await sleep(2)
        return answers.shift() ?? false
      },
      async run() {
        running++
        left--
        most = Math.max(most, running)
        // As long as somebody may still find room: the others begin meanwhile, however slow the machine is.
        do await sleep(1)
        while (answers.length > 0)
        running--
      },
    })
    t.deepEqual([most, left], [expected, 0])
  }
})
