import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { at, era_us } from '../../../support/era.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { allRows, pagesOf } from '../../../support/requests/pages.ts'
import { startService } from '../../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

let streams = 0
async function makeStream(more: Record<string, unknown> = {}): Promise<string> {
  const schema = `paging${++streams}`
  const attr = [
    { name: 'id', type: 9, stat: 'COUNT' },
    { name: 'even', type: 12 },
    { name: 'text', type: 5 },
  ]
  const entities = more.enty ? [{ name: 'ons', type: 4, inpt: ['st'], attr: [] }] : []
  await client.register({ schema, streams: [{ name: 'st', type: 1, swsz: 0, attr, ...more }, ...entities] })
  return `${schema}.st`
}

const idsOf = (rows: readonly { readonly v: string | number }[]): number[] =>
  rows.map(({ v }) => JSON.parse(String(v)).id)
const descending = (n: number, step = 1) => Array.from({ length: n }, (_, index) => (n - 1 - index) * step)

test.serial('a page tells whether rows remain and where to go on', async (t) => {
  const stream = await makeStream()
  await client.lines(
    stream,
    descending(5).map((id) => ({ _pk: at(id * 10), id })),
  )
  const two = await client.ok(client.query(`select * from ${stream} limit 2`))
  t.like(two, { num_items: 2, more_data_to_come: 1, switch_done: 1, levk: at(30) })
  t.false('sec_buf' in two)
  const rest = await client.ok(client.query(`select * from ${stream} limit 3`, { levk: at(30) }))
  t.deepEqual(idsOf(rest.rows), [2, 1, 0])
  t.like(rest, { num_items: 3, more_data_to_come: 0, switch_done: 1, levk: at(0) })
  const all = await client.ok(client.query(`select * from ${stream}`))
  t.like(all, { num_items: 5, more_data_to_come: 0, switch_done: 1 })
  t.false('levk' in all || 'sec_buf' in all)
  const filtered = await client.ok(client.query(`select * from ${stream} where id >= 1 limit 2`))
  t.like(filtered, { num_items: 2, more_data_to_come: 1, levk: at(30) })
  t.regex(filtered.sec_buf, /^[A-Za-z0-9+/]+=*$/)
  const none = await client.ok(client.query(`select * from ${stream} limit 0`))
  t.deepEqual([none.rows, none.num_items], [[], 0])
  t.deepEqual(await client.ok(client.query(`select * from ${stream} where id > 100`)).then(({ rows }) => rows), [])
})

test.serial('a filtered query brings a cursor from behind nothing, too, and goes on from there', async (t) => {
  const stream = await makeStream({
    enty: [
      { name: 'e', opid: 1, ratr: ['n'], iatr: ['id'], pkatr: [{ name: 'on', type: 12, iatr: ['even'] }], rstm: 'ons' },
    ],
  })
  const entities = stream.replace('.st', '.ons')
  const some = { [stream]: 'id >= 0', [entities]: 'on != true' }
  for (const [from, condition] of Object.entries(some)) {
    for (const limit of ['', 'limit 0']) {
      const none = await client.ok(client.query(`select * from ${from} where ${condition} ${limit}`))
      t.like(none, { num_items: 0, more_data_to_come: 0 })
      t.regex(none.sec_buf, /^[A-Za-z0-9+/]+=*$/, from)
    }
  }
  const asked = `select * from ${entities} where n.cnt > 0`
  const { sec_buf } = await client.ok(client.query(asked))
  await client.lines(stream, [
    { id: 1, even: true },
    { id: 2, even: false },
  ])
  const { rows } = await client.ok(client.query(asked, { sec_buf }))
  t.deepEqual(rows, [
    { k: false, v: '{"n":{"cnt":1}}' },
    { k: true, v: '{"n":{"cnt":1}}' },
  ])
  t.like(await client.ok(client.query(`select * from ${entities} limit 1`)), { levk: false, more_data_to_come: 1 })
  for (const limit of [0, 1])
    t.is((await client.query(`select * from ${entities} limit ${limit}`, { levk: 'maybe' })).status, 400)
  const rest = await client.ok(client.query(`select * from ${entities} limit 1`, { levk: false }))
  t.deepEqual(rest.rows, [{ k: true, v: '{"n":{"cnt":1}}' }])
})

