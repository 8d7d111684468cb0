/** Requests under idempotency keys while brokers stand still: repeated until they are answered, each line is stored once. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { createStreamIngest } from '../../../../activities/ingest/stream-ingest.ts'
import { Fault } from '../../../../base/faults.ts'
import { createClock } from '../../../../infra/clock.ts'
import { createByteBudget } from '../../../../infra/limits/byte-budget.ts'
import type { EventLog } from '../../../../infra/log/port.ts'
import { startSecondBroker, startTestKafka, withKafka } from '../../../support/parts/kafka.ts'
import { openKafkaLog, type TestLog } from '../../../support/parts/kafka-log.ts'
import { readTopic } from '../../../support/parts/kafka-topic.ts'
import { until } from '../../../support/until.ts'

const clock = createClock()
const encode = ({ n, k, pad }: { n?: unknown; k?: unknown; pad?: unknown }, pk: string, seq: number): string =>
  `{"_pk":${pk},"_seq":${seq},${JSON.stringify({ n, k, pad }).slice(1)}\n`

/** The way of a stream's events into the log, by partition where they are `keyed`. */
const ingestInto = (log: EventLog, isKeyed: boolean) =>
  createStreamIngest({
    queue: 's.a',
    window: 0,
    log,
    clock,
    encode,
    room: createByteBudget(64 * 1024 * 1024, 1_000, 'MAX_BODIES_MB'),
    ...(isKeyed && { keyOf: (event: { k?: unknown }) => String(event.k) }),
  })
type Ingest = ReturnType<typeof ingestInto>

type Request = { readonly body: Buffer; readonly key?: string; readonly numbers: readonly number[] }

let sent = 0
/** `own`: each line bears an `_id`. Else the request bears a key, and every third line an `_id` as well. */
function request(lines: number, isOwn: boolean, pad = ''): Request {
  const numbers = Array.from({ length: lines }, () => ++sent)
  const line = (n: number): string =>
    JSON.stringify({ n, k: `k${n % 17}`, ...((isOwn || n % 3 === 0) && { _id: `id ${n}` }), ...(pad && { pad }) })
  const body = Buffer.from(numbers.map(line).join('\n'))
  return isOwn ? { body, numbers } : { body, key: `request ${numbers[0]}`, numbers }
}

const post = (ingest: Ingest, { body, key }: Request): Promise<{ answer: string } | undefined> =>
  ingest
    .batch(body, key, () => {})
    .catch((error: unknown) => {
      if (error instanceof Fault && ['unavailable', 'limited'].includes(error.kind)) return undefined
      throw error
    })

async function repeated(ingest: Ingest, each: Request): Promise<string> {
  for (const end = performance.now() + 150_000; ; await sleep(50)) {
    const answered = await post(ingest, each)
    if (answered) return answered.answer
    if (performance.now() > end) throw new Error('no answer')
  }
}

async function isStoredOnce(t: ExecutionContext, brokers: string, { topics }: TestLog, requests: readonly Request[]) {
  const times = new Map<number, number>()
  for (const { lines } of await readTopic(brokers, topics.nameOf('s.a'))) {
    for (const line of lines) {
      const { n }: { n: number } = JSON.parse(line)
      times.set(n, (times.get(n) ?? 0) + 1)
    }
  }
  const numbers = requests.flatMap((each) => each.numbers)
  const wrong = numbers.filter((n) => times.get(n) !== 1).map((n) => `${n}: ${times.get(n) ?? 0} times`)
  t.deepEqual([wrong.length, wrong.slice(0, 5)], [0, []])
  t.is(times.size, numbers.length)
}

