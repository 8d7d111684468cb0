/** The console's view of topics of somebody else's Kafka, in a browser. */
import test, { type ExecutionContext } from 'ava'
import { madeTopic } from '../api/sources/topic.ts'
import { expectAccessible, hasChromium, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { brokerOfRun, withKafka } from '../support/parts/kafka.ts'
import type { Client } from '../support/requests/client.ts'
import { startService } from '../support/service.ts'

let client: Client
let url: string
let close: (() => Promise<void>) | undefined
test.before(async () => {
  ;({ client, url, close } = await startService())
})
test.after.always(() => close?.())

const withBoth = hasChromium ? withKafka.serial : test.serial.skip

withChromium.serial('without a source the page says what one is', async (t) => {
  const page = await openPage(t, `${url}/console/doors`)
  await page.getByText('No source yet').waitFor()
  await expectAccessible(t, page)
})

withBoth(
  'a source shows how far it is and what it refused, without a reload, and is turned off and on',
  async (t: ExecutionContext) => {
    const { brokers } = await brokerOfRun()
    const made = await madeTopic(brokers, 2)
    t.teardown(made.close)
    await client.ok(client.post('/stream', { schema: 'depot', streams: { orders: { attributes: { n: 'integer' } } } }))
    await made.json([{ n: 1 }, { n: 2 }, { n: 'three' }], 0)
    const source = { kafka: { brokers: [brokers], topic: made.topic }, into: 'depot.orders' }
    await client.ok(client.send('PUT', '/source/theirs', source))
    const page = await openPage(t, `${url}/console/doors`)
    await page.getByRole('table', { name: 'Sources' }).getByText('running').waitFor()
    await page.getByRole('link', { name: 'theirs' }).click()
    await page.getByText(/n: expected .*got the string "three"/).waitFor()
    t.is(await page.getByRole('table', { name: 'Partitions' }).getByRole('row').count(), 3)
    await expectAccessible(t, page)

    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('off', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('running', { exact: true }).waitFor()
    await made.json([{ n: 'four' }], 1)
    await page.getByText(/got the string "four"/).waitFor()
    await page.setViewportSize({ width: 390, height: 800 })
    t.true(await isWithinWidth(page))
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('No source yet').waitFor()
  },
)
