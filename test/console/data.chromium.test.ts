/** The console's tables, objects and notifications. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY, NOTIFY_PRIVATE: '1' })
const admin = { 'x-api-key': ADMIN_KEY }
test.after.always(close)

const hostile = `<img src=x onerror="document.title='hacked'">`

async function openSignedIn(t: Parameters<typeof openPage>[0], path: string, key: string, options = {}): Promise<Page> {
  const page = await openPage(t, `${url}${path}`, options)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' })
  return page
}

const makeReader = async (): Promise<string> =>
  (await client.ok(client.post('/keys', { name: 'reader', scopes: ['read'] }, admin))).key

withChromium.serial('what a key may not edit, and what is not there, offers no change', async (t) => {
  const schema = { schema: 'seen', streams: [{ name: 'orders', type: 1, attr: [{ name: 'n', type: 9 }] }] }
  await client.ok(client.post('/stream', schema, admin))
  const reader = await openSignedIn(t, '/console/streams/seen?do=edit', await makeReader())
  await reader.getByRole('heading', { level: 1, name: 'seen' }).waitFor()
  t.is(await reader.locator('.schema-editor').count(), 0)

  const page = await openSignedIn(t, '/console/objects/absent', ADMIN_KEY)
  await page.getByRole('alert').waitFor()
  t.is(await page.getByRole('button', { name: 'Remove' }).count(), 0)
  await page.goto(`${url}/console/streams/seen?do=edit`)
  await page.locator('.schema-editor').waitFor()
})

withChromium.serial('a table is made, gets a record and an index, and loses them', async (t) => {
  const page = await openSignedIn(t, '/console/tables', ADMIN_KEY)
  await page.getByRole('button', { name: 'New table' }).click()
  await page.getByLabel('Name').fill('prices')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/tables/mydb/prices')
  await page.getByText('No record yet').waitFor()
  await page.getByRole('button', { name: 'Add record' }).click()
  await page.getByLabel('Key').fill('tea')
  await page.getByLabel('Document').fill(`{"price": 9007199254740993, "name": ${JSON.stringify(hostile)}}`)
  await expectAccessible(t, page)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'tea' }).waitFor()
  t.is(await page.locator('img').count(), 0)
  t.true(
    (await client.send('GET', '/db/mydb/prices?key=tea', undefined, admin)).text.includes('"price":9007199254740993'),
  )

  await page.getByRole('button', { name: 'tea' }).click()
  await page.getByLabel('Document').fill('{"price": 2}')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '2', exact: true }).waitFor()
  await page.getByLabel('Where', { exact: true }).fill('price > ')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('price >').waitFor()
  await page.getByLabel('Where', { exact: true }).fill('price > 5')
  await page.keyboard.press('Enter')
  await page.getByText('No record is like that').waitFor()
  t.regex(page.url(), /\?where=price\+%3E\+5$/)

  await page.getByRole('tab', { name: 'Indexes' }).click()
  await page.getByLabel('Path into the documents').fill('price')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Drop the index of price' }).click()
  await page.getByText('No index').waitFor()

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByText('1 records').waitFor()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.waitForURL('**/console/tables')
  t.is((await client.send('GET', '/db/mydb/prices/count', undefined, admin)).status, 404)
  await client.ok(client.post('/db/mydb/prices/undelete', '', admin))
})

withChromium.serial('records are paged, each once, and Back leads to the page before', async (t) => {
  const lines = Array.from({ length: 120 }, (_, i) =>
    JSON.stringify({ _pk: `k${String(i).padStart(3, '0')}`, doc: { i } }),
  )
  await client.ok(client.post('/db/mydb/table', { table_name: 'many', table_type: 1, key_type: 1 }, admin))
  const ndjson = { ...admin, 'content-type': 'application/x-ndjson' }
  await client.ok(client.send('POST', '/db/mydb/many/doc', lines.join('\n'), ndjson))
  const page = await openSignedIn(t, '/console/tables/mydb/many', await makeReader())
  const keysOf = () => page.locator('tbody button').allTextContents()
  await page.getByRole('button', { name: 'k049' }).waitFor()
  const first = await keysOf()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'k099' }).waitFor()
  const second = await keysOf()
  await page.reload()
  await page.getByRole('button', { name: 'k099' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'k119' }).waitFor()
  t.is(new Set([...first, ...second, ...(await keysOf())]).size, 120)
  t.true(await page.getByRole('button', { name: 'Next' }).isDisabled())
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'k099' }).waitFor()
  t.is(await page.getByRole('button', { name: 'Add record' }).count(), 0)
})

