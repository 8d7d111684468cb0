/** docs/sources.md, each call of which is asked, in its order, of a service that reads a Kafka. */
import { readFileSync } from 'node:fs'
import { madeTopic } from '../api/sources/topic.ts'
import { examplesOf } from '../support/examples.ts'
import { brokerOfRun, withKafka } from '../support/parts/kafka.ts'
import { startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const page = readFileSync(new URL('../../docs/sources.md', import.meta.url), 'utf8')

withKafka('every call of the page gives the answer that is shown', async (t) => {
  const service = await startService()
  t.teardown(service.close)
  const { brokers } = await brokerOfRun()
  const orders = await madeTopic(brokers)
  t.teardown(orders.close)
  await orders.send([
    { value: '{"Item":"pen","Price":1.5,"Sold":"2026-01-07"}', key: 'ann' },
    { value: '?', key: 'bob' },
    { value: '{"Item":"pad","Price":3,"Sold":"2026-01-09"}', key: 'bob' },
  ])
  const own = (text: string): string =>
    text
      .replace('"brokers":["localhost:9092"],"topic":"orders"', `"brokers":["${brokers}"],"topic":"${orders.topic}"`)
      .replace('message of orders', `message of ${orders.topic}`)
  const examples = examplesOf(page).map(({ command, answer }) => ({ command: own(command), answer: own(answer) }))
  t.true(examples.length > 6)
  await checkExamples(t, examples, { url: service.url, analysts: service.url })
})
