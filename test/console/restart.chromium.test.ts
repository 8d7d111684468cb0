/** The console while its service goes away and comes back. */
import test from 'ava'
import { freePort } from '../../scripts/processes/ports.js'
import { openPage, withChromium } from '../support/browser.ts'
import { killServices, spawnService } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

test.after.always(killServices)

withChromium(
  'a service that is killed is said to be away; once it is back the page goes on, with each row once',
  async (t) => {
    const settings = { DATA_DIR: temporaryFolder(), PORT: String(await freePort()) }
    const before = await spawnService(settings)
    const page = await openPage(t, before.url)
    await page.getByRole('button', { name: /A shop/ }).click()
    await page.getByText('Waiting for the first event').waitFor()
    await before.client.event('shop.orders', { product: 'tea', customer: 'ann', price: 1 })
    await before.client.event('shop.orders', { product: 'tea', customer: 'ben', price: 2 })
    const prices = async (): Promise<readonly number[]> =>
      (await page.locator('.arrivals li').allTextContents()).map((text) => JSON.parse(text).price)
    await until('two rows', async () => (await prices()).join() === '2,1')

    await before.end('SIGKILL')
    const banner = page
      .getByRole('status')
      .filter({ hasText: /^Weir does not answer since \d\d:\d\d:\d\d UTC, trying again$/ })
    await banner.waitFor()

    const after = await spawnService(settings)
    for (const price of [3, 4]) await after.client.event('shop.orders', { product: 'tea', customer: 'cleo', price })
    await banner.waitFor({ state: 'detached' })
    await until('the rows that came meanwhile', async () => (await prices()).length === 4)
    t.deepEqual(await prices(), [4, 3, 2, 1])
    await after.client.event('shop.orders', { product: 'tea', customer: 'dan', price: 5 })
    await until('the next row', async () => (await prices()).join() === '5,4,3,2,1')
    await after.end('SIGTERM')
  },
)
