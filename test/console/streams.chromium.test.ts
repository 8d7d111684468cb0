/** The console's page of streams, in a browser: from an empty service to a chart, and everything that a stream shows. */
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../infra/logger.ts'
import { createRejectedTable } from '../../sql/schema/ddl/events.ts'
import { expectAccessible, isWithinWidth, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

let clickhouse: ClickHouse | undefined
const { client, url, close } = await startService({}, silentLogger(), {
  clickhouse(part) {
    clickhouse = part
    return part
  },
})
test.after.always(close)

const at = (path: string): string => new URL(`/console/streams${path}`, url).href
const editor = (page: Page) => page.getByRole('textbox', { name: 'The schema' })
const cell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true }).first()

async function replaceText(page: Page, text: string): Promise<void> {
  await editor(page).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

const hostile = `<img src=x onerror="document.title='taken'"><b>"'&amp;\u202e</b>`
/** As tables have it: a character that turns the direction of a text is to be seen, and turns nothing. */
const hostileShown = hostile.replace('\u202e', 'U+202E')
const start_us = 1_700_000_000_000_000
const wire = (schema: string, more: object = {}) => ({
  schema,
  streams: [
    {
      name: 'orders',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'country', type: 5, stat: 'COUNT' },
        { name: 'price', type: 11, stat: 'RSTAT' },
      ],
      gpby: [{ gpat: ['country'], iatr: 'price', stat: 'RSTAT' }],
      ...more,
    },
  ],
})