withChromium.serial('files are uploaded with their progress, downloaded as they were, and removed', async (t) => {
  await client.ok(client.post('/brs/bucket', { bucket_name: 'files' }, admin))
  const page = await openSignedIn(t, '/console/objects/files?prefix=2026%2F', ADMIN_KEY)
  await page.getByText('No key begins like that').waitFor()
  const content = Buffer.alloc(3_000_000, 'weir ')
  await page.locator('input[type=file]').setInputFiles([
    { name: 'large file.bin', mimeType: 'application/octet-stream', buffer: content },
    { name: `${hostile.replaceAll('/', '')}.txt`, mimeType: 'text/plain', buffer: Buffer.from('x') },
  ])
  await page.getByRole('cell', { name: '2026/large file.bin', exact: true }).waitFor()
  await page.getByRole('cell', { name: '2026/<img' }).first().waitFor()
  await page.getByText('3 MB').first().waitFor()
  t.is(await page.locator('img').count(), 0)
  await expectAccessible(t, page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download 2026/large file.bin' }).click()
  const download = await downloading
  t.is(download.suggestedFilename(), 'large file.bin')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk))
  t.true(Buffer.concat(chunks).equals(content))
  // On a phone, too, both actions are within the window.
  await page.setViewportSize({ width: 390, height: 800 })
  const removal = page.getByRole('button', { name: 'Remove 2026/large file.bin' })
  const { x = 390, width = 1 } = (await removal.boundingBox()) ?? {}
  t.true(x + width <= 390, `${x} ${width}`)
  await removal.click()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByRole('cell', { name: '2026/large file.bin', exact: true }).waitFor({ state: 'detached' })
})

withChromium.serial(
  'a bucket with keys of its own asks for them, and a reader has no button that changes anything',
  async (t) => {
    const keys = { access_key: 'me', secret_key: 'a secret that is nowhere shown' }
    await client.ok(client.post('/brs/bucket', { bucket_name: 'locked', ...keys }, admin))
    const own = { ...admin, 'x-access-key': keys.access_key, 'x-secret-key': keys.secret_key }
    await client.ok(client.send('PUT', '/brs/locked/object/note.txt', 'hello', own))
    const page = await openSignedIn(t, '/console/objects/locked', await makeReader())
    await page.getByLabel('Access key').fill(keys.access_key)
    await page.getByLabel('Secret key').fill(keys.secret_key)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'note.txt', exact: true }).waitFor()
    t.is(await page.locator('input[type=file]').count(), 0)
    t.is(await page.getByRole('button', { name: /^Remove/ }).count(), 0)
    t.false(
      await page.evaluate(`JSON.stringify([localStorage, sessionStorage, location.href]).includes('secret that')`),
    )
  },
)

withChromium.serial(
  'a notification is registered, its secret shown once, and its deliveries are followed',
  async (t) => {
    const page = await openSignedIn(t, '/console/notifications', ADMIN_KEY)
    await page.getByRole('button', { name: 'New notification' }).click()
    await page.getByLabel('Name').fill(`dear ${hostile}`)
    await page.getByLabel('Webhooks').fill('http://127.0.0.1:1/hook')
    await page.getByLabel('Seconds between two sends').fill('0')
    await expectAccessible(t, page)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: /^dear/ }).click()
    await page.getByText('Nothing was sent yet').waitFor()

    const filter = { query: [{ key: 'price', cmp_op: 'GT', val: 50 }] }
    const stream = {
      ...{ name: 'visits', type: 1, swsz: 0, attr: [{ name: 'price', type: 'DOUBLE' }] },
      fltr: [{ name: 'dear', notf: 1, fqry: { type: 1, name: JSON.stringify(filter) } }],
    }
    await client.ok(client.post('/stream', { schema: 'told', streams: [stream] }, admin))
    await client.ok(client.post('/stream/told/visits', { price: 80, page: hostile }, admin))
    await page.getByRole('cell', { name: 'http://127.0.0.1:1/hook', exact: true }).waitFor()
    await page.getByText('pending').waitFor()
    await page.getByText('ECONNREFUSED').waitFor()
    const retried = page.waitForResponse(/\/db\/notification\/1\/deliveries\/retry$/)
    await page.getByRole('button', { name: 'Try now: http://127.0.0.1:1/hook' }).click()
    t.is((await retried).status(), 200)
    await expectAccessible(t, page)
    await page.getByRole('tab', { name: 'Sends' }).click()
    await page.getByRole('cell', { name: '"price":80' }).waitFor()
    t.is(await page.locator('img').count(), 0)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('paused').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText('No notification yet').waitFor()
  },
)

for (const [width, theme] of [
  [1280, 'dark'],
  [390, 'light'],
] as const) {
  withChromium.serial(
    `tables, objects and notifications are accessible, and nothing is cut off, ${theme} and ${width} pixels wide`,
    async (t) => {
      await client.ok(client.post('/db/notification/register', { notifid: 7, name: 'quiet', freq: 60 }, admin))
      const page = await openSignedIn(t, '/console/tables', ADMIN_KEY, { width, theme })
      for (const path of [
        '/console/tables',
        '/console/tables/mydb/many',
        '/console/tables/mydb/many?tab=indexes',
        '/console/objects',
        '/console/objects/files',
        '/console/notifications',
        '/console/notifications/7',
        '/console/notifications/7?tab=template',
      ]) {
        await page.goto(`${url}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await until('skeletons are gone', async () => (await page.locator('[aria-busy]').count()) === 0)
        t.true(await isWithinWidth(page), path)
        await expectAccessible(t, page)
      }
    },
  )
}
