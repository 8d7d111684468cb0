import test from 'ava'
import { createDormant } from '../../../../infra/log/kafka/consume/dormant.ts'
import { createKafkaDelivery, type KafkaDeliveryDeps } from '../../../../infra/log/kafka/feeder.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { until } from '../../../support/until.ts'

const names = ['a', 'b', 'c', 'd']
const queues = names.map((name) => `${name}.s`)
const schemas = names.map((schema) =>
  decodeSchema({ schema, streams: [{ name: 's', type: 1, attr: [{ name: 'x', type: 'LONG' }] }] }),
)

/** A delivery of four streams whose consumers are made and dropped in a list, with topics that end where `ends` says. */
function delivery(ends: Map<string, number>, failsToDrop: readonly string[] = []) {
  const made = new Map<string, number>()
  const committed = new Map(ends)
  const resting = new Map<string, number>()
  const dropped: string[] = []
  const of = (places: Map<string, number>, queue: string) => new Map([[0, places.get(queue) ?? 0]])
  const topics = {
    endsOf: async (asked: readonly string[]) => new Map(asked.map((queue) => [queue, of(ends, queue)])),
    committedOf: async (asked: readonly { queue: string }[]) =>
      new Map(asked.map(({ queue }) => [queue, of(committed, queue)])),
    lastData: async () => new Map<number, number>(),
  }
  const dormant = createDormant({ topics, logger: silentLogger() }, 10)
  const consumers = {
    refresh: async () => new Map(),
    groupOf: (queue: string) => `of ${queue}`,
    made: () => made,
    async rest(queue: string) {
      made.delete(queue)
      dropped.push(queue)
      resting.delete(queue)
      if (failsToDrop.includes(queue)) throw new Error('no answer')
    },
    async attach({ name }: { name: string }) {
      made.set(`${name}.s`, performance.now())
    },
    async resume(name: string, _: unknown, isWanted: (queue: string) => boolean) {
      if (isWanted(`${name}.s`)) made.set(`${name}.s`, performance.now())
    },
    idle: async () => {},
    close() {},
  }
  const progress = { know() {}, restingSince: (queue: string) => resting.get(queue), async close() {} }
  const kafka = { open: async () => {}, expect() {}, reach: () => undefined }
  const tasks = { async serve() {}, async close() {} }
  const parts = { kafka, consumers, progress, tasks, dormant } as unknown as KafkaDeliveryDeps
  return {
    ...createKafkaDelivery({
      ...parts,
      logger: silentLogger(),
      resting: { kept: 1, after_ms: 30, look_ms: 10 },
      isServer: false,
    }),
    made,
    committed,
    resting,
    dropped,
  }
}

test('of many consumers those are dropped that nothing came for, and come again with the next event; a few are kept', async (t) => {
  const ends = new Map(queues.map((queue) => [queue, 1]))
  const { delivery: attaching, feeder, made, resting } = delivery(ends)
  t.teardown(() => feeder.close())
  for (const schema of schemas) await attaching.attach(schema)
  for (const queue of queues.slice(0, 2)) resting.set(queue, 0)
  await until('those at rest are dropped', () => made.size === 2, 10_000)
  t.deepEqual([...made.keys()], ['c.s', 'd.s'])
  ends.set('a.s', 2)
  await until('it comes again', () => made.has('a.s'), 10_000)
  for (const queue of queues.slice(1)) resting.set(queue, 0)
  await until('all others are dropped', () => made.size === 1, 10_000)
})

test('a consumer that was dropped with something left is made again, and so is one of which the drop failed', async (t) => {
  const ends = new Map(queues.map((queue) => [queue, 1]))
  const { delivery: attaching, feeder, made, committed, resting, dropped } = delivery(ends, ['b.s'])
  t.teardown(() => feeder.close())
  for (const schema of schemas) await attaching.attach(schema)
  committed.set('a.s', 0)
  for (const queue of ['a.s', 'b.s']) resting.set(queue, 0)
  await until('both are dropped', () => ['a.s', 'b.s'].every((queue) => dropped.includes(queue)), 10_000)
  await until('the one with something left', () => made.has('a.s'), 10_000)
  ends.set('b.s', 2)
  await until('the other with its next event', () => made.has('b.s'), 10_000)
  t.deepEqual([...made.keys()].toSorted(), queues)
})
