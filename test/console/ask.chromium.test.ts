/** The pages Query and Graph, in a browser. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Page } from 'playwright-core'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { client, url, close } = await startService()
test.after.always(close)

const start_us = Date.now() * 1000 - 3_600_000_000
const hostile = '<img src=x onerror=alert(1)>'
/** Of the events of this condition there are 3,000: another test sends some without a quantity meanwhile. */
const loaded = 'quantity >= 1'

test.before(async () => {
  await client.register(JSON.parse(readFileSync(new URL('../../examples/shop/schema.json', import.meta.url), 'utf8')))
  const countries = ['DE', 'FR', hostile]
  await client.lines(
    'shop.visits',
    Array.from({ length: 3000 }, (_, at) => ({
      ...{ _pk: start_us + at * 1_000_000, visitor: `v${at % 40}`, page: 'home' },
      ...{ country: countries[at % 3], price: at % 50, quantity: 1 },
    })),
  )
  await client.ok(client.get('/graph/film/new'))
  for (const text of [
    'CREATE (Person:"Tom Hanks" {"born":1956})-[ACTED_IN]->(Movie:"Cast Away" {"year":2000})',
    'CREATE (Person:"Meg Ryan")-[ACTED_IN]->(Movie:"Sleepless in Seattle")<-[ACTED_IN]-(Person:"Tom Hanks")',
    'CREATE (Person:"Meg Ryan")-[KNOWS]->(Person:"Nora Ephron")-[DIRECTED]->(Movie:"Sleepless in Seattle")',
  ])
    await client.ok(client.post('/graph/film/query', text))
})

const at = (path: string, members: Record<string, string> = {}) => `${url}${path}?${new URLSearchParams(members)}`
const write = async (page: Page, text: string): Promise<void> => {
  const editor = page.getByRole('textbox', { name: 'Statement' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}
const downloadOf = async (page: Page, format: string): Promise<Buffer> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog', { name: 'Download' }).getByRole('button', { name: format }).click(),
  ])
  return readFileSync(await download.path())
}

withChromium('a statement is completed, run by keys, charted by two clicks, and shared by its address', async (t) => {
  const page = await openPage(t, at('/console/query'))
  await page.getByRole('textbox', { name: 'Statement' }).click()
  await page.keyboard.type('select aggr(price) from shop.vis')
  await page.getByRole('option', { name: /^visits/ }).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('grid', { name: 'Rows of the answer' }).waitFor()
  await page.getByRole('tab', { name: 'Chart' }).click()
  await page.getByRole('img', { name: /avg over ts/ }).waitFor()
  await expectAccessible(t, page)
  const address = page.url()
  const other = await openPage(t, address)
  await other.getByRole('img', { name: /avg over ts/ }).waitFor()
  t.is(new URL(address).searchParams.get('q'), 'select aggr(price) from shop.visits')
})

withChromium(
  'suggestions are taken by keys, and what they wrote is undone by one; Escape closes them, Tab then leaves',
  async (t) => {
    const page = await openPage(t, at('/console/query'))
    const statement = page.getByRole('textbox', { name: 'Statement' })
    const offered = page.getByRole('listbox', { name: 'Suggestions' })
    await statement.click()
    await page.keyboard.type('select * from shop.vis')
    await offered.waitFor()
    await expectAccessible(t, page)
    await page.keyboard.press('Enter')
    await offered.waitFor({ state: 'detached' })
    t.is(await statement.inputValue(), 'select * from shop.visits')
    await page.keyboard.press('ControlOrMeta+z')
    t.is(await statement.inputValue(), 'select * from shop.vis')
    // Behind a blank the list is there, and Enter is a new line until an arrow has chosen.
    await page.keyboard.press('End')
    await page.keyboard.type('its where ')
    await offered.waitFor()
    await page.keyboard.press('Enter')
    t.is(await statement.inputValue(), 'select * from shop.visits where \n')
    await page.keyboard.press('Control+Space')
    await offered.waitFor()
    await page.keyboard.press('Escape')
    await offered.waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    t.false(await statement.evaluate((element) => element === element.ownerDocument.activeElement))
  },
)

withChromium('a refusal stands below its place, in each language, and goes with the next change', async (t) => {
  const page = await openPage(t, at('/console/query', { q: 'select * frm shop.visits' }))
  await page.getByText("expected 'from' after '*', got 'frm'").first().waitFor()
  await expectAccessible(t, page)
  await write(page, `select count(*) from shop.visits where ${loaded}`)
  await page.getByText("got 'frm'").first().waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Run/ }).click()
  await page.getByText('3,000', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'SQL' }).click()
  await write(page, 'SELECT contry FROM shop.visits')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page
    .getByText(/Unknown expression identifier/)
    .first()
    .waitFor()
})

