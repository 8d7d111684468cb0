/** Live streams of events that come by Kafka, whose partitions ClickHouse takes each at its own pace. */
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { startService } from '../../support/service.ts'

withKafka(
  'a live stream has each event of all partitions once, and one that comes back has the rest in the same order',
  async (t) => {
    t.timeout(600_000)
    const service = await startService((await brokerOfRun()).settings)
    t.teardown(service.close)
    const { client, url } = service
    await client.register({
      schema: 'live',
      streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }],
    })
    const path = '/stream/live/st/live'
    const stream = await openEventStream(url, path)
    const post = async (first: number): Promise<void> => {
      for (let round = 0; round < 10; round++) {
        const events = Array.from({ length: 20 }, (_, n) => ({
          n: first + 20 * round + n,
          ...(n % 2 === 0 && { _pk: 1_600_000_000_000_000 + ((round * 7919 + n * 104_729) % 1_000_003) }),
        }))
        await client.lines('live.st', events)
      }
    }
    await Promise.all([post(0), post(200), post(400)])
    await stream.until('all events', 600)
    const numbers = stream.data().map(({ n }) => n)
    t.deepEqual(
      numbers.toSorted((one, two) => one - two),
      Array.from({ length: 600 }, (_, n) => n),
    )
    const rest = await openEventStream(url, path, {
      headers: { 'Last-Event-ID': stream.named('event')[99]?.id ?? '' },
    })
    await rest.until('the rest', 500)
    t.deepEqual(
      rest.data().map(({ n }) => n),
      numbers.slice(100),
    )
    for (const each of [stream, rest]) each.close()
  },
)
