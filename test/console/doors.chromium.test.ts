/** The page of the doors by which others' events come in, in a browser. */
import { createHmac } from 'node:crypto'
import test from 'ava'
import type { Page } from 'playwright-core'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
const admin = { 'x-api-key': ADMIN_KEY }
test.after.always(close)

test.before(async () => {
  const issues = { keep: 'forever', attributes: { number: 'integer', action: 'text' } }
  await client.ok(client.post('/stream', { schema: 'work', streams: { issues } }, admin))
})

async function openSignedIn(t: Parameters<typeof openPage>[0], path: string, key: string): Promise<Page> {
  const page = await openPage(t, `${url}${path}`)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' })
  return page
}

const secret = 'a-secret-of-github'
const deliver = (body: string, headers: object = {}) =>
  fetch(`${url}/hook/issues`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
const signed = (body: string) =>
  deliver(body, { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` })

withChromium.serial(
  'a hook is made by its form, its deliveries come by themselves, and a change keeps its secret',
  async (t) => {
    const page = await openSignedIn(t, '/console/doors', ADMIN_KEY)
    await page.getByText('No hook yet').waitFor()
    await expectAccessible(t, page)
    await page.getByRole('button', { name: 'New hook' }).click()
    const form = page.getByRole('dialog', { name: 'New hook' })
    await form.getByLabel('Name', { exact: true }).fill('issues')
    await form.getByLabel('Into the stream').fill('work.issues')
    await form.getByLabel('Secret').fill('short')
    await form.getByLabel('Attributes from the payload').fill('number = issue.number\naction = action')
    await form.getByRole('button', { name: 'Make the hook' }).click()
    await form.getByText('verify.secret: must be at least 16 characters long').waitFor()
    await expectAccessible(t, page)
    await form.getByLabel('Secret').fill(secret)
    await form.getByRole('button', { name: 'Make the hook' }).click()
    await page.getByText('Nothing came yet').waitFor()
    await page.getByText('nothing: a delivery that comes twice counts twice').waitFor()

    await signed('{"action":"opened","issue":{"number":7}}')
    await deliver('{"action":"opened","issue":{"number":8}}')
    await signed('{"action":"opened","issue":{"number":"nine"}}')
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row')
    await rows.nth(3).waitFor()
    t.deepEqual(await page.getByRole('table', { name: 'Deliveries' }).locator('.badge').allInnerTexts(), [
      'refused',
      'unsigned',
      'accepted',
    ])
    await expectAccessible(t, page)
    t.false((await page.content()).includes(secret))

    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('A delivery is taken once by').selectOption('body')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('the bytes of the body').waitFor()
    t.is((await signed('{"action":"closed","issue":{"number":7}}')).status, 200)
    await rows.nth(4).waitFor()
    await page.getByRole('link', { name: 'Refused events' }).first().click()
    await page.getByText(/number: expected .*got the string "nine"/).waitFor()

    await page.goto(`${url}/console/doors/hooks/issues`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('No hook yet').waitFor()
    t.is((await client.send('GET', '/hook/issues', undefined, admin)).status, 404)
  },
)

withChromium.serial('an import is begun by its form and followed to its end without a reload', async (t) => {
  await client.ok(client.post('/brs/bucket', { bucket_name: 'history' }, admin))
  await fetch(`${url}/brs/history/object/2025/a.csv`, {
    method: 'PUT',
    headers: admin,
    body: 'No,action\n1,a\nx,b\n3,c\n',
  })
  // It waits while its stream is OFF.
  await client.ok(client.send('PUT', '/stream/work/issues/state', { state: 0 }, admin))
  const page = await openSignedIn(t, '/console/doors', ADMIN_KEY)
  await page.getByRole('button', { name: 'Import files' }).click()
  const form = page.getByRole('dialog', { name: 'Import files' })
  await form.getByLabel('Bucket').fill('history')
  await form.getByLabel('Key').fill('2025/none.csv')
  await form.getByLabel('Into the stream').fill('work.issues')
  await form.getByLabel('Attributes from columns').fill('number = No\naction = action')
  await form.getByRole('button', { name: 'Begin' }).click()
  await form.getByText(/2025\/none\.csv/).waitFor()
  await form.getByLabel('Key').fill('2025/a.csv')
  await form.getByRole('button', { name: 'Begin' }).click()
  await page.getByText(/^It waits: .*OFF/).waitFor()
  await expectAccessible(t, page)
  const list = await openSignedIn(t, '/console/doors', ADMIN_KEY)
  await list.getByRole('table', { name: 'Imports' }).getByText('waiting').waitFor()

  await client.ok(client.send('PUT', '/stream/work/issues/state', { state: 1 }, admin))
  await page.getByText('done', { exact: true }).waitFor()
  await list.getByRole('table', { name: 'Imports' }).getByText('done').waitFor()
  await page
    .getByRole('table', { name: 'Rows that were refused' })
    .getByText(/number: expected/)
    .waitFor()
  await expectAccessible(t, page)
  for (const each of [page, list]) {
    await each.setViewportSize({ width: 390, height: 800 })
    t.true(await isWithinWidth(each))
  }
  const { key } = await client.ok(client.post('/keys', { name: 'reader', scopes: ['read'] }, admin))
  const reader = await openSignedIn(t, '/console/doors', key)
  await reader.getByRole('table', { name: 'Imports' }).waitFor()
  for (const name of ['New hook', 'Import files']) t.is(await reader.getByRole('button', { name }).count(), 0, name)

  await page.getByRole('button', { name: 'Forget it' }).click()
  await page.getByText('No file was imported yet').waitFor()
})
