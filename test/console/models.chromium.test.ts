/** The console's models: from a CSV to a prediction, its figures as pictures, and what a key that only reads sees. */
import test from 'ava'
import type { Page } from 'playwright-core'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
const admin = { 'x-api-key': ADMIN_KEY }
test.after.always(close)

/** A training takes its time on a machine that is busy. */
const trained = { timeout: 150_000 }

const hostile = `<img src=x onerror="document.title='hacked'">`

/** Customers with missing cells and a hostile name; those who visit seldom leave. */
const customers = (count: number): string =>
  [
    'id,name,plan,visits,spent,churned',
    ...Array.from({ length: count }, (_, i) =>
      [
        1000 + i,
        `"${hostile.replaceAll('"', '""')} ${i}"`,
        ['free', 'pro', hostile.replaceAll('"', '')][i % 3],
        i % 20,
        i % 10 === 3 ? 'NA' : i % 50,
        i % 20 < 7 || i % 23 === 0 ? 'yes' : 'no',
      ].join(),
    ),
    '',
  ].join('\n')

const choose = (page: Page, name: string, text: string): Promise<void> =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

async function openSignedIn(t: Parameters<typeof openPage>[0], path: string, key: string, options = {}): Promise<Page> {
  const page = await openPage(t, `${url}${path}`, options)
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' })
  return page
}

withChromium.serial('from a CSV to a prediction in five clicks', async (t) => {
  const page = await openSignedIn(t, '/console/models', ADMIN_KEY)
  await page.getByText('No model yet').waitFor()
  await page.getByRole('link', { name: 'New model' }).click()
  await choose(page, 'Our customers.csv', customers(200))
  await page.getByText('200 rows, 6 columns').waitFor()
  t.is(await page.getByLabel('Predict', { exact: true }).locator('option:checked').textContent(), 'churned')
  t.is(await page.getByLabel('Name of the model').inputValue(), 'our_customers')
  t.false(await page.getByLabel('Learn from id').isChecked())
  t.false(await page.getByLabel('Learn from name').isChecked())
  t.is(await page.getByLabel('What plan holds').inputValue(), 'word')
  t.regex((await page.locator('tr', { hasText: 'spent' }).first().textContent()) ?? '', /0 to 49.*10 %/)
  await expectAccessible(t, page)

  await page.getByRole('button', { name: 'Upload and train' }).click()
  await page.waitForURL('**/console/models/demo/our_customers')
  await page.getByRole('heading', { name: 'Confusion matrix' }).waitFor(trained)
  t.is(await page.locator('.badge', { hasText: 'trained' }).count(), 1)
  for (const name of ['ROC curve', 'Calibration', 'Importance', 'By label'])
    t.is(await page.getByRole('heading', { name, exact: true }).count(), 1, name)
  const matrix = (await page.getByRole('img', { name: /^Confusion matrix\./ }).getAttribute('aria-label')) ?? ''
  const { confusion, labels } = await client.ok(client.send('GET', '/ml/demo/our_customers/metrics', undefined, admin))
  const [first, second] = labels
  t.true(
    matrix.includes(`${first}: ${confusion[0][0]} of`) && matrix.includes(`${second}: ${confusion[1][1]} of`),
    matrix,
  )
  await expectAccessible(t, page)

  await page.getByRole('tab', { name: 'Predict' }).click()
  await page.getByLabel('visits').fill('2')
  await page.getByRole('button', { name: 'Predict', exact: true }).click()
  t.is(await page.locator('.prediction strong').textContent(), 'yes')
  t.is(await page.getByRole('list', { name: 'Probabilities' }).getByRole('listitem').count(), 2)
  await expectAccessible(t, page)
})

withChromium.serial(
  'versions are compared, an older one is made current, and the address says what is shown',
  async (t) => {
    const page = await openSignedIn(t, '/console/models/new?schema=demo&model=our_customers', ADMIN_KEY)
    await choose(page, 'more.csv', customers(150))
    await page.getByText('this makes version 2').waitFor()
    await page.getByLabel('Algorithm').selectOption('LIN')
    await page.getByRole('button', { name: 'Upload and train' }).click()
    await page.waitForURL('**/console/models/demo/our_customers')
    await page.getByText('Version 2 serves').waitFor(trained)
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByLabel('Compare version 1').check()
    await page.getByLabel('Compare version 2').check()
    await page.getByRole('heading', { name: 'Version 1 and 2' }).waitFor()
    t.regex(page.url(), /tab=versions&compare=1%2C2$/)
    await page.reload()
    await page.getByRole('heading', { name: 'Version 1 and 2' }).waitFor()
    t.true((await page.getByRole('table', { name: 'Figures compared' }).textContent())?.includes('Accuracy'))
    await expectAccessible(t, page)
    await page.getByRole('button', { name: 'Make current' }).click()
    await page.getByText('Version 1 serves').waitFor()
    t.is((await client.ok(client.send('GET', '/ml/demo/our_customers', undefined, admin))).version, 1)
  },
)

