/** Mistakes in the console cost nothing: nothing counts twice, and nothing is replaced, turned off or lost unasked. */
import test from 'ava'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { client, url, close } = await startService()
test.after.always(close)

const at = (path: string): string => new URL(`/console${path}`, url).href
const schema = (name: string) => ({
  schema: name,
  streams: [
    {
      ...{ name: 'orders', type: 1, swsz: 0 },
      attr: [
        { name: 'member', type: 5, stat: 'COUNT' },
        { name: 'price', type: 11 },
      ],
    },
  ],
})
const countOf = (stream: string): Promise<number> => client.count(`select count(*) from ${stream}`)

withChromium('of several lines those that are refused stay in the box: what was taken is not sent again', async (t) => {
  await client.register(schema('sent'))
  const page = await openPage(t, at('/streams/sent/orders'))
  await page.getByRole('button', { name: 'Send events' }).click()
  const box = page.getByRole('dialog').getByLabel('Event')
  const send = page.getByRole('button', { name: 'Send', exact: true })
  const lines = Array.from({ length: 230 }, (_, n) =>
    JSON.stringify({ member: `m${n}`, price: n % 100 === 7 ? 'much' : n }),
  )
  await box.fill(lines.join('\n'))
  await send.click()
  await page.getByText('227 taken').waitFor()
  t.is(await box.inputValue(), [lines[7], lines[107], lines[207]].join('\n'))
  await page.getByText(/Line 108: .*price/).waitFor()
  await expectAccessible(t, page)
  await box.fill((await box.inputValue()).replaceAll('"much"', '5'))
  await send.click()
  await page.getByText('3 taken').waitFor()
  t.is(await box.inputValue(), '')
  t.true(await send.isDisabled())
  t.is(await countOf('sent.orders'), 230)
})

withChromium('an event whose answer was lost counts once, however often it is sent', async (t) => {
  await client.register(schema('lost'))
  const page = await openPage(t, at('/streams/lost/orders'))
  await page.getByRole('button', { name: 'Send events' }).click()
  await page.getByRole('dialog').getByLabel('Event').fill('{"member":"ann","price":1}')
  // The service takes it, and the answer does not arrive.
  await page.route('**/stream/lost/orders', async (route) => {
    if (route.request().method() === 'POST') await route.fetch()
    await route.abort()
  })
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await send.click()
  await page.getByText('nothing counts twice').waitFor()
  await page.unroute('**/stream/lost/orders')
  await send.click()
  await page.getByText('Taken', { exact: true }).waitFor()
  t.is(await countOf('lost.orders'), 1)
})

withChromium('a refused event that was sent again is not offered a second time', async (t) => {
  await client.register(schema('again'))
  await client.post('/stream/again/orders', '{"member":7}')
  const page = await openPage(t, at('/streams/again/orders?tab=refused'))
  const reason = page.getByRole('gridcell', { name: /member: expected text/ })
  await reason.click()
  await page.getByRole('dialog').getByLabel('Event').fill('{"member":"seven"}')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Taken', { exact: true }).waitFor()
  t.true(await page.getByRole('button', { name: 'Send again' }).isDisabled())
  await page.getByRole('button', { name: 'Close' }).first().click()
  await reason.click()
  await page.getByText('It was sent again a moment ago').waitFor()
  t.true(await page.getByRole('button', { name: 'Send again' }).isDisabled())
})

withChromium('a new notification has a number of its own, and replaces another only when that is ticked', async (t) => {
  const dear = { notifid: 1, name: 'dear', mailto: ['ops@example.org'], freq: 5, pri: 1 }
  await client.ok(client.post('/db/notification/register', dear))
  const page = await openPage(t, at('/notifications?new=1'))
  const number = page.getByLabel('Number')
  t.is(await number.inputValue(), '2')
  await number.fill('1')
  const replace = page.getByRole('button', { name: 'Replace notification 1' })
  t.true(await replace.isDisabled())
  t.is(await page.getByRole('button', { name: 'Register' }).count(), 0)
  await expectAccessible(t, page)
  await page.getByLabel('Name').fill('other')
  await page.keyboard.press('Enter')
  const [row] = await client.rows('select * from reg_notif')
  t.regex(String(row?.v), /"dear"/)
  await page.getByLabel(/Replace notification 1, dear/).check()
  t.true(await replace.isEnabled())
  await number.fill('2')
  await page.getByRole('button', { name: 'Register' }).waitFor()
})

withChromium('a stream is turned off by a second click, after what that means', async (t) => {
  await client.register(schema('busy'))
  const page = await openPage(t, at('/streams/busy/orders'))
  await page.getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('each event that is sent to busy.orders is refused').waitFor()
  await dialog.getByText(/events a second come now/).waitFor()
  await expectAccessible(t, page)
  await page.keyboard.press('Enter')
  t.is((await client.post('/stream/busy/orders', '{"member":"ann"}')).status, 200)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Turn it off' }).click()
  await page.getByRole('button', { name: 'Turn on' }).waitFor()
  t.is((await client.post('/stream/busy/orders', '{"member":"ann"}')).status, 409)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
})

