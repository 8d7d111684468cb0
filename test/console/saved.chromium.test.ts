/** The pages of saved questions, in a browser. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY, NOTIFY_PRIVATE: '1' })
const admin = { 'x-api-key': ADMIN_KEY }
test.after.always(close)

const now_us = Date.now() * 1000
const minute = 60_000_000
const put = (name: string, question: object) => client.ok(client.send('PUT', `/saved/${name}`, question, admin))

test.before(async () => {
  const attr = [
    { name: 'page', type: 'STRING' },
    { name: 'country', type: 'STRING' },
    { name: 'price', type: 'DOUBLE', stat: 'RSTAT', gran: 60 },
  ]
  await client.ok(
    client.post('/stream', { schema: 'shop', streams: [{ name: 'visits', type: 1, swsz: 0, attr }] }, admin),
  )
  // `shoes` is dear from six to four minutes ago, and since two minutes ago.
  for (const [page, ago, price] of [
    ...[9, 8, 7, 6, 5, 4, 3].map((ago) => ['shoes', ago, ago <= 6 && ago >= 4 ? 90 : 10] as const),
    ...([
      ['home', 9, 20],
      ['shoes', 2, 95],
    ] as const),
  ])
    await client.ok(
      client.post('/stream/shop/visits', { _pk: now_us - ago * minute, page, country: 'DE', price }, admin),
    )
  await client.ok(client.post('/brs/bucket', { bucket_name: 'reports' }, admin))
  await client.ok(client.post('/db/notification/register', { notifid: 7, name: 'on call', endpoints: [] }, admin))
})

async function openSignedIn(t: Parameters<typeof openPage>[0], path: string, key: string, options = {}): Promise<Page> {
  const page = await openPage(t, `${url}${path}`, options)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' })
  return page
}

withChromium.serial(
  'a query becomes an alert by two forms, whose question is refused at its place until it is right',
  async (t) => {
    const page = await openSignedIn(t, '/console/saved', ADMIN_KEY)
    await page.getByText('No question is saved yet').waitFor()
    await page.goto(
      `${url}/console/query?lang=sql&q=${encodeURIComponent('SELECT page, max(pric) AS dearest FROM shop.visits GROUP BY page')}`,
    )
    await page.getByRole('link', { name: 'Make it an alert' }).click()
    await page.getByLabel('Name', { exact: true }).fill('dear')
    await page.keyboard.press('Enter')
    await page
      .getByText(/Unknown expression or function identifier/)
      .first()
      .waitFor()
    await expectAccessible(t, page)
    const editor = page.getByRole('textbox', { name: 'Text of the question' })
    await editor.fill('SELECT page, max(price) AS dearest FROM shop.visits WHERE price > {least:Float64} GROUP BY page')
    await page.getByLabel('may be left out').check()
    await page.getByLabel('least is then').fill('0')
    await page.getByRole('button', { name: 'Save, and go on to the alert' }).click()
    await page.getByLabel('It is an alert when').fill('dearest > 60')
    await page.getByLabel('page', { exact: true }).check()
    await page.getByLabel('Notification').selectOption('7')
    await page.getByText('for each page by itself: where dearest > 60 an alert fires at once').waitFor()
    await expectAccessible(t, page)
    await page.getByRole('button', { name: 'Save the alert' }).click()
    await page.getByRole('button', { name: 'Edit the alert' }).waitFor()
    const { watch, params } = await client.ok(client.send('GET', '/saved/dear', undefined, admin))
    t.like(watch, { every: 60, when: 'dearest > 60', key: ['page'], notf: 7 })
    t.is(params.least.default, 0)
  },
)

withChromium.serial(
  'an alert is drawn as it stands and as it would have been; a silence is made and ended',
  async (t) => {
    const sql = 'SELECT page, argMax(price, _pk) AS dearest FROM shop.visits WHERE _time <= now() GROUP BY page'
    await put('stands', { sql, watch: { every: 1, when: 'dearest > 60', key: ['page'] } })
    const page = await openSignedIn(t, '/console/saved/stands?tab=alert', ADMIN_KEY)
    await page.getByRole('img', { name: /^shoes: firing from/ }).waitFor()
    // The page has not been loaded anew since: states come by themselves.
    await client.ok(client.post('/stream/shop/visits', { page: 'sudden', country: 'AT', price: 99 }, admin))
    await page.getByRole('img', { name: /^sudden: firing from/ }).waitFor()
    await client.ok(client.post('/stream/shop/visits', { page: 'sudden', country: 'AT', price: 9 }, admin))
    await page.getByRole('table', { name: 'Alerts' }).getByText('resolved').waitFor()
    await page.getByRole('button', { name: 'Silence' }).click()
    await page.getByLabel('Why').fill('a sale')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'a sale' }).waitFor()
    await page.getByRole('button', { name: 'End the silence of all' }).click()
    await page.getByText('No silence.').waitFor()

    const ofThose = sql.replace('WHERE', "WHERE page != 'sudden' AND")
    await put('stands', { sql: ofThose, watch: { every: 30, when: 'dearest > 60', key: ['page'] } })
    await page.reload()
    await page.getByLabel('Test it over').selectOption('900')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('img', { name: /^The backtest: \d+ points/ }).waitFor()
    const past = page.getByRole('table', { name: 'Alerts that there would have been' })
    await past.getByRole('rowheader', { name: 'shoes' }).first().waitFor()
    t.is(await past.getByRole('row').count(), 3)
    t.is(await past.getByText('still fires').count(), 1)
    await expectAccessible(t, page)
    await page.setViewportSize({ width: 390, height: 800 })
    t.true(await isWithinWidth(page))
    await page.goto(`${url}/console/saved`)
    await page
      .getByRole('row', { name: /^stands/ })
      .getByText('firing')
      .waitFor()
    t.true(await isWithinWidth(page))
  },
)

withChromium.serial(
  'a draft of an alert is tried over the past before it is saved, is refused where it is wrong, and a change of it makes the test one of before',
  async (t) => {
    // The test before has a page `sudden`, which is dear for a moment, at a whole minute perhaps.
    const sql =
      "SELECT page, argMax(price, _pk) AS dearest FROM shop.visits WHERE page != 'sudden' AND _time <= now() GROUP BY page"
    await put('drafted', { sql })
    const page = await openSignedIn(t, '/console/saved/drafted?tab=alert', ADMIN_KEY)
    await page.getByRole('button', { name: 'Make it an alert' }).click()
    const past = page.getByRole('region', { name: 'Over the past' })
    t.is(await past.count(), 0)
    const when = page.getByLabel('It is an alert when')
    await when.fill('dearst > 60')
    await page.getByLabel('page', { exact: true }).check()
    await past.getByLabel('Test it over').selectOption('900')
    await past.getByRole('button', { name: 'Test', exact: true }).click()
    await past.getByText(/no column dearst; did you mean dearest/).waitFor()

    await when.fill('dearest > 60')
    await past.getByRole('button', { name: 'Test', exact: true }).click()
    await past.getByText(/It would have fired 2 times, and sent 3 messages if it had a notification/).waitFor()
    await past.getByRole('img', { name: /^The backtest: \d+ points/ }).waitFor()
    t.is(await past.getByText(/test it again/).count(), 0)
    await expectAccessible(t, page)
    await when.fill('dearest > 93')
    await past.getByText('The alert has changed since this test: test it again.').waitFor()
    await past.getByRole('button', { name: 'Test', exact: true }).click()
    await past.getByText(/It would have fired once, and sent 1 message if it had a notification/).waitFor()
    t.is(await past.getByText(/test it again/).count(), 0)
    t.is((await client.ok(client.send('GET', '/saved/drafted', undefined, admin))).watch, undefined)
    await page.setViewportSize({ width: 390, height: 800 })
    t.true(await isWithinWidth(page))
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Save the alert' }).click()
    await page.getByRole('button', { name: 'Edit the alert' }).waitFor()
    const { watch } = await client.ok(client.send('GET', '/saved/drafted', undefined, admin))
    t.like(watch, { when: 'dearest > 93', key: ['page'] })
  },
)

withChromium.serial(
  'a question is asked with its parameters, changed, brought back by its versions, and deleted',
  async (t) => {
    await put('visits_of', {
      sql: 'SELECT page, count() AS visits FROM shop.visits WHERE country = {country:String} GROUP BY page ORDER BY page',
      params: { country: { values: ['DE', 'FR'] } },
    })
    const page = await openSignedIn(t, '/console/saved/visits_of', ADMIN_KEY)
    await page.getByText('Not asked yet').waitFor()
    await page.getByLabel('country').selectOption('DE')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText(/^2 rows/).waitFor()
    await page.getByRole('tab', { name: 'Chart' }).click()
    await page.getByRole('list', { name: 'visits by page' }).waitFor()
    await expectAccessible(t, page)
    t.is(new URL(page.url()).searchParams.get('p.country'), 'DE')

    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByText(/^live, /).waitFor()
    await client.ok(client.post('/stream/shop/visits', { page: 'followed', country: 'DE', price: 1 }, admin))
    await page.getByText(/^3 rows/).waitFor()
    await page.getByRole('list', { name: 'visits by page' }).getByText('followed').waitFor()
    await expectAccessible(t, page)
    await page.getByLabel('country').selectOption('FR')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('No rows').waitFor()
    await client.ok(client.post('/stream/shop/visits', { page: 'followed', country: 'FR', price: 1 }, admin))
    await page.getByText(/^1 row/).waitFor()
    await page.getByRole('button', { name: 'Follow no more' }).click()

    await page.getByRole('tab', { name: 'Question' }).click()
    await page.getByRole('textbox', { name: 'Text of the question' }).fill('SELECT 1 AS one')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('version 2', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Show version 1' }).click()
    await page.getByRole('button', { name: 'Make it the latest' }).click()
    await page.getByText('version 3', { exact: true }).waitFor()
    const { sql } = await client.ok(client.send('GET', '/saved/visits_of', undefined, admin))
    t.regex(sql, /country:String/)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('would be deleted, with all its versions').waitFor()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.waitForURL('**/console/saved')
    t.is((await client.send('GET', '/saved/visits_of', undefined, admin)).status, 404)
  },
)