withChromium.serial('an empty service: a schema is registered, an event sent, and its chart is there', async (t) => {
  const page = await openPage(t, at(''))
  await page.getByText('There is no schema yet').waitFor()
  await expectAccessible(t, page)
  await page.getByRole('main').getByRole('link', { name: 'Register a schema' }).last().click()
  await editor(page).waitFor()
  await page.getByText('It would make').waitFor()
  await expectAccessible(t, page)
  await page.getByRole('tab', { name: 'Wire form' }).click()
  await page.getByText('It would make').waitFor()
  await expectAccessible(t, page)

  // A fault stands beside its line, and the cursor goes there; what is whole again is offered.
  await replaceText(page, JSON.stringify(wire('first', { attr: [{ name: 'price', type: 'NUMBER' }] }), undefined, 1))
  await page.getByText("streams[0].attr[0].type: unknown type 'NUMBER'").waitFor()
  t.true(await page.getByRole('button', { name: 'Register' }).isDisabled())
  await replaceText(page, JSON.stringify(wire('first')))
  await page.getByText('stream first').or(page.getByText('stream orders')).first().waitFor()
  await page.getByRole('button', { name: 'Register' }).click()

  await page.waitForURL(at('/first'))
  await page.getByRole('button', { name: /^orders input/ }).waitFor()
  await expectAccessible(t, page)
  // By the keyboard alone: into the picture, and from its node to the stream.
  await page.getByRole('button', { name: /^orders input/ }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(at('/first/orders'))
  await page.getByText('No event has come yet').waitFor()
  const steps = page.getByRole('navigation', { name: 'Where this is' }).getByRole('link')
  t.deepEqual(await steps.allTextContents(), ['Streams', 'first'])

  await page.getByRole('button', { name: 'Send events' }).click()
  await page.getByRole('dialog').getByLabel('Event').fill('{"country":"DE","price":12.5}')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Taken', { exact: true }).waitFor()
  await expectAccessible(t, page)
  await page.getByRole('button', { name: 'Close' }).first().click()
  await cell(page, 'DE').waitFor()

  await page.getByRole('tab', { name: 'Statistics' }).click()
  await page.getByRole('img', { name: /events with country in first\.orders: 1 points/ }).waitFor()
  await page.getByRole('button', { name: 'As a table' }).click()
  await cell(page, '1').waitFor()
})

withChromium(
  'a schema is begun with a pasted event, written in words with completion, and registered with what it makes',
  async (t) => {
    const page = await openPage(t, at('?do=register'))
    await editor(page).waitFor()
    await page.getByRole('button', { name: 'Begin with an event' }).click()
    const dialog = page.getByRole('dialog')
    const pasted = dialog.getByRole('textbox', { name: 'Event' })
    await pasted.fill('{"customer": "ann", ')
    await dialog.getByRole('button', { name: 'Write the definition' }).click()
    await dialog.getByText(/^Line 1 is no JSON/).waitFor()
    await pasted.fill('{"customer": "ann", "price": 12.5, "item": {"sku": "a1"}}')
    await dialog.getByLabel('Schema').fill('pasted')
    await dialog.getByLabel('Stream').fill('orders')
    await expectAccessible(t, page)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })

    // Completion knows what may stand there, and what the text has.
    const offered = page.getByRole('listbox', { name: 'Suggestions' })
    const take = async (typed: string) => {
      await page.keyboard.type(typed)
      await offered.waitFor()
      await page.keyboard.press('Enter')
      await offered.waitFor({ state: 'detached' })
    }
    await editor(page).click()
    await page.keyboard.press('Control+End')
    await take('    gro')
    await page.keyboard.type('{ ')
    await take('b')
    await take('cust')
    await page.keyboard.press('End')
    await page.keyboard.type(', of: price, stats: [sumary] }')
    await page.getByText(/'sumary' is no statistic; did you mean summary\?/).waitFor()
    await page.getByRole('button', { name: /^Line 13/ }).click()
    t.is(
      await editor(page).evaluate((field: { selectionStart: number; value: string }) =>
        field.value.slice(field.selectionStart, field.selectionStart + 6),
      ),
      'sumary',
    )
    for (let left = 0; left < 6; left++) await page.keyboard.press('Delete')
    await take('sum')
    t.regex(
      await editor(page).inputValue(),
      /\n {4}groups:\n {6}- \{ by: \[customer\], of: price, stats: \[summary\] \}$/,
    )
    for (const part of ['stream orders', 'statistic orders.price', 'group orders.price by customer'])
      await page.locator('.differences li').filter({ hasText: part }).waitFor()
    await expectAccessible(t, page)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.waitForURL(at('/pasted'))

    // Both forms are of the one schema, which is edited in either.
    await page.getByRole('link', { name: 'Edit schema' }).click()
    await page.getByText('Nothing is changed yet').waitFor()
    t.regex(await editor(page).inputValue(), /^schema: pasted\nstreams:\n {2}orders:/)
    await page.getByRole('tab', { name: 'Wire form' }).click()
    await page.getByText('Nothing is changed yet').waitFor()
    t.is(JSON.parse(await editor(page).inputValue()).streams[0].swsz, 7_776_000)
    await page.getByRole('tab', { name: 'Words' }).click()
    await page.getByText('Nothing is changed yet').waitFor()
    const words = await editor(page).inputValue()
    await replaceText(page, words.replace('keep: 90d', 'keep: forever'))
    await page.getByText('It would change').waitFor()
    await page.getByRole('button', { name: 'Apply the edit' }).click()
    await page.waitForURL(at('/pasted'))
    t.is((await client.ok(client.get('/stream/pasted/schema'))).streams[0].swsz, 0)
  },
)

withChromium('a schema that is pasted on one line is laid out by a click', async (t) => {
  const page = await openPage(t, at('?do=register&form=wire'))
  await editor(page).waitFor()
  const layOut = page.getByRole('button', { name: 'Lay out' })
  t.is(await layOut.count(), 0)
  await replaceText(page, JSON.stringify(wire('laid')))
  await layOut.click()
  await layOut.waitFor({ state: 'detached' })
  t.true((await editor(page).inputValue()).split('\n').length > 10)
  await page.getByText('It would make').waitFor()
  await expectAccessible(t, page)
})

