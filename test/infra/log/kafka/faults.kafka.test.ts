import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { Fault } from '../../../../base/faults.ts'
import { startTestKafka, withKafka } from '../../../support/parts/kafka.ts'
import { openKafkaLog, type TestLog } from '../../../support/parts/kafka-log.ts'
import { readTopic } from '../../../support/parts/kafka-topic.ts'
import { until } from '../../../support/until.ts'

type Load = Awaited<ReturnType<typeof startLoad>>

/** Appends events one by one, 32 at a time, half of them with a key, until it is stopped. No event is tried twice. */
function startLoad({ log }: TestLog) {
  const acknowledged = new Set<number>()
  const refused = new Set<number>()
  const others: unknown[] = []
  let last = 0
  let longest_ms = 0
  let isOver = false
  const appender = async (number: number): Promise<void> => {
    while (!isOver) {
      const id = ++last
      const began = performance.now()
      try {
        await log.append(
          's.a',
          Buffer.from(`{"_seq":${id},"by":${number}}\n`),
          1,
          [],
          number % 2 ? undefined : [`key ${number}`],
        )
        acknowledged.add(id)
      } catch (error) {
        refused.add(id)
        if (!(error instanceof Fault && ['unavailable', 'limited'].includes(error.kind))) others.push(error)
        await sleep(20)
      }
      longest_ms = Math.max(longest_ms, performance.now() - began)
    }
  }
  const appenders = Array.from({ length: 32 }, (_, number) => appender(number))
  return {
    acknowledged,
    refused,
    others,
    longest_ms: () => longest_ms,
    async stop(): Promise<void> {
      isOver = true
      await Promise.all(appenders)
    },
  }
}

/** Resolves when `more` events have been acknowledged from now on. */
const goesOn = (load: Load, more = 500): Promise<unknown> => {
  const before = load.acknowledged.size
  return until(`${more} more events are acknowledged`, () => load.acknowledged.size >= before + more, 90_000)
}

async function check(t: ExecutionContext, brokers: string, load: Load, { topics, produced }: TestLog): Promise<void> {
  t.deepEqual(load.others, [])
  const messages = await readTopic(brokers, topics.nameOf('s.a'))
  const times = new Map<number, number>()
  const lastOf = new Map<string, number>()
  let isInOrder = true
  for (const { partition, lines } of messages) {
    for (const line of lines) {
      const { _seq: id, by }: { _seq: number; by: number } = JSON.parse(line)
      times.set(id, (times.get(id) ?? 0) + 1)
      if (by % 2 === 1) continue
      isInOrder &&= id > (lastOf.get(`${by} ${partition}`) ?? 0)
      lastOf.set(`${by} ${partition}`, id)
    }
  }
  t.deepEqual([...load.acknowledged].filter((id) => times.get(id) !== 1).slice(0, 10), [], 'acknowledged: once each')
  t.deepEqual([...load.refused].filter((id) => (times.get(id) ?? 0) > 1).slice(0, 10), [], 'refused: once at most')
  t.true(isInOrder, 'events of a key are in order')
  t.is(new Set([...lastOf.keys()].map((name) => name.split(' ')[0])).size, lastOf.size, 'a key has one partition')
  t.is(times.size >= load.acknowledged.size, true)
  const offsets = new Map(messages.map(({ partition, offset }) => [partition, offset]))
  for (const [partition, offset] of produced('s.a')) t.true(offset <= (offsets.get(partition) ?? -1))
}

withKafka.serial('a broker that is stopped for ten seconds under load loses and repeats nothing', async (t) => {
  t.timeout(600_000)
  const kafka = await startTestKafka(t)
  const kafkaLog = openKafkaLog(t, kafka.brokers, { wait_ms: 3_000 })
  await kafkaLog.open('s.a')
  const load = startLoad(kafkaLog)
  await goesOn(load)
  await kafka.pause()
  await sleep(10_000)
  kafka.resume()
  await goesOn(load)
  await load.stop()
  await kafkaLog.close()
  t.true(load.refused.size > 0)
  await check(t, kafka.brokers, load, kafkaLog)
})

withKafka.serial(
  'a broker that is killed and restarted under load, three times, loses and repeats nothing',
  async (t) => {
    t.timeout(900_000)
    const kafka = await startTestKafka(t)
    const kafkaLog = openKafkaLog(t, kafka.brokers, { wait_ms: 3_000 })
    await kafkaLog.open('s.a')
    const load = startLoad(kafkaLog)
    for (let round = 0; round < 3; round++) {
      await goesOn(load)
      await kafka.kill()
      await kafka.restart()
    }
    await goesOn(load)
    await load.stop()
    await kafkaLog.close()
    await check(t, kafka.brokers, load, kafkaLog)
  },
)