withChromium.serial(
  'a schedule shows its next times before it is saved, runs now, and its run is listed; a reader has no button for either',
  async (t) => {
    await put('sales', { sql: 'SELECT page, count() AS visits FROM shop.visits GROUP BY page' })
    const page = await openSignedIn(t, '/console/saved/sales?tab=schedule', ADMIN_KEY)
    await page.getByRole('button', { name: 'Add a schedule' }).click()
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByLabel('At', { exact: true }).fill('06:30')
    await page.getByText(/Next: Mon, .*, 06:30; Mon, .*, 06:30; Mon, .*, 06:30/).waitFor()
    await page.getByLabel('The answer goes').selectOption('bucket')
    await page.getByLabel('Bucket').fill('reports')
    await expectAccessible(t, page)
    await page.getByRole('button', { name: 'Save the schedule' }).click()
    await page.getByText('each Monday at 06:30').waitFor()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('table', { name: 'Runs' }).getByText('done').waitFor()
    const { schedule } = await client.ok(client.send('GET', '/saved/sales', undefined, admin))
    t.like(schedule[0], {
      cron: '30 6 * * MON',
      tz: 'Europe/Berlin',
      into: { bucket: 'reports', key: 'sales/{date}.csv' },
    })

    const { key } = await client.ok(client.post('/keys', { name: 'reader', scopes: ['read'] }, admin))
    const reader = await openSignedIn(t, '/console/saved/sales?tab=schedule', key)
    await reader.getByRole('table', { name: 'Runs' }).getByText('done').waitFor()
    for (const name of ['Run now', 'Edit', 'Remove', 'Add a schedule', 'Delete'])
      t.is(await reader.getByRole('button', { name }).count(), 0, name)
    await reader.getByRole('tab', { name: 'Question' }).click()
    await reader.getByText('SELECT page, count() AS visits').waitFor()
    t.is(await reader.getByRole('button', { name: 'Save' }).count(), 0)
  },
)
