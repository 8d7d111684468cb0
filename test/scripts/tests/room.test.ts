import test from 'ava'
import { createRoom, processorTicks } from '../../../scripts/tests/room.js'

test('there is room where the processors were idle for long enough, and one asker is answered after the other', async (t) => {
  const looks = [0, 10, 10, 80].map((idle, n) => ({ idle, all: n * 100 }))
  const hasRoom = createRoom({ ticks: () => looks.shift() ?? { idle: 0, all: 0 }, look_ms: 1, settle_ms: 1 })
  t.deepEqual(await Promise.all([hasRoom(), hasRoom()]), [false, true])
})

test('the processors tell how long they were idle', async (t) => {
  const { idle, all } = processorTicks()
  t.true(idle > 0 && idle < all)
})
