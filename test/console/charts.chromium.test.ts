/** Each chart of the console beside the service's own answer: what is drawn is what the service says. */
import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { expectAccessible, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const { client, url, close } = await startService()
test.after.always(close)

const second_us = 1_000_000
const [hour_us, day_us] = [3600 * second_us, 86_400 * second_us]
const now_us = Date.now() * 1000
/** Ten whole days before today, in UTC. */
const start_us = (Math.floor(now_us / day_us) - 10) * day_us

const attributes = [
  { name: 'hub', type: 5, stat: 'COUNT', gran: 3600 },
  { name: 'customer', type: 5, stat: 'UCOUNT', gran: 604_800 },
  { name: 'weight', type: 11, stat: 'RSTAT', gran: 3600 },
  { name: 'courier', type: 5 },
  { name: 'country', type: 5 },
  { name: 'parcel', type: 5 },
]
const groups = [
  { gpat: ['courier'], iatr: 'customer', stat: 'UCOUNT', gran: 86_400 },
  { gpat: ['country'], iatr: 'parcel', stat: 'COUNT', gran: 86_400 },
  { gpat: ['country'], iatr: 'weight', stat: 'RSTAT', gran: 3600 },
  { gpat: ['hub', 'country'], iatr: 'weight', stat: 'RSTAT', gran: 86_400 },
]

const pick = <Item>(items: readonly Item[], n: number): Item | undefined => items[n % items.length]

/** A line each, of three days, none of the next three, then four days, and two lines that lie in the future. */
const events = Array.from({ length: 900 }, (_, n) => {
  const day = n % 7 < 3 ? n % 7 : (n % 7) + 3
  return {
    _pk: start_us + day * day_us + (n % 24) * hour_us + n * 1000,
    hub: pick(['Köln', 'Ulm', 'a:b', 'x\\y', '"q"'], n),
    // 200 customers, each of them on most days: the sum of the days is none of their numbers.
    customer: `c${(n * 7) % 200}`,
    weight: 40 + ((n * 37) % 100) / 7,
    courier: `k${n % 12}`,
    country: pick(['DE', 'FR', 'القاهرة', '*'], n),
    parcel: `p${n}`,
  }
})
const future = [1, 2].map((n) => ({ ...events[n], _pk: now_us + 3 * day_us + n * hour_us, hub: 'Ulm' }))

test.before('the events are there', async () => {
  await client.register({
    schema: 'charts',
    streams: [{ name: 'scan', type: 1, swsz: 0, attr: attributes, gpby: groups }],
  })
  await client.lines('charts.scan', [...events, ...future])
})

const at = (query: Readonly<Record<string, string>>, stream = 'charts/scan'): string =>
  new URL(`/console/streams/${stream}?${new URLSearchParams({ tab: 'statistics', ...query })}`, url).href

type Cells = readonly (readonly string[])[]

/** All rows of a table, of which the page has only those in view. */
const tableRows = (page: Page): Promise<Cells> =>
  page.evaluate(`(async () => {
    const grid = document.querySelector('[role=grid]')
    const rows = new Map()
    for (grid.scrollTop = 0; ; grid.scrollTop += 150) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      for (const row of grid.querySelectorAll('.data-table-body [role=row]'))
        rows.set(Number(row.getAttribute('aria-rowindex')), [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.title || cell.textContent))
      if (rows.size >= Number(grid.getAttribute('aria-rowcount')) - 1) break
    }
    return [...rows].sort(([a], [b]) => a - b).map(([, cells]) => cells)
  })()`)

const heads = async (page: Page): Promise<readonly string[]> =>
  (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())

const utc_us = (text: string): number => Date.parse(`${text.replace(' ', 'T').padEnd(19, ':00').slice(0, 19)}Z`) * 1000

async function drawn(page: Page, address: string) {
  await page.goto(address)
  const card = page.locator('.statistics section.card')
  await card.locator('.statistics-foot').waitFor()
  const foot = await card.locator('.statistics-foot > span').first().textContent()
  const [, from = '', to = ''] = /^(\S+ \S+) to (\S+ \S+) UTC/.exec(foot ?? '') ?? []
  await card.getByRole('button', { name: 'As a table' }).click()
  return {
    foot: foot ?? '',
    from_us: utc_us(from),
    to_us: utc_us(to),
    heads: await heads(page),
    rows: await tableRows(page),
  }
}

const numberIn = (text: string | undefined): number | undefined =>
  text === undefined || text === '–' ? undefined : Number(text.replaceAll(',', '').replace(/^about /, ''))

type Stat = Readonly<Record<string, number>>
const figureOf = (v: unknown, figure: string): number | undefined => {
  const value: number | Stat = typeof v === 'string' ? JSON.parse(v) : (v as number) // as interface.md has it
  if (typeof value === 'number') return value
  const of = (value as { readonly aggr_val?: Stat }).aggr_val ?? value
  return (of as Stat).cnt === 0 && figure !== 'cnt' && figure !== 'sum' ? undefined : (of as Stat)[figure]
}

const isNear = (a: number | undefined, b: number | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && Math.abs(a - b) <= 1e-5 * Math.abs(b))

function expectNear(t: ExecutionContext, found: number | undefined, wanted: number | undefined, what: string): void {
  t.true(isNear(found, wanted), `${what}: ${found} where the service says ${wanted}`)
}

const all = `st >= ${start_us - 30 * day_us} and et <= ${now_us + 30 * day_us}`

for (const { name, stat, gran } of attributes) {
  if (stat === undefined || gran === undefined) continue
  withChromium(`the chart of ${name} has the service's intervals, and its number of all`, async (t) => {
    const page = await openPage(t, at({ of: name }))
    for (const figure of stat === 'RSTAT' ? ['avg', 'sum', 'cnt', 'max'] : ['cnt']) {
      const { foot, from_us, to_us, rows } = await drawn(page, at({ of: name, figure, rollup: '1' }))
      const answer = await client.rows(`select aggr(${name}) from charts.scan where ${all} rollup 0`)
      const wanted = new Map(answer.map(({ k, v }) => [Number(k), figureOf(v, figure)]))
      const counted = answer.filter(({ v }) => (figureOf(v, 'cnt') ?? 0) > 0).map(({ k }) => Number(k))
      t.is(from_us, Math.min(...counted), name)
      t.is(to_us, Math.max(...counted) + gran * second_us, name)
      t.is(rows.length, (to_us - from_us) / (gran * second_us))
      for (const [time = '', value] of rows) expectNear(t, numberIn(value), wanted.get(utc_us(time)), `${name} ${time}`)

      const [whole] = await client.rows(`select aggr(${name}) from charts.scan where ${all} rollup 1`)
      const [, said] = /· .*?([\d.,]+)(?: distinct values)?(?: in all)?$/.exec(foot) ?? []
      expectNear(t, numberIn(said), figureOf(whole?.v, figure), foot)
    }
  })
}

const lists = [
  { name: 'weight', type: 11, stat: ['QUANTILES', 'LAST'], gran: 3600 },
  { name: 'courier', type: 5, stat: ['TOPK', 'UCOUNT'], k: 5, gran: 3600 },
]

test.before('the same events are there with lists of statistics', async () => {
  await client.register({ schema: 'lists', streams: [{ name: 'scan', type: 1, swsz: 0, attr: lists }] })
  await client.lines('lists.scan', events)
})

withChromium(
  'quantiles are a line each, with the numbers of the service; the last value has a chart of its own',
  async (t) => {
    const page = await openPage(t, at({ of: 'weight' }, 'lists/scan'))
    const answer = await client.rows(`select aggr(weight) from lists.scan where ${all} rollup 0`)
    const values = new Map(answer.map(({ k, v }) => [Number(k), v]))
    const names = ['p50', 'p90', 'p95', 'p99']
    const { heads: shown, rows } = await drawn(page, at({ of: 'weight', rollup: '1' }, 'lists/scan'))
    t.deepEqual(shown.slice(1), names)
    for (const [time = '', ...cells] of rows)
      for (const [index, name] of names.entries())
        expectNear(t, numberIn(cells[index]), figureOf(values.get(utc_us(time)), name) ?? undefined, `${name} ${time}`)
    const last = await drawn(page, at({ of: 'weight', figure: 'last', rollup: '1' }, 'lists/scan'))
    for (const [time = '', value] of last.rows)
      expectNear(t, numberIn(value), figureOf(values.get(utc_us(time)), 'last') ?? undefined, `last ${time}`)
    await expectAccessible(t, page)
  },
)

withChromium('the most frequent values are bars of the whole span, as the service tells them', async (t) => {
  const page = await openPage(t, at({ of: 'courier' }, 'lists/scan'))
  const { rows } = await drawn(page, at({ of: 'courier' }, 'lists/scan'))
  const [whole] = await client.rows(`select aggr(courier) from lists.scan where ${all} rollup 1`)
  const { top } = JSON.parse(String(whole?.v)).aggr_val
  t.deepEqual(
    rows.map(([name, value]) => [name, numberIn(value)]),
    top.map(({ value, cnt }: { value: string; cnt: number }) => [value, cnt]),
  )
  t.is(top.length, 5)
})

for (const { gpat, iatr, stat, gran } of groups) {
  const of = `${iatr}|${gpat.join(':')}`
  const by = `groupby ${gpat.join(':')}`
  withChromium(`the charts of ${iatr} by ${gpat.join(', ')} have the service's groups and intervals`, async (t) => {
    const page = await openPage(t, at({ of }))
    for (const figure of stat === 'RSTAT' ? ['avg', 'cnt'] : ['cnt']) {
      const whole = await client.rows(`select aggr(${iatr}) from charts.scan where ${all} ${by} rollup 1`)
      const groupName = (k: unknown) =>
        String(k).replaceAll('\\:', '\0').replaceAll(':', ' · ').replaceAll('\0', ':').replaceAll('\\\\', '\\')
      const bars = await drawn(page, at({ of, figure, as: 'bars' }))
      t.regex(bars.foot, new RegExp(`· ${whole.length} groups$`))
      t.deepEqual(bars.rows.map(([name]) => name).sort(), whole.map(({ k }) => groupName(k)).sort())
      const totals = new Map(whole.map(({ k, v }) => [groupName(k), figureOf(v, figure)]))
      for (const [name = '', value] of bars.rows) expectNear(t, numberIn(value), totals.get(name), name)

      for (const form of ['lines', 'stacks']) {
        const lines = await drawn(page, at({ of, figure, as: form, rollup: '1' }))
        const answer = await client.rows(`select aggr(${iatr}) from charts.scan where ${all} ${by} rollup 0`)
        const times = answer.map(({ ts }) => Number(ts))
        t.is(lines.from_us, Math.min(...times))
        t.is(lines.to_us, Math.max(...times) + gran * second_us)
        // Each interval has its place, those without events too.
        t.is(lines.rows.length, (lines.to_us - lines.from_us) / (gran * second_us))
        t.is(lines.heads.length - 1, Math.min(8, whole.length))
        const wanted = new Map(answer.map(({ k, v, ts }) => [`${groupName(k)} ${ts}`, figureOf(v, figure)]))
        for (const [time = '', ...values] of lines.rows) {
          for (const [index, value] of values.entries()) {
            const of = `${lines.heads[index + 1]} ${utc_us(time)}`
            const found = numberIn(value)
            if (figure === 'cnt' && (found ?? 0) === 0) t.is(wanted.get(of), undefined, of)
            else expectNear(t, found, wanted.get(of), of)
          }
        }
      }
    }
  })
}

withChromium('an interval that is joined of several has the distinct values of them all', async (t) => {
  const page = await openPage(t, at({ of: 'customer|courier' }))
  const lines = await drawn(page, at({ of: 'customer|courier', rollup: '7', as: 'lines' }))
  const answer = await client.rows(
    `select aggr(customer) from charts.scan where st >= ${lines.from_us} and et < ${lines.to_us} groupby courier rollup 7`,
  )
  const wanted = new Map(answer.map(({ k, v, ts }) => [`${k} ${ts}`, Number(v)]))
  for (const [time = '', ...values] of lines.rows)
    for (const [index, value] of values.entries())
      t.is(numberIn(value) ?? 0, wanted.get(`${lines.heads[index + 1]} ${utc_us(time)}`) ?? 0)
})

withChromium('groups without number are drawn by a statement for each, the greatest by what is said', async (t) => {
  await client.register({
    schema: 'many',
    streams: [
      {
        ...{ name: 's', type: 1, swsz: 0 },
        attr: [
          { name: 'g', type: 5 },
          { name: 'v', type: 11 },
        ],
        gpby: [{ gpat: ['g'], iatr: 'v', stat: 'RSTAT', gran: 60 }],
      },
    ],
  })
  const lines = Array.from({ length: 3000 }, (_, n) => ({
    _pk: start_us + n * 60 * second_us,
    g: n % 3 === 0 ? `big${n % 8}` : `g"${n % 1000}`,
    v: n,
  }))
  await client.lines('many.s', lines)
  const page = await openPage(t, at({ of: 'v|g', rollup: '10' }, 'many/s'))
  const { heads: names, rows } = await drawn(page, at({ of: 'v|g', rollup: '10' }, 'many/s'))
  t.deepEqual(
    names.slice(1).sort(),
    Array.from({ length: 8 }, (_, n) => `big${n}`),
  )
  await page.getByText(/The 8 groups with the most values are drawn; [\d,]+ more are left out/).waitFor()
  const answer = await client.rows('select aggr(v) from many.s where skey = "big3" groupby g rollup 10')
  const at3 = names.indexOf('big3')
  const wanted = new Map(answer.map(({ v, ts }) => [Number(ts), figureOf(v, 'avg')]))
  t.true(wanted.size > 5)
  for (const row of rows) expectNear(t, numberIn(row[at3]), wanted.get(utc_us(row[0] ?? '')), row[0] ?? '')
})

withChromium('two events of one minute are a chart of that minute', async (t) => {
  const schema = {
    schema: 'newcomer',
    streams: [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'a', type: 5, stat: 'COUNT' }] }],
  }
  await client.register(schema)
  await client.lines(
    'newcomer.s',
    [1, 2].map((n) => ({ _pk: start_us + n * second_us, a: 'x' })),
  )
  const page = await openPage(t, at({ of: 'a' }, 'newcomer/s'))
  await page.getByRole('img', { name: /1 points .* a from 2 to 2/ }).waitFor()
  t.is(await page.getByLabel('As', { exact: true }).inputValue(), 'bars')
  const box = await page.locator('.u-over').boundingBox()
  if (!box) throw new Error('the chart has no place')
  // All over its width the pointer is within that minute.
  for (const share of [0.02, 0.5, 0.98]) {
    await page.mouse.move(box.x + box.width * share, box.y + 50)
    await page
      .locator('.chart-time')
      .getByText(new Date(start_us / 1000).toISOString().slice(0, 10))
      .waitFor()
    t.is(await page.locator('.chart-value').textContent(), '2')
  }
  await page.mouse.move(box.x + box.width * 0.2, box.y + 50)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.4, box.y + 60, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL(/from=\d+&to=\d+/)
  const query = new URL(page.url()).searchParams
  t.is(query.get('from'), String(start_us))
  t.is(query.get('to'), String(start_us + 60 * second_us))
})