withChromium('a refused event is shown with its reason, mended and sent again', async (t) => {
  await client.register(wire('mended'))
  await client.post('/stream/mended/orders', `{"country":"DE"}\n{"country":7,"price":2}\n`, {
    'content-type': 'application/x-ndjson',
  })
  const page = await openPage(t, at('/mended/orders?tab=refused'))
  const reason = page.getByRole('gridcell', { name: /^country: expected text/ })
  await reason.waitFor()
  await cell(page, '2').waitFor()
  await expectAccessible(t, page)
  await reason.click()
  const text = page.getByRole('dialog').getByLabel('Event')
  t.regex(await text.inputValue(), /"country": ?7/)
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('alert').getByText('country: expected text').waitFor()
  await text.fill('{"country":"FR","price":2}')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Taken', { exact: true }).waitFor()
  await expectAccessible(t, page)
  await page.getByRole('button', { name: 'Close' }).first().click()
  await page.getByText('sent again').first().waitFor()
  const rows = await client.rows('select * from mended.orders where country = "FR"')
  t.is(rows.length, 1)
})

withChromium(
  'a line that ClickHouse refused after it was acknowledged is shown, and sent again as an event',
  async (t) => {
    await client.register(wire('late'))
    await clickhouse?.run(createRejectedTable('late', 'orders'))
    const line = `{"_pk":${start_us},"_seq":3,"_rest":"{\\"more\\":9007199254740993}","country":"IT","price":3}`
    const rows = Buffer.from(`${JSON.stringify({ line, reason: `Cannot parse ${hostile}` })}\n`)
    await clickhouse?.insert({ table: 'late.orders__rejected', rows })
    const page = await openPage(t, at('/late/orders?tab=refused'))
    await page.getByRole('heading', { name: 'Refused after they were acknowledged' }).waitFor()
    await expectAccessible(t, page)
    await page.getByRole('gridcell', { name: /^Cannot parse/ }).click()
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Taken', { exact: true }).waitFor()
    const [event] = await client.rows('select * from late.orders')
    t.is(String(event?.v), `{"_pk":${start_us},"_v":1,"country":"IT","price":3,"more":9007199254740993}`)
  },
)

withChromium('50,000 events come in while the page follows them: it is at the last one as it comes', async (t) => {
  await client.register(wire('flood'))
  const page = await openPage(t, at('/flood/orders'))
  await page.getByText('Live', { exact: true }).last().waitFor()
  const [batches, size] = [25, 2000]
  for (let batch = 0; batch < batches; batch++) {
    const lines = Array.from({ length: size }, (_, n) => ({ country: `c${n % 40}`, price: batch * size + n }))
    await client.lines('flood.orders', lines)
  }
  await until('the last event in the page', async () => (await seen(page)) === batches * size, 120_000)
  await cell(page, String(batches * size - 1)).waitFor()
  // Of all that came the page keeps a bounded number, of which it draws those in view.
  t.is(await page.getByRole('grid').getAttribute('aria-rowcount'), '5001')
  t.true((await page.getByRole('row').count()) < 100)

  // Paused it stands still; resumed, nothing is left out.
  await page.getByRole('button', { name: 'Pause' }).click()
  await client.lines('flood.orders', [{ country: 'late', price: -1 }])
  await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor()
  t.is(await page.getByRole('gridcell', { name: 'late' }).count(), 0)
  await page.getByRole('button', { name: 'Resume (1 new)' }).click()
  await cell(page, 'late').waitFor()
  t.is(await seen(page), batches * size + 1)

  await page.getByLabel('Condition on the events').fill('price < 0')
  await page.keyboard.press('Enter')
  await until('the events that match', async () => (await seen(page)) === 1)
  t.regex(page.url(), /where=price/)
  await page.getByLabel('Condition on the events').fill('price <')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').locator('pre').waitFor()
})

const seen = async (page: Page): Promise<number> => Number(await page.locator('[data-seen]').getAttribute('data-seen'))