test.serial(
  'of aggregates a limit shows the last key, and a limit of 0 shows nothing that could be gone on from',
  async (t) => {
    const stream = await makeStream({ gpby: [{ gpat: ['text'], iatr: 'id', stat: 'COUNT' }] })
    await client.lines(stream, [
      { _pk: era_us + 10, id: 1, text: 'a' },
      { _pk: era_us + 70_000_000, id: 2, text: 'b' },
    ])
    for (const form of ['', 'rollup 1', 'rollup 2', 'groupby text', 'groupby text rollup 1', 'groupby text rollup 2']) {
      const asked = `select aggr(id) from ${stream} ${form}`
      const none = await client.ok(client.query(`${asked} limit 0`))
      t.deepEqual([none.rows, none.more_data_to_come, 'levk' in none, 'sec_buf' in none], [[], 0, false, false], form)
      const one = await client.ok(client.query(`${asked} limit 1`))
      t.deepEqual([one.rows.length, one.levk], [1, one.rows[0].k], form)
      t.is(one.more_data_to_come, form === 'rollup 1' ? 0 : 1, form)
    }
  },
)

test.serial('exactly as many rows as the limit are not followed by an empty page', async (t) => {
  const stream = await makeStream()
  await client.lines(
    stream,
    descending(6).map((id) => ({ _pk: at(id), id })),
  )
  for (const where of ['', 'where id >= 0 ']) {
    const pages = []
    for await (const page of pagesOf(client, `select * from ${stream} ${where}limit 3`)) pages.push(page.num_items)
    t.deepEqual(pages, [3, 3])
  }
})

test.serial('no row is lost or repeated with any limit, filtered or not', async (t) => {
  const stream = await makeStream()
  await client.lines(
    stream,
    descending(60).map((id) => ({ _pk: at(id * 7), id, even: id % 2 === 0 })),
  )
  for (const limit of [1, 7, 29, 30, 59, 60, 61]) {
    t.deepEqual(idsOf(await allRows(client, `select * from ${stream} limit ${limit}`)), descending(60), `${limit}`)
    const even = await allRows(client, `select * from ${stream} where even = true limit ${limit}`)
    t.deepEqual(idsOf(even), descending(30, 2), `${limit}, filtered`)
  }
})

test.serial('events with equal keys are each told once, however the pages cut them', async (t) => {
  const stream = await makeStream()
  const random = randomFor(t)
  const events = Array.from({ length: 60 }, (_, id) => ({ _pk: at(random.whole(1, 5)), id, even: id % 2 === 0 }))
  for (const event of events.slice(0, 20)) await client.event(stream, event)
  await client.lines(stream, events.slice(20))
  for (const limit of [1, 4, 19]) {
    for (const [where, expected] of [
      ['', events],
      ['where even = false ', events.filter(({ even }) => !even)],
    ] as const) {
      const rows = await allRows(client, `select * from ${stream} ${where}limit ${limit}`)
      t.deepEqual(
        idsOf(rows).toSorted((a, b) => a - b),
        expected.map(({ id }) => id),
        `${where} ${limit}`,
      )
      const keys = rows.map(({ k }) => Number(k))
      t.deepEqual(
        keys,
        keys.toSorted((a, b) => b - a),
      )
    }
  }
})

test.serial('a sec_buf that a client kept from an answer before the last one is refused', async (t) => {
  const stream = await makeStream()
  await client.lines(
    stream,
    [1, 2, 2, 3, 3].map((time, id) => ({ _pk: at(time), id })),
  )
  const sql = `select * from ${stream} limit 1`
  const { levk, sec_buf } = await client.ok(client.query(sql))
  t.truthy(sec_buf, 'another event has the same key')
  const second = await client.ok(client.query(sql, { levk, sec_buf }))
  t.is(second.sec_buf, undefined)
  const third = await client.ok(client.query(sql, { levk: second.levk }))
  const answer = await client.query(sql, { levk: third.levk, sec_buf })
  t.is(answer.status, 400)
  t.regex(answer.text, /sec_buf: is of an answer before that of levk/)
})

