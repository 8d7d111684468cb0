import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createDoubts } from '../../../../activities/schemas/reconcile/doubts.ts'
import { fault } from '../../../../base/faults.ts'
import type { Doubt } from '../../../../infra/log/port.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { until } from '../../../support/until.ts'

const schema = decodeSchema({
  schema: 's',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'a', type: 'LONG' }] }],
})

test('a start waits for a batch that a power cut met, also one that takes seconds, and for its comparison', async (t) => {
  const doubts: Doubt[] = []
  let isCompared = false
  const doubting = createDoubts({
    registry: { find: () => ({ schema }) as never },
    feeder: {
      leftBehind: () => ['s.st'],
      doubts: () => doubts,
      async caughtUp(_queues, timeout_ms = 2_000) {
        if (doubts.length > 0) return
        await sleep(Math.min(timeout_ms, 2_500))
        if (timeout_ms < 2_500) throw fault('late', 'not fed')
        doubts.push({ queue: 's.st', since_us: 1, noted: 1 })
      },
      async settle(doubt) {
        doubts.splice(doubts.indexOf(doubt), 1)
      },
    },
    reconcile: {
      async compare() {
        await sleep(50)
        isCompared = true
        return true
      },
    },
    catalogue: { schemas: async () => [{ name: 's', state: 'ready' } as never] },
    logger: silentLogger(),
  })
  await doubting.start(true)
  t.true(isCompared)
  t.deepEqual(doubts, [])
})

test('doubts of a schema whose events are behind keep those of another from being settled no longer', async (t) => {
  const schemaCalled = (name: string) =>
    decodeSchema({ schema: name, streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'a', type: 'LONG' }] }] })
  const doubts: Doubt[] = ['behind.st', 'well.st'].map((queue) => ({ queue, since_us: 1, noted: 1 }))
  const compared: string[] = []
  let isBehind = true
  const doubting = createDoubts({
    registry: { find: (name: string) => ({ schema: schemaCalled(name) }) as never },
    feeder: {
      leftBehind: () => [],
      doubts: () => doubts,
      async caughtUp(queues) {
        if (isBehind && queues.includes('behind.st')) throw fault('late', 'not fed')
      },
      async settle(doubt) {
        doubts.splice(doubts.indexOf(doubt), 1)
      },
    },
    reconcile: {
      async compare({ name }) {
        compared.push(name)
        return true
      },
    },
    catalogue: { schemas: async () => ['behind', 'well'].map((name) => ({ name, state: 'ready' }) as never) },
    logger: silentLogger(),
  })
  await doubting.start(false)
  await until('the other is settled', async () => doubts.length === 1)
  t.deepEqual([compared, doubts.map(({ queue }) => queue)], [['well'], ['behind.st']])
  isBehind = false
  await until('it is settled once it has caught up', async () => doubts.length === 0)
  t.deepEqual(compared, ['well', 'behind'])
  doubting.stop()
})