withChromium('texts of events are texts, wherever they are shown', async (t) => {
  const schema = wire('hostile')
  await client.register(schema)
  await client.lines('hostile.orders', [
    { _pk: start_us, country: hostile, price: 5 },
    { _pk: start_us + 60e6, country: 'DE', price: 7, [hostile]: hostile },
  ])
  await client.post('/stream/hostile/orders', JSON.stringify({ country: 5, [hostile]: hostile }))
  const page = await openPage(t, at('/hostile/orders'))
  await page.getByRole('gridcell', { name: hostileShown, exact: true }).first().click()
  await page.getByRole('dialog').getByText('"country"').waitFor()
  await page.keyboard.press('Escape')
  for (const form of ['lines', 'stacks', 'bars']) {
    await page.goto(at(`/hostile/orders?tab=statistics&of=${encodeURIComponent('price|country')}&as=${form}`))
    await page.getByText(hostile).first().waitFor()
  }
  await page.goto(at('/hostile/orders?tab=refused'))
  await page
    .getByRole('gridcell', { name: /onerror/ })
    .first()
    .waitFor()
  await page.goto(at(`/hostile/orders?where=${encodeURIComponent(`country = '${hostile.replaceAll("'", "''")}'`)}`))
  await page.getByRole('gridcell', { name: hostileShown, exact: true }).first().waitFor()
  t.is(await page.locator('main img').count(), 0)
  t.not(await page.title(), 'taken')
})

withChromium('an edit shows what it would do before it is done', async (t) => {
  await client.register(wire('edited'))
  await client.lines('edited.orders', [{ country: 'DE', price: 5 }])
  const page = await openPage(t, at('/edited?do=edit&form=wire'))
  await page.getByText('Nothing is changed yet').waitFor()
  const more = {
    attr: [
      { name: 'price', type: 11, stat: 'RSTAT' },
      { name: 'shop', type: 5 },
    ],
    gpby: [],
  }
  await replaceText(page, JSON.stringify(wire('edited', more), undefined, 2))
  await page.getByText('It would add').waitFor()
  await page.getByText('edited.orders.shop').or(page.getByText('orders.shop')).first().waitFor()
  await page.getByText('It would lose').waitFor()
  const apply = page.getByRole('button', { name: 'Apply the edit' })
  t.true(await apply.isDisabled())
  await page.getByLabel('Lose what is listed above').check()
  await expectAccessible(t, page)
  await apply.click()
  await page.waitForURL(at('/edited'))
  const { streams } = await client.ok(client.get('/stream/edited/schema'))
  t.deepEqual(streams[0].gpby, [])
})

async function usable(t: ExecutionContext, page: Page): Promise<void> {
  await expectAccessible(t, page)
  t.true(await isWithinWidth(page), page.url())
}

withChromium('each view is accessible and within 390 pixels, dark and light; a drag over a chart zooms', async (t) => {
  const fltr = [
    {
      name: 'dear',
      fqry: { name: '{"query":[{"key":"price","cmp_op":0,"val":50}],"qtype":1}', type: 1 },
      fatr: ['country'],
      ostm: 'dear_orders',
    },
  ]
  const enty = [
    {
      name: 'spent',
      opid: 3,
      ratr: ['spent'],
      iatr: ['price'],
      pkatr: [{ name: 'country', type: 5, iatr: ['country'] }],
      rstm: 'countries',
    },
  ]
  const [orders] = wire('views', { fltr, enty }).streams
  await client.register({
    schema: 'views',
    streams: [
      orders,
      { name: 'dear_orders', type: 2, swsz: 0, inpt: ['orders'], attr: [{ name: 'country', type: 5 }] },
      {
        name: 'countries',
        type: 4,
        inpt: ['orders'],
        attr: [
          { name: 'country', type: 5, pk: 1 },
          { name: 'spent', type: 11 },
        ],
      },
    ],
  })
  const events = Array.from({ length: 120 }, (_, n) => ({
    _pk: start_us + n * 60e6,
    country: ['DE', 'FR', 'IT'][n % 3],
    price: n,
  }))
  await client.lines('views.orders', events)
  for (const [width, theme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    const page = await openPage(t, at('/views'), { width, theme })
    await page.getByRole('button', { name: /^countries entity/ }).waitFor()
    await usable(t, page)
    await page.goto(at('/views/countries'))
    await cell(page, 'DE').waitFor()
    await usable(t, page)
    await page.goto(at('/views/orders?tab=declared'))
    await page.getByRole('rowheader', { name: 'price' }).waitFor()
    await usable(t, page)
    await page.goto(at(`/views/orders?tab=statistics&of=${encodeURIComponent('price|country')}&as=bars`))
    await page.getByText('DE', { exact: true }).waitFor()
    await usable(t, page)
    await page.goto(at('/views/orders?tab=statistics&of=price'))
    const chart = page.getByRole('img', { name: /statistics of price/ })
    await chart.waitFor()
    await usable(t, page)
    const box = await page.locator('.u-over').boundingBox()
    if (!box) throw new Error('the chart has no place')
    await page.mouse.move(box.x + box.width * 0.25, box.y + 50)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL(/from=\d+&to=\d+/)
    const [from, to] = ['from', 'to'].map((name) => Number(new URL(page.url()).searchParams.get(name)))
    t.true(from !== undefined && from > start_us && to !== undefined && to < start_us + 120 * 60e6, page.url())
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.waitForURL((address) => !address.searchParams.has('from'))
  }
})

withChromium(
  'a schema of 1,000 streams: its picture begins folded, unfolds, and finds a stream by its name',
  async (t) => {
    const input = (n: number) => ({
      name: `in${n}`,
      type: 1,
      attr: [{ name: 'x', type: 9 }],
      fltr: Array.from({ length: 4 }, (_, k) => ({
        name: `f${k}`,
        fqry: { name: '{"query":[{"key":"x","cmp_op":0,"val":1}],"qtype":1}', type: 1 },
        fatr: ['x'],
        ostm: `out${n}_${k}`,
      })),
    })
    const output = (name: string) => ({ name, type: 2, attr: [{ name: 'x', type: 9 }] })
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    const streams = numbers.flatMap((n) => [input(n), ...[0, 1, 2, 3].map((k) => output(`out${n}_${k}`))])
    // The tables of so many streams would take minutes: their picture is all that the page asks for.
    const page = await openPage(t, at('/small'))
    const nodes = streams.map(({ name, type }) => ({
      node: name,
      type,
      parent: type === 2 ? [`in${name.slice(3).split('_')[0]}`] : [],
      children: type === 1 ? [0, 1, 2, 3].map((k) => `out${name.slice(2)}_${k}`) : [],
      state: 1,
    }))
    await page.route('**/stream/large/depgraph*', (route) =>
      route.fulfill({ json: { schema: 'large', node_info: nodes } }),
    )
    await page.route('**/stream/large/info*', (route) =>
      route.fulfill({ json: { streams: [], num_streams: 0, errcode: 0 } }),
    )
    await page.goto(at('/large'))
    const first = page.getByRole('button', { name: /^in0 input \+4/ })
    await first.waitFor()
    const shown = async () => page.locator('.picture-node').count()
    const atFirst = await shown()
    t.true(atFirst <= 151, `${atFirst}`)
    await first.focus()
    await page.keyboard.press('+')
    await page.getByRole('button', { name: /^out0_3 filter/ }).waitFor()
    t.is(await shown(), atFirst + 4)
    await page.getByLabel('Find in the picture').fill('out123_2')
    await page.getByRole('button', { name: /^in123 input/ }).waitFor()
    t.true((await shown()) < 10)
    t.is(await page.getByRole('grid', { name: 'Streams' }).getAttribute('aria-rowcount'), '1001')
    await expectAccessible(t, page)
  },
)