withChromium('the help that pages link is there, without a network of its own', async (t) => {
  const page = await openPage(t, at('/query'))
  // It opens over the page, which keeps what is written there; its links stay within.
  const statement = page.getByRole('textbox', { name: 'Statement' })
  await statement.fill('select half a')
  const help = page.getByRole('dialog', { name: 'Help' })
  const link = page.getByRole('link', { name: 'How it is written' })
  await link.click()
  await help.getByRole('heading', { name: 'Queries', exact: true }).waitFor()
  await expectAccessible(t, page)
  await help.getByRole('link', { name: 'glossary.md' }).first().click()
  await help.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  t.is(await statement.inputValue(), 'select half a')
  await page.getByRole('button', { name: 'SQL', exact: true }).click()
  await link.click()
  await help.getByRole('heading', { level: 1 }).waitFor()
  const [other] = await Promise.all([
    page.waitForEvent('popup'),
    help.getByRole('link', { name: 'Open as a page' }).click(),
  ])
  await other.getByRole('heading', { level: 1 }).waitFor()
  await other.close()
  await page.goto(at('/help'))
  await page.locator('.help-list a').first().waitFor()
  const names = await page
    .locator('.help-list a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  t.true(names.length > 15)
  await page.setViewportSize({ width: 390, height: 800 })
  for (const address of names) {
    await page.goto(new URL(String(address), url).href)
    await page.getByRole('heading', { level: 1 }).waitFor()
    t.true(await isWithinWidth(page), String(address))
  }
  await page.goto(at('/help/streams'))
  await page.locator('article.help').waitFor()
  await expectAccessible(t, page)
})

withChromium('what was removed a moment ago is brought back by a click', async (t) => {
  await client.register(schema('gone'))
  await client.lines('gone.orders', [{ member: 'ann', price: 1 }])
  const page = await openPage(t, at('/streams/gone'))
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByText('gone__orders').waitFor()
  await expectAccessible(t, page)
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.waitForURL(at('/streams'))
  await page.goto(at('/changes'))
  await page.getByRole('heading', { name: 'Deleted, to be brought back' }).waitFor()
  await expectAccessible(t, page)
  await page.getByRole('button', { name: 'Bring back schema gone' }).click()
  await page.getByRole('button', { name: 'Bring back schema gone' }).waitFor({ state: 'detached' })
  // The list is without it as soon as it is being brought back.
  await until('the schema is back', async () => (await countOf('gone.orders').catch(() => 0)) === 1)
  t.pass()
})

withChromium('a person is erased from a stream after a count, and statistics are made anew without them', async (t) => {
  await client.register(schema('erased'))
  const name = 'a "b" \\c'
  await client.lines('erased.orders', [
    { member: name, price: 1 },
    { member: name, price: 2 },
    { member: 'bob', price: 3 },
  ])
  const page = await openPage(t, at('/streams/erased/orders?tab=declared'), { width: 390 })
  await page.getByRole('button', { name: 'Erase a person' }).click()
  const dialog = page.getByRole('dialog')
  const erase = dialog.getByRole('button', { name: 'Erase them' })
  await dialog.getByLabel('Whose value is').fill(name)
  t.is(await erase.count(), 0)
  await dialog.getByRole('button', { name: 'Count them' }).click()
  await dialog.getByText('2 events of erased.orders match').waitFor()
  await expectAccessible(t, page)
  t.true(await isWithinWidth(page))
  // The count was of another person.
  await dialog.getByLabel('Whose value is').fill('nobody')
  t.is(await erase.count(), 0)
  await dialog.getByLabel('Whose value is').fill(name)
  await erase.click()
  await dialog.getByText('2 events erased').waitFor()
  t.is(await countOf('erased.orders'), 1)
  t.is(await client.count('select count(*) from erased.orders where member = "bob"'), 1)
  await until('the statistic without them', async () => {
    const rows = await client.rows('select aggr(member) from erased.orders rollup 1')
    return JSON.stringify(rows).includes('"cnt":1}') || JSON.stringify(rows).includes('\\"cnt\\":1}')
  })
})

withChromium('of a schema that is not there nothing can be edited or removed', async (t) => {
  await client.register(schema('present'))
  const page = await openPage(t, at('/streams/present'))
  await page.getByRole('link', { name: 'Edit schema' }).waitFor()
  await page.goto(at('/streams/absent'))
  await page.getByRole('link', { name: 'Register a schema' }).waitFor()
  await page.getByText(/no schema "absent"/).waitFor()
  t.is(await page.getByRole('link', { name: 'Edit schema' }).count(), 0)
  t.is(await page.getByRole('button', { name: 'Remove' }).count(), 0)
})