test.serial(
  'no row is lost or repeated while events arrive, before, between and after those that are there',
  async (t) => {
    const stream = await makeStream()
    const random = randomFor(t)
    const there = Array.from({ length: 150 }, (_, id) => ({
      _pk: at(1_000 + random.whole(0, 80)),
      id,
      even: id % 2 === 0,
    }))
    await client.lines(stream, there)
    let stop = false
    let next = 1_000
    const arriving = (async () => {
      while (!stop) {
        await client.event(stream, { _pk: at(random.whole(900, 1_300)), id: next++, even: true })
        await client.event(stream, { id: next++, even: true })
        await sleep(10) // or they come faster than pages of seven can follow
      }
    })()
    for (const where of ['', 'where even = true ']) {
      const expected = there.filter(({ even }) => where === '' || even).map(({ id }) => id)
      const seen = idsOf(await allRows(client, `select * from ${stream} ${where}limit 7`))
      t.deepEqual(
        seen.filter((id) => id < 1_000).toSorted((a, b) => a - b),
        expected,
      )
      t.is(new Set(seen).size, seen.length)
    }
    stop = true
    await arriving
  },
)

test.serial('without a limit a page ends at about 4 MB, whatever the size of its rows', async (t) => {
  const cases = [
    { events: 60_000, size: 0 },
    { events: 120, size: 100_000 },
    { events: 4, size: 3_000_000 },
    { events: 24, size: 600_000, of: '漢字' },
  ]
  for (const { events, size, of = 'ü"' } of cases) {
    const stream = await makeStream()
    const text = of.repeat(size / Buffer.byteLength(of))
    const perBatch = Math.max(1, Math.min(20_000, Math.floor(8_000_000 / (size * 2 + 100))))
    for (let first = 0; first < events; first += perBatch) {
      const batch = Array.from({ length: Math.min(perBatch, events - first) }, (_, index) => ({
        _pk: at(first + index),
        id: first + index,
        ...(size > 0 && { text }),
      }))
      await client.lines(stream, batch)
    }
    const ids: number[] = []
    for await (const page of pagesOf(client, `select * from ${stream}`)) {
      const largestRow = size * 3 + 200
      t.true(page.bytes < 9_000_000 + largestRow, `${size}: a page of ${page.bytes} bytes, ${page.num_items} rows`)
      if (page.more_data_to_come === 1) t.true(page.bytes > 1_500_000, `${size}: a page of ${page.bytes} bytes`)
      ids.push(...idsOf(page.rows))
    }
    t.deepEqual(ids, descending(events), `${size}`)
  }
})

test.serial('a limit beyond one page goes on until it is met by the client, and each page says where', async (t) => {
  const stream = await makeStream()
  const text = 'x'.repeat(10_000)
  await client.lines(
    stream,
    descending(900).map((id) => ({ _pk: era_us + id, id, text })),
  )
  const first = await client.ok(client.query(`select * from ${stream} limit 700`))
  t.is(first.num_items, 700, 'seven megabytes: a limit is met up to 32')
  const ids = idsOf(await allRows(client, `select * from ${stream} limit 700`))
  t.deepEqual(ids, descending(900))
})

test.serial('intervals come in pages too, those without events included', async (t) => {
  const stream = await makeStream()
  const minute = 60_000_000
  await client.lines(
    stream,
    [0, 1, 5, 6, 30, 99].map((index) => ({ _pk: era_us + index * minute + 5, id: index })),
  )
  const span = `where st >= 0 and et <= ${era_us + 100 * minute - 1}`
  const whole = await allRows(client, `select aggr(id) from ${stream} ${span}`)
  t.is(whole.length, 100)
  t.deepEqual(
    whole.map(({ k }) => k),
    descending(100, minute).map((us) => era_us + us),
  )
  for (const limit of [3, 19, 99, 100, 101]) {
    t.deepEqual(await allRows(client, `select aggr(id) from ${stream} ${span} limit ${limit}`), whole, `${limit}`)
    const rolled = await allRows(client, `select aggr(id) from ${stream} ${span} rollup 5 limit ${limit}`)
    t.deepEqual(
      rolled.map(({ k }) => k),
      descending(20, 5 * minute).map((us) => era_us + us),
    )
    t.is(
      rolled.reduce((sum, { v }) => sum + Number(v), 0),
      6,
    )
  }
  const page = await client.ok(client.query(`select aggr(id) from ${stream} ${span} limit 3`))
  t.like(page, { num_items: 3, more_data_to_come: 1, switch_done: 0, levk: era_us + 97 * minute })
})