withChromium('what lies in the future is drawn, said, and left out by a click', async (t) => {
  const page = await openPage(t, at({ of: 'hub' }))
  await page.getByText('Some of it lies in the future').waitFor()
  await page.getByText(/· 902 in all/).waitFor()
  await expectAccessible(t, page)
  await page.getByRole('button', { name: 'Show what lies before now' }).click()
  await page.getByText(/· 900 in all/).waitFor()
})

withChromium(
  'a chart of a query has a bar for each row, and says how rows become one where that is asked',
  async (t) => {
    const sql = 'select country, hub, round(avg(weight), 3) p from charts.scan group by country, hub'
    const { data } = await client.ok(client.post('/sql', { sql: `${sql} format JSONCompact` }))
    const rows: readonly (readonly [string, string, number])[] = data
    const address = new URL(`/console/query?${new URLSearchParams({ lang: 'sql', q: sql, view: 'chart' })}`, url).href
    const page = await openPage(t, address)
    await page.getByRole('button', { name: 'As a table' }).click()
    const bars = async () => new Map((await tableRows(page)).map(([name, value]) => [name, numberIn(value)]))
    const each = await bars()
    t.is(each.size, rows.length)
    for (const [country, hub, p] of rows) expectNear(t, each.get(`${country} · ${hub}`), p, hub)

    await page.getByLabel('Rows of one name').selectOption('mean')
    await page.getByText('mean of p', { exact: true }).waitFor()
    const means = await bars()
    for (const country of new Set(rows.map(([name]) => name))) {
      const own = rows.filter(([name]) => name === country).map(([, , p]) => p)
      expectNear(t, means.get(country), own.reduce((sum, p) => sum + p, 0) / own.length, country)
    }
    await expectAccessible(t, page)
  },
)

