import test from 'ava'
import { Fault } from '../../../../../base/faults.ts'
import { createKafkaProgress } from '../../../../../infra/log/kafka/consume/progress.ts'
import { createTaskNotes } from '../../../../../infra/log/kafka/rules/task-notes.ts'
import { silentLogger } from '../../../../../infra/logger.ts'
import { createSimulatedTime } from '../../../../support/simulated-time.ts'

const queues = ['s.a', 's.b', 's.c']
const noTopics = {
  noted: async () => [],
  lastData: async () => new Map<number, number>(),
  nameOf: (queue: string) => queue,
}
const noTasks = { reach: () => undefined, behind: () => {}, notes: createTaskNotes(), troubleOfTasks: () => undefined }

/** Questions that are never answered, counted. */
function silence() {
  const open = new Set<Promise<never>>()
  let asked = 0
  return {
    ask(): Promise<never> {
      asked++
      const question = new Promise<never>(() => {})
      open.add(question)
      return question
    },
    asked: () => asked,
  }
}

test('a Kafka and a ClickHouse that answer nothing are asked once, not again and again', async (t) => {
  const [kafka, clickhouse] = [silence(), silence()]
  const time = createSimulatedTime()
  let offset = 0
  const progress = createKafkaProgress({
    topics: { ...noTopics, committed: kafka.ask, lastData: kafka.ask },
    consumers: { groupOf: () => 'group', isJoining: () => false, troubleOf: () => undefined, refresh: clickhouse.ask },
    produced: () => new Map([[0, ++offset]]),
    ...noTasks,
    time,
    logger: silentLogger(),
  })
  queues.forEach(progress.know)
  const late = progress.caughtUp(['s.a'], 100)
  await t.throwsAsync(time.passUntil(late), { instanceOf: Fault, message: /not in ClickHouse after/ })
  await time.pass(3_000)
  t.is(kafka.asked(), queues.length)
  t.is(clickhouse.asked(), 1)
  await time.passUntil(progress.close())
})

test('ClickHouse is asked of all late queues at once, and what it says of each is told', async (t) => {
  const time = createSimulatedTime()
  let refreshed = 0
  const progress = createKafkaProgress({
    topics: { ...noTopics, committed: async () => new Map() },
    consumers: {
      groupOf: () => 'group',
      isJoining: () => false,
      troubleOf: (queue) => `no rights to ${queue}`,
      refresh: async () => {
        refreshed++
        return new Map()
      },
    },
    produced: () => new Map([[0, 7]]),
    ...noTasks,
    time,
    logger: silentLogger(),
  })
  queues.forEach(progress.know)
  await time.pass(9_500)
  t.true(refreshed >= 1 && refreshed <= 3, `${refreshed} questions`)
  t.deepEqual(
    progress.failures(),
    queues.map((queue) => ({ queue, reason: `no rights to ${queue}` })),
  )
  const waited_ms = progress.lag_ms()
  t.true(waited_ms > 8_000 && waited_ms <= 9_500, `${waited_ms} ms`)
  await time.passUntil(progress.close())
})

test('the service ends while queries wait: they are told so', async (t) => {
  const progress = createKafkaProgress({
    topics: { ...noTopics, committed: async () => new Map() },
    consumers: {
      groupOf: () => 'group',
      isJoining: () => false,
      troubleOf: () => undefined,
      refresh: async () => new Map(),
    },
    produced: () => new Map([[0, 7]]),
    ...noTasks,
    logger: silentLogger(),
  })
  const waiting = t.throwsAsync(progress.caughtUp(queues, 60_000), { instanceOf: Fault, message: /stops/ })
  await progress.close()
  await waiting
})

test('of a thousand streams that lag some are asked about at a time, each in its turn, and a query stands behind few', async (t) => {
  const time = createSimulatedTime()
  const names = Array.from({ length: 1_000 }, (_, n) => `s.q${n}`)
  const asked = new Map<string, number>()
  let [open, most] = [0, 0]
  let answering = Promise.resolve()
  const progress = createKafkaProgress({
    topics: {
      ...noTopics,
      // A connection answers one question after the other.
      committed: async (_, queue) => {
        asked.set(queue, (asked.get(queue) ?? 0) + 1)
        most = Math.max(most, ++open)
        answering = answering.then(() => time.sleep(1))
        await answering
        open--
        return new Map([[0, queue === 's.q999' ? 8 : 7]])
      },
    },
    consumers: {
      groupOf: () => 'group',
      isJoining: () => false,
      troubleOf: () => undefined,
      refresh: async () => new Map(),
    },
    produced: () => new Map([[0, 7]]),
    ...noTasks,
    time,
    logger: silentLogger(),
  })
  names.forEach(progress.know)
  await time.pass(1_000)
  const began = time.now()
  await time.passUntil(progress.caughtUp(['s.q999']))
  t.true(time.now() - began < 200, `${time.now() - began} ms`)
  await time.pass(4_000)
  const times = [...asked.values()]
  t.true(most <= 10, `${most} at once`)
  t.true(times.length > 600, `${times.length} streams in five seconds`)
  t.true(Math.max(...times) <= 3, 'none before all others had their turn')
  await time.passUntil(progress.close())
})