withChromium('100,000 rows of SQL scroll to their end, and the page says that there are more', async (t) => {
  const page = await openPage(
    t,
    at('/console/query', { lang: 'sql', q: 'SELECT number AS n, number * 2 AS twice FROM numbers(120000)' }),
  )
  await page.getByText(/^100,000 rows, and more/).waitFor()
  await page.getByText(/The page holds 100,000 rows/).waitFor()
  const grid = page.getByRole('grid', { name: 'Rows of the answer' })
  t.true((await grid.getByRole('row').count()) < 200)
  // Through all of it, a frame at a place: a bounded part of the rows is there at each.
  const seen = await page.evaluate(`(async () => {
    const grid = document.querySelector('[role=grid][aria-label="Rows of the answer"]')
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const counts = []
    for (let part = 0; part <= 50; part++) {
      grid.scrollTop = (grid.scrollHeight * part) / 50
      await frame()
      await frame()
      counts.push(grid.querySelectorAll('[role=row]').length)
    }
    return { most: Math.max(...counts), least: Math.min(...counts), top: grid.scrollTop }
  })()`)
  const { most, least, top } = seen as { most: number; least: number; top: number } // as the script returns it
  t.true(least > 2 && most < 200 && top > 1_000_000, JSON.stringify(seen))
  await grid.focus()
  await page.keyboard.press('End')
  await grid.getByText('99999', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Download' }).click()
  const csv = (await downloadOf(page, 'CSV')).toString()
  t.is(csv.trimEnd().split('\n').length, 120_001)
})

withChromium(
  "an answer in Weir's language goes on by pages, opens row by row, and is a file of each kind",
  async (t) => {
    const page = await openPage(t, at('/console/query', { q: `select * from shop.visits where ${loaded} limit 1000` }))
    await page.getByText(/^1,000 rows, and more/).waitFor()
    await page.getByRole('button', { name: /^All, up to/ }).click()
    await page.getByText(/^3,000 rows/).waitFor()
    // A text of an event is a text, whatever it says.
    await page.getByRole('row').filter({ hasText: hostile }).first().click()
    await page.getByRole('dialog', { name: 'Row' }).getByText(hostile).waitFor()
    await expectAccessible(t, page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Download' }).click()
    const lines = (await downloadOf(page, 'JSON lines')).toString().trimEnd().split('\n')
    t.is(lines.length, 1000)
    t.like(JSON.parse(lines[0] ?? ''), { page: 'home', quantity: 1 })
    const parquet = await downloadOf(page, 'Parquet')
    t.is(parquet.toString('latin1', 0, 4), 'PAR1')
    t.is(parquet.toString('latin1', parquet.length - 4), 'PAR1')
  },
)

withChromium('a download says that the Parquet writer could not be loaded, and is tried again', async (t) => {
  const page = await openPage(t, at('/console/query', { q: `select * from shop.visits where ${loaded} limit 10` }))
  await page.getByText(/^10 rows/).waitFor()
  await page.getByRole('button', { name: 'Download' }).click()
  // As after an update of the service, whose parts have other names.
  await page.route(/\/console\/.*\.js$/, (route) => route.abort())
  const dialog = page.getByRole('dialog', { name: 'Download' })
  await dialog.getByRole('button', { name: 'Parquet' }).click()
  await dialog.getByRole('alert').getByText('The Parquet writer could not be loaded; reload the page').waitFor()
  await expectAccessible(t, page)
  await page.unroute(/\/console\/.*\.js$/)
  t.is((await downloadOf(page, 'Parquet')).toString('latin1', 0, 4), 'PAR1')
  t.is(await dialog.getByText('could not be loaded').count(), 0)
})

withChromium('a live answer changes with its events, until it is stopped', async (t) => {
  const page = await openPage(t, at('/console/query'))
  await write(page, 'select count(*) from shop.expensive_visits')
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByText('0', { exact: true }).waitFor()
  for (const price of [60, 70, 80]) await client.event('shop.visits', { visitor: 'live', price })
  await page.getByText('3', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Live' }).waitFor()
  t.pass()
})

withChromium('leaving the page ends its query, and Cancel does', async (t) => {
  const endless = at('/console/query', { lang: 'sql', q: 'SELECT sum(sipHash64(number)) FROM system.numbers' })
  const isRunning = async () =>
    (await client.ok(client.post('/sql', { sql: 'SELECT 1', settings: { max_execution_time: 5 } }))) !== undefined
  for (const leave of ['Cancel', 'go'] as const) {
    const page = await openPage(t, endless)
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    if (leave === 'Cancel') await page.getByRole('button', { name: 'Cancel' }).click()
    else await page.getByRole('link', { name: 'Home' }).click()
    // There are two places for such queries: both are free at once only if none goes on for its 60 s.
    await until('a place', isRunning, 40_000)
  }
  await Promise.all([isRunning(), isRunning()])
  t.pass()
})

withChromium(
  'the history and the samples hold the statement; what changes something is asked about first',
  async (t) => {
    const page = await openPage(t, at('/console/query', { q: 'select count(*) from shop.visits where page = "home"' }))
    await page.getByText(/^Count/).waitFor()
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByRole('button', { name: 'Copy as code' }).click()
    await page.getByText(`curl -s ${url}/db/mydb/query`).waitFor()
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.getByText('import requests').waitFor()
    await expectAccessible(t, page)
    await page.keyboard.press('Escape')
    await write(page, 'delete from shop.visits where page = "nowhere"')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByRole('dialog', { name: 'This statement changes what is stored' }).getByText('delete from').waitFor()
    await page.getByRole('button', { name: 'Leave it' }).click()
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('dialog', { name: 'History' }).getByText('where page = "home"').click()
    await page.getByText(/^Count/).waitFor()
    t.false(((await page.evaluate('JSON.stringify(localStorage)')) as string).includes('weir_'))
  },
)

withChromium('a graph is drawn beside its table; a row brings the neighbours of its node', async (t) => {
  const page = await openPage(
    t,
    at('/console/graph', { graph: 'film', q: 's=>(Person:"Tom Hanks")-[*]->(Movie:"Cast Away")' }),
  )
  await page.getByText('1 relation', { exact: true }).waitFor()
  await page.getByRole('application', { name: /2 nodes, 1 relations/ }).waitFor()
  await page.getByRole('gridcell', { name: 'Person:Tom Hanks' }).click()
  await page.getByRole('application', { name: /3 nodes, 2 relations/ }).waitFor()
  await page.getByRole('region', { name: 'Node' }).getByText('1956').waitFor()
  await expectAccessible(t, page)
  await write(page, 's=>(Person:"Meg Ryan")-[#SHORT_PATH *]->(Movie:"Sleepless in Seattle")')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('1 path', { exact: true }).waitFor()
  await write(page, 's=>(Person:"Meg Ryan"')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page
    .getByText(/expected .*got the end/)
    .first()
    .waitFor()
})

withChromium('an algorithm runs with its progress, and its values are shown by a click', async (t) => {
  const page = await openPage(t, at('/console/graph', { graph: 'film' }))
  await page.getByRole('button', { name: 'Run PageRank' }).click()
  await page.getByText(/^5 nodes/).waitFor()
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('columnheader', { name: 'pagerank' }).waitFor()
  t.true(page.url().includes('pagerank'))
})

withChromium('an answer of 50,000 triples is drawn in part, which the page says, and its table has all', async (t) => {
  await client.ok(client.get('/graph/large/new'))
  const hubs = Array.from({ length: 52 }, (_, hub) => hub)
  for (const hub of hubs) {
    const leaves = Array.from({ length: 500 }, (_, leaf) => `(P:h${hub})-[R]->(P:n${hub}x${leaf})`)
    const back = leaves.join('<-[R]-')
    await client.ok(client.post('/graph/large/query', `CREATE ${back}`))
  }
  const page = await openPage(t, at('/console/graph', { graph: 'large', q: 's=>(*)-[R]->(*)' }))
  await page.getByText(/^\d\d,\d{3} relations/).waitFor()
  await page.getByText(/The table has all/).waitFor()
  const grid = page.getByRole('grid', { name: 'Rows of the answer' })
  await grid.focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Zoom in' }).click()
  t.true((await grid.getByRole('row').count()) < 200)
})

for (const [width, theme] of [
  [1280, 'dark'],
  [390, 'light'],
] as const) {
  withChromium(`both pages are accessible, and nothing is cut off, ${theme} and ${width} pixels wide`, async (t) => {
    const page = await openPage(
      t,
      at('/console/query', { q: 'select aggr(visitor) from shop.visits groupby country', view: 'chart' }),
      {
        ...{ width, theme },
      },
    )
    await page.getByRole('list', { name: /value by group/ }).waitFor()
    await expectAccessible(t, page)
    t.true(await isWithinWidth(page))
    await page.goto(at('/console/graph', { graph: 'film' }))
    await page.getByRole('application').waitFor()
    await expectAccessible(t, page)
    t.true(await isWithinWidth(page))
  })
}