withKafka.serial(
  'a request of which one partition took its part, and another did not, is taken whole and once',
  async (t) => {
    t.timeout(600_000)
    const kafka = await startTestKafka(t)
    const second = await startSecondBroker(t, kafka)
    const kafkaLog = openKafkaLog(t, kafka.brokers, { wait_ms: 1_500, partitions: 4 })
    await kafkaLog.open('s.a')
    const ingest = ingestInto(kafkaLog.log, true)
    const first = request(100, true)
    await repeated(ingest, first)
    await second.pause()
    const requests = [request(100, true), request(100, false), request(40, false)]
    const answers = await Promise.all(requests.map((each) => post(ingest, each)))
    t.deepEqual(answers, [undefined, undefined, undefined])
    // The first may be on its way to the silent broker; these were surely not sent to it.
    const later = [request(100, true), request(100, false)]
    t.deepEqual(await Promise.all(later.map((each) => post(ingest, each))), [undefined, undefined])
    second.resume()
    const all = [...requests, ...later]
    const again = await Promise.all(all.map((each) => repeated(ingest, each)))
    for (const [i, answer] of again.entries()) t.is(JSON.parse(answer).accepted, all[i]?.numbers.length)
    for (const each of all) t.is(JSON.parse(await repeated(ingest, each)).accepted, each.numbers.length)
    await kafkaLog.close()
    await isStoredOnce(t, kafka.brokers, kafkaLog, [first, ...all])
  },
)

withKafka.serial('requests of several parts amid which the broker stands still are taken once', async (t) => {
  t.timeout(1_000_000)
  const kafka = await startTestKafka(t)
  const kafkaLog = openKafkaLog(t, kafka.brokers, { wait_ms: 2_000 })
  await kafkaLog.open('s.a')
  const ways = [true, false].map((isKeyed) => ingestInto(kafkaLog.log, isKeyed))
  const requests: Request[] = []
  let answered = 0
  let isOver = false
  // One client's go to the log in several appends: of more than 2,000 keys.
  const large = (number: number): Request =>
    number === 7 ? request(7_000, false, 'x'.repeat(100)) : request(1_500, number < 4, 'x'.repeat(500))
  const client = async (number: number): Promise<void> => {
    const ingest = ways[number % 2]
    while (!isOver && ingest) {
      // Beyond 450 kB a request has several parts.
      const one = number % 4 < 2 ? request(150, number % 8 < 4) : large(number)
      requests.push(one)
      await repeated(ingest, one)
      answered++
      await sleep(20)
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, (_, number) => client(number)))
  const goesOn = (before = answered) => until('requests are answered', () => answered > before + 20, 150_000)
  for (const stands_ms of [6_000, 3_000, 9_000]) {
    await goesOn()
    await kafka.pause()
    await sleep(stands_ms)
    kafka.resume()
  }
  await goesOn()
  isOver = true
  await clients
  await kafkaLog.close()
  await isStoredOnce(t, kafka.brokers, kafkaLog, requests)
})

withKafka.serial('a process that is killed with a request half stored leaves the rest to the next one', async (t) => {
  t.timeout(600_000)
  const kafka = await startTestKafka(t)
  const second = await startSecondBroker(t, kafka)
  const one = openKafkaLog(t, kafka.brokers, { wait_ms: 1_000, partitions: 4 })
  await one.open('s.a')
  await repeated(ingestInto(one.log, true), request(100, true))
  await second.pause()
  const half = [request(90, false), request(60, true)]
  t.deepEqual(await Promise.all(half.map((each) => post(ingestInto(one.log, true), each))), [undefined, undefined])
  await one.close()
  second.resume()
  const two = openKafkaLog(t, kafka.brokers, { wait_ms: 10_000, partitions: 4, path: one.path, prefix: one.prefix })
  await two.open('s.a')
  const ingest = ingestInto(two.log, true)
  for (const each of half) t.is(JSON.parse(await repeated(ingest, each)).accepted, each.numbers.length)
  await two.close()
  const times = new Map<number, number>()
  for (const { lines } of await readTopic(kafka.brokers, two.topics.nameOf('s.a'))) {
    for (const line of lines) times.set(JSON.parse(line).n, (times.get(JSON.parse(line).n) ?? 0) + 1)
  }
  t.deepEqual(
    half.flatMap(({ numbers }) => numbers).filter((n) => times.get(n) !== 1),
    [],
  )
})
