/** The console of a service with keys: it asks for one, and shows as much as the key may do. */
import test from 'ava'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)

const makeKey = async (...scopes: readonly string[]): Promise<{ readonly id: string; readonly key: string }> =>
  client.ok(client.post('/keys', { name: 'k', scopes }, { 'x-api-key': ADMIN_KEY }))

withChromium(
  'the page asks for a key, says why one is refused, and goes on with a good one until it signs out',
  async (t) => {
    const page = await openPage(t, url)
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    await expectAccessible(t, page)
    await page.getByLabel('Key').fill('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('the key is unknown, expired or revoked').waitFor()
    t.deepEqual(await page.context().cookies(), [])

    const { id, key } = await makeKey('read')
    await page.getByLabel('Key').fill(key)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(`key ${id}`).waitFor()
    const [cookie] = await page.context().cookies()
    t.like(cookie, { httpOnly: true, sameSite: 'Strict', path: '/', expires: -1, value: key })
    t.false(await page.evaluate(`JSON.stringify([localStorage, sessionStorage, document.cookie]).includes('weir_')`))
    await page.reload()
    await page.getByText(`key ${id}`).waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await dialog.waitFor()
    t.deepEqual(await page.context().cookies(), [])
  },
)

withChromium(
  'the navigation has the pages that a key may use; a key that is revoked has the page ask for another',
  async (t) => {
    const { id, key } = await makeKey('read')
    const page = await openPage(t, url)
    await page.getByLabel('Key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByText(`key ${id}`).waitFor()
    const pages = page.getByRole('navigation', { name: 'Pages' })
    t.is(await pages.getByRole('link', { name: 'Keys' }).count(), 0)
    await client.ok(client.send('DELETE', `/keys/${id}`, undefined, { 'x-api-key': ADMIN_KEY }))
    await page.reload()
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor()
  },
)

withChromium(
  'a key that may not do something is told which scope that takes; one bound to a schema sees that one',
  async (t) => {
    for (const name of ['here', 'elsewhere']) {
      const streams = [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'COUNT' }] }]
      await client.ok(client.post('/stream', { schema: name, streams }, { 'x-api-key': ADMIN_KEY }))
    }
    const body = { name: 'k', scopes: ['read'], on: ['schema:here'] }
    const { id, key } = await client.ok(client.post('/keys', body, { 'x-api-key': ADMIN_KEY }))
    const page = await openPage(t, `${url}/console/keys`)
    await page.getByLabel('Key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByText(`key ${id}`).waitFor()
    await page.getByText('The key may not do this').waitFor()
    await page.getByText('this needs the scope admin, and the key has read').waitFor()
    await expectAccessible(t, page)
    // The page of streams has nothing to change, and says what that takes.
    await page.goto(`${url}/console/streams/here`)
    await page.getByText('a key with the scope define; yours has read').waitFor()
    await page.getByRole('gridcell', { name: 'st', exact: true }).waitFor()
    t.is(await page.getByRole('link', { name: /Edit schema|Register a schema/ }).count(), 0)
    await expectAccessible(t, page)
    await page.getByRole('gridcell', { name: 'st', exact: true }).click()
    await page.getByRole('tab', { name: 'Refused' }).click()
    await page.getByText('A key with the scope write sees what was refused at once, too.').waitFor()
    t.is(await page.getByRole('button', { name: /Turn o|Send/ }).count(), 0)

    // Neither the history nor the address keeps a key that stands in a statement.
    await page.goto(`${url}/console/query?lang=sql`)
    const statement = page.getByRole('textbox', { name: 'Statement' })
    for (const text of [`SELECT '${key}'`, "SELECT 'whsec_c2VjcmV0IG9mIG5vdGlmaWNhdGlvbnM'", 'SELECT 1 AS plain']) {
      await statement.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(text)
      await page.keyboard.press('ControlOrMeta+Enter')
      await page.getByText(/^1 row/).waitFor()
      t.is(page.url().includes('weir_') || page.url().includes('whsec'), false)
    }
    const kept = String(await page.evaluate('JSON.stringify([localStorage, sessionStorage])'))
    t.true(kept.includes('AS plain'))
    t.false(kept.includes('weir_') || kept.includes('whsec') || kept.includes(key))

    await page.goto(url)
    await page.getByRole('link', { name: 'here', exact: true }).waitFor()
    t.is(await page.getByRole('link', { name: 'elsewhere' }).count(), 0)
    t.is(await page.getByText('Refused').count(), 0)
  },
)

for (const [width, theme] of [
  [1280, 'dark'],
  [390, 'light'],
] as const) {
  withChromium(`the page is accessible, and nothing is cut off, ${theme} and ${width} pixels wide`, async (t) => {
    const page = await openPage(t, url, { width, theme })
    await page.getByLabel('Key').fill(ADMIN_KEY)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' })
    await expectAccessible(t, page)
    t.true(await isWithinWidth(page))
  })
}