withChromium('times are in UTC and say so, or in the zone of the browser and say so, on every page', async (t) => {
  const page = await openPage(t, new URL('/console/streams/charts/scan', url).href, { timeZone: 'America/New_York' })
  const newest_us = Math.max(...future.map(({ _pk }) => _pk))
  const utc = new Date(newest_us / 1000).toISOString().slice(0, 16).replace('T', ' ')
  const newYork = new Intl.DateTimeFormat('sv', {
    timeZone: 'America/New_York',
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(newest_us / 1000)
  t.not(utc, newYork)
  await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor()
  await page.getByRole('gridcell', { name: utc }).first().waitFor()
  await page.getByRole('button', { name: 'Times: UTC' }).click()
  await page.getByRole('columnheader', { name: 'Time (New York)' }).waitFor()
  await page.getByRole('gridcell', { name: newYork }).first().waitFor()
  await page.goto(at({ of: 'hub' }))
  await page.getByText(/ to .* New York · 902 in all/).waitFor()
  const begun = new Intl.DateTimeFormat('sv', { timeZone: 'America/New_York', dateStyle: 'short', timeStyle: 'short' })
  await page.getByRole('img', { name: `points from ${begun.format(start_us / 1000)}` }).waitFor()
  await page.getByRole('button', { name: 'As a table' }).click()
  t.is((await heads(page))[0], 'Time (New York)')
  await page.goto(new URL('/console/changes', url).href)
  await page.getByRole('columnheader', { name: 'When (New York)' }).waitFor()
  const sql = 'select _time, hub from charts.scan order by _time desc limit 3'
  await page.goto(new URL(`/console/query?${new URLSearchParams({ lang: 'sql', q: sql })}`, url).href)
  await page.getByRole('columnheader', { name: '_time (New York)' }).waitFor()
  await until('the time in New York', async () => (await page.getByRole('gridcell', { name: newYork }).count()) > 0)
  await page.getByRole('button', { name: 'Times: New York' }).click()
  await page.getByRole('columnheader', { name: '_time (UTC)' }).waitFor()
})