withChromium.serial('by keyboard alone a number is predicted, and the card shows residuals', async (t) => {
  const rows = Array.from({ length: 120 }, (_, i) => `${i % 12},${i % 7},${(i % 12) * 10 + (i % 7)}.5`)
  const page = await openSignedIn(t, '/console/models/new', ADMIN_KEY)
  await choose(page, 'line.csv', ['a,b,price', ...rows, ''].join('\n'))
  await page.getByText('A number, from').waitFor()
  await page.getByLabel('Algorithm').focus()
  await page.keyboard.type('LIN')
  await page.getByLabel('Name of the model').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/models/demo/line')
  await page.getByRole('heading', { name: 'Residuals' }).waitFor(trained)
  await page.getByRole('tab', { name: 'Quality' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('a', { exact: true }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await page.locator('.prediction strong').waitFor()
  t.regex((await page.locator('.prediction strong').textContent()) ?? '', /^\d+(\.\d+)?$/)
})

withChromium.serial('a training that fails says why, and a file that is no CSV is not uploaded', async (t) => {
  const page = await openSignedIn(t, '/console/models/new', ADMIN_KEY)
  await choose(page, 'letter.txt', 'Dear all,')
  await page.getByText('letter.txt has no rows of cells').waitFor()
  await client.send('PUT', '/brs/ml_bucket_info/object/broken__demo__d.csv', 'a,b\n1,x\n2,x\n', admin)
  const details = { training_source_type: 'FILE', training_source: 'd.csv', input_format: 'CSV', target: 'b' }
  const asked = { 'schema-name': 'demo', model_name: 'broken', algo_type: 'TREE', training_details: details }
  await client.ok(client.post('/ml/train', asked, admin))
  await page.goto(`${url}/console/models/demo/broken`)
  await page.getByText('It failed:').waitFor(trained)
  const { reason } = await client.ok(client.send('GET', '/ml/demo/broken/status', undefined, admin))
  await page.getByText(reason, { exact: true }).waitFor()
  await expectAccessible(t, page)
})

withChromium.serial(
  'a key that may read sees figures and predicts, and has no button that trains, removes or uploads',
  async (t) => {
    const { key } = await client.ok(client.post('/keys', { name: 'reader', scopes: ['read'] }, admin))
    const page = await openSignedIn(t, '/console/models/demo/our_customers?tab=versions', key)
    await page.getByRole('table', { name: /^Versions/ }).waitFor()
    for (const name of ['Make current', 'Name', 'Remove', 'New model'])
      t.is(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await page.getByRole('tab', { name: 'Predict' }).click()
    await page.getByRole('button', { name: 'Predict', exact: true }).click()
    await page.locator('.prediction strong').waitFor()
    t.is(await page.locator('input[type=file]').count(), 0)
    await page.getByRole('tab', { name: 'Training' }).click()
    await page.getByText('training successful!').waitFor()
    t.is(await page.getByRole('link', { name: /Train anew/ }).count(), 0)
    await page.goto(`${url}/console/models/new`)
    await page.getByText('This key may not train').waitFor()
  },
)

withChromium.serial('a name in the data never becomes markup', async (t) => {
  const page = await openSignedIn(t, '/console/models/new', ADMIN_KEY)
  await choose(page, `${hostile.replaceAll(/[/"]/g, '')}.csv`, customers(60))
  await page.getByText('60 rows, 6 columns').waitFor()
  await page.getByLabel('Predict', { exact: true }).selectOption({ label: 'plan' })
  t.is(await page.locator('img').count(), 0)
  await page.getByLabel('Name of the model').fill('plans')
  await page.getByLabel('Algorithm').selectOption('LIN')
  await page.getByRole('button', { name: 'Upload and train' }).click()
  await page.getByRole('heading', { name: 'Confusion matrix' }).waitFor(trained)
  await page.getByRole('cell', { name: '<img src=x' }).waitFor()
  t.is(await page.locator('img').count(), 0)
  await page.goto(`${url}/console/models/${encodeURIComponent(hostile)}/${encodeURIComponent(hostile)}`)
  await page.getByText('<img src=x').first().waitFor()
  t.is(await page.locator('img').count(), 0)
  t.notRegex(await page.title(), /^hacked/)
})

for (const [width, theme] of [
  [1280, 'dark'],
  [390, 'light'],
] as const) {
  withChromium.serial(`models are accessible, and nothing is cut off, ${theme} and ${width} pixels wide`, async (t) => {
    const page = await openSignedIn(t, '/console/models', ADMIN_KEY, { width, theme })
    await page.getByRole('link', { name: 'our_customers' }).waitFor()
    await expectAccessible(t, page)
    for (const tab of ['quality', 'predict', 'versions', 'training']) {
      await page.goto(`${url}/console/models/demo/our_customers?tab=${tab}`)
      await page.getByRole('tabpanel').getByRole('heading').first().waitFor()
      await until('skeletons are gone', async () => (await page.locator('[aria-busy]').count()) === 0)
      t.true(await isWithinWidth(page), tab)
      await expectAccessible(t, page)
    }
  })
}