test.serial('a long history of intervals is told in pages, the newest first', async (t) => {
  const stream = await makeStream()
  const minute = 60_000_000
  await client.event(stream, { _pk: era_us + 5, id: 1 })
  await client.event(stream, { _pk: era_us + 70_000 * minute, id: 1 })
  const rows = await allRows(client, `select aggr(id) from ${stream} where et <= ${era_us + 70_000 * minute}`)
  t.is(rows.length, 70_001)
  t.deepEqual([rows[0]?.v, rows[1]?.v, rows.at(-1)?.v, rows.at(-1)?.k], [1, 0, 1, era_us])
})

test.serial('intervals far apart are paged with the empty ones between them, each once', async (t) => {
  const stream = await makeStream()
  const minute_us = 60_000_000
  const first = Math.floor(Date.now() / 60_000) * minute_us - 40 * minute_us
  for (const [number, minute] of [0, 1, 7, 39].entries())
    await client.event(stream, { _pk: first + minute * minute_us, id: number })
  const bounds = `where st >= 1 and et <= ${first + 40 * minute_us - 1}`
  const whole = await allRows(client, `select aggr(id) from ${stream} ${bounds}`)
  t.deepEqual(
    whole.map(({ v }) => v),
    Array.from({ length: 40 }, (_, n) => ([0, 1, 7, 39].includes(39 - n) ? 1 : 0)),
  )
  for (const limit of [1, 3, 8, 39, 40, 41]) {
    t.deepEqual(
      await allRows(client, `select aggr(id) from ${stream} ${bounds} limit ${limit}`),
      whole,
      `limit ${limit}`,
    )
    t.deepEqual(
      (await allRows(client, `select aggr(id) from ${stream} ${bounds} rollup 5 limit ${limit}`)).reduce(
        (sum, { v }) => sum + Number(v),
        0,
      ),
      4,
    )
  }
})

test.serial('pages of sparse intervals hold each row once, and never too many empty ones in a row', async (t) => {
  const random = randomFor(t)
  const length = 10_000_000
  const rowsMax = 5_000
  for (let round = 0; round < 12; round++) {
    const attr = [{ name: 'id', type: 9, stat: 'COUNT', gran: 10 }]
    const stream = `sparse${round}.s`
    await client.register({ schema: `sparse${round}`, streams: [{ name: 's', type: 1, swsz: 0, attr }] })
    const gap = () => random.pick([0, 1, 2, 300, 4_999, 5_000, 5_001, 5_002, 9_000, 21_000])
    const held = new Map<number, number>()
    let last = 0
    for (let count = random.whole(1, 6); count > 0; count--) {
      last += gap()
      held.set(last, (held.get(last) ?? 0) + 1)
      await client.event(stream, { _pk: era_us + last * length + random.whole(0, length - 1), id: count })
    }
    const end = last + gap()
    const first = Math.min(...held.keys())
    const rollup = random.pick([0, 0, 2, 7])
    const step = Math.max(1, rollup)
    const startOf = (interval: number) => {
      const start = era_us + interval * length
      return start - (start % (step * length))
    }
    const expected = new Map<number, number>()
    for (let start = startOf(end); start >= startOf(first); start -= step * length) expected.set(start, 0)
    for (const [interval, count] of held) {
      const start = startOf(interval)
      expected.set(start, (expected.get(start) ?? 0) + count)
    }
    const limit = random.pick(['', '', ' limit 7', ' limit 5001', ' limit 12000'])
    if (limit === ' limit 7' && expected.size > 2_000) continue
    const sql = `select aggr(id) from ${stream} where et <= ${era_us + (end + 1) * length - 1} rollup ${rollup}${limit}`
    const rows: [number, number][] = []
    for await (const page of pagesOf(client, sql)) {
      let empty = 0
      let most = 0
      for (const { k, v } of page.rows) {
        empty = v === 0 ? empty + 1 : 0
        most = Math.max(most, empty)
        rows.push([Number(k), Number(v)])
      }
      t.true(most <= rowsMax, `${most} empty rows in a row: ${sql}`)
      t.true(page.rows.length > 0, sql)
    }
    t.deepEqual(rows, [...expected], sql)
  }
})
