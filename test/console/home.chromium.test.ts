/** The console of a service without keys: from nothing to events and their statistics, and every page as it is then. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { client, url, close } = await startService()
test.after.always(close)

/** Presses Tab until the focus is on an element with that text or label, as somebody without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(document.activeElement?.textContent ?? '') + ' ' + (document.activeElement?.ariaLabel ?? '')`
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>(focused)).includes(name)) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

withChromium.serial('by keyboard alone an empty service comes to a schema, an event, and its statistics', async (t) => {
  const page = await openPage(t, url)
  await page.getByText('Nothing is here yet').waitFor()
  await expectAccessible(t, page)
  await page.keyboard.press('Tab')
  t.is(await page.evaluate('document.activeElement.textContent'), 'To the page')
  await tabTo(page, 'A shop')
  await page.keyboard.press('Enter')
  await page.getByText('Schema shop is there').waitFor()
  t.regex(page.url(), /\?try=shop$/)
  await page.getByText('Waiting for the first event').waitFor()
  await tabTo(page, 'Send this event')
  await page.keyboard.press('Enter')
  const arrivals = page.locator('.arrivals li')
  await arrivals.first().waitFor()
  t.regex((await arrivals.allTextContents())[0] ?? '', /"product":"tea"/)

  const command = (await page.locator('.code pre').first().textContent()) ?? ''
  t.regex(command, new RegExp(`^curl ${url}/stream/shop/orders -d '\\{"product"`))
  await client.event('shop.orders', JSON.parse(/-d '(.*)'$/.exec(command)?.[1] ?? ''))
  await page.locator('.arrivals li').nth(1).waitFor()
  await page.locator('.tile', { hasText: 'cnt' }).getByText('2', { exact: true }).waitFor()
  await expectAccessible(t, page)
})

const hostile = `<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>"'&\u202e`

withChromium.serial('a text of an event, a key or a change never becomes markup', async (t) => {
  await client.event('shop.orders', { product: hostile, customer: hostile, [hostile]: hostile, price: 1 })
  await client.ok(client.post('/keys', { name: hostile, scopes: ['read'] }))
  const page = await openPage(t, `${url}/?try=shop`)
  for (const [path, shown] of [
    ['/?try=shop', '"product":"<img src=x'],
    ['/console/keys', '<img src=x'],
    ['/console/changes', '<img src=x'],
    [`/console/changes?filter=${encodeURIComponent(hostile)}&limit=${encodeURIComponent(hostile)}`, 'limit'],
    [`/console/${encodeURIComponent(hostile)}`, 'There is no such page'],
  ] as const) {
    await page.goto(`${url}${path}`)
    await page.getByText(shown).first().waitFor()
    t.is(await page.locator('img, main script').count(), 0, path)
    t.notRegex(await page.title(), /hacked/, path)
  }
})

for (const [width, theme] of [
  [1280, 'dark'],
  [390, 'light'],
] as const) {
  withChromium.serial(`every page is accessible, and none is cut off, ${theme} and ${width} pixels wide`, async (t) => {
    const page = await openPage(t, url, { width, theme })
    await page.locator('nav a').first().waitFor({ state: 'attached' })
    const paths = await page.evaluate<string[]>(
      `[...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'))`,
    )
    t.true(paths.length > 2)
    for (const path of paths) {
      await page.goto(`${url}${path}`)
      await page.locator('main h1').waitFor()
      await until(path, () => page.evaluate(`!document.querySelector('main [aria-busy="true"]')`))
      t.log(path)
      await expectAccessible(t, page)
      t.true(await isWithinWidth(page), path)
    }
  })
}

withChromium.serial('a key is made, shown once and revoked; the record of changes has both', async (t) => {
  const page = await openPage(t, `${url}/console/keys`)
  await page.getByRole('button', { name: 'Make a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('for the dashboard')
  await dialog.getByLabel('On', { exact: true }).fill('schema:shop nonsense')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await dialog.getByText("'nonsense' is no place").waitFor()
  await dialog.getByLabel('On', { exact: true }).fill('')
  await dialog.getByLabel('Add a place').selectOption('schema:shop')
  t.is(await dialog.getByLabel('On', { exact: true }).inputValue(), 'schema:shop')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  const key = await dialog.locator('.code pre').textContent()
  t.regex(key ?? '', /^weir_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('schema:shop').waitFor()
  await page.getByRole('button', { name: 'Revoke for the dashboard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('for the dashboard', { exact: true }).waitFor({ state: 'detached' })

  await page.goto(`${url}/console/changes?what=key`)
  await page.getByText('made: for the dashboard, read on schema:shop').waitFor()
  await page.getByText('revoked', { exact: true }).waitFor()
})

withChromium.serial(
  'on a phone a choice shows its text, and a table with columns beyond the edge fades until they are seen',
  async (t) => {
    const page = await openPage(t, `${url}/console/changes`, { width: 390, height: 800 })
    const choice = page.getByLabel('From')
    // As wide as its longest choice, whatever that may take.
    const [given, wanted] = await choice.evaluate<
      readonly [number, number],
      { clientWidth: number; style: { width: string } }
    >((element) => {
      const before = element.clientWidth
      element.style.width = 'auto'
      const after = element.clientWidth
      element.style.width = ''
      return [before, after]
    })
    t.true(given >= wanted, `${given} of ${wanted}`)
    const table = page.getByRole('region', { name: 'Changes' })
    await table.and(page.locator('.has-more')).waitFor()
    await table.evaluate((element: { scrollLeft: number }) => (element.scrollLeft = 10_000))
    await table.and(page.locator(':not(.has-more)')).waitFor()
    t.true(await isWithinWidth(page))
    await expectAccessible(t, page)
  },
)

withChromium.serial('a backup is saved, with its progress', async (t) => {
  const page = await openPage(t, url)
  // Without a picker of files, which no test can answer.
  await page.evaluate('delete window.showSaveFilePicker')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save a backup' }).click()
  t.regex((await download).suggestedFilename(), /^weir-\d{4}-\d\d-\d\d\.tar$/)
  await page.getByText('went out whole').waitFor()
})
