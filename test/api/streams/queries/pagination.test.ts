import test from 'ava'
import type { Answer, Row } from '../../../support/requests/client.ts'
import { startService } from '../../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const minute = 60_000_000
const start_us = Math.floor(Date.now() / 60_000) * minute - 6 * minute
const attr = [
  { name: 'k', type: 9 },
  { name: 'v', type: 5 },
  { name: 'start', type: 11 },
  { name: 'n', type: 9, stat: 'COUNT' },
]
const filter = (name: string, ostm: string) => ({
  name,
  fqry: { name: '{"query":[{"key":"n","cmp_op":1,"val":0}],"qtype":1}', type: 1 },
  fatr: ['k', 'v', 'n'],
  ostm,
})
const schema = {
  schema: 'pages',
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr,
      gpby: [
        { gpat: ['k', 'v'], iatr: 'n', stat: 'COUNT' },
        { gpat: ['start'], iatr: 'n', stat: 'RSTAT' },
        { gpat: ['v'], iatr: 'n', stat: 'COUNT' },
      ],
      enty: [
        { name: 'a', opid: 1, ratr: ['c'], iatr: ['n'], pkatr: [{ name: 'k', type: 9, iatr: ['k'] }], rstm: 'by_k' },
        { name: 'c', opid: 1, ratr: ['c'], iatr: ['n'], pkatr: [{ name: 'v', type: 5, iatr: ['v'] }], rstm: 'by_v' },
        {
          name: 'b',
          opid: 1,
          ratr: ['c'],
          iatr: ['n'],
          pkatr: [
            { name: 'v', type: 5, iatr: ['v'] },
            { name: 'k', type: 9, iatr: ['k'] },
          ],
          rstm: 'by_both',
        },
      ],
      fltr: [filter('f', 'left'), filter('g', 'right')],
    },
    { name: 'left', type: 2, inpt: ['s'], swsz: 0, attr: [], fltr: [filter('f', 'twice')] },
    { name: 'right', type: 2, inpt: ['s'], swsz: 0, attr: [], fltr: [filter('f', 'twice')] },
    { name: 'twice', type: 2, inpt: ['left', 'right'], swsz: 0, attr: [] },
    { name: 'by_k', type: 4, inpt: ['s'], attr: [] },
    { name: 'by_v', type: 4, inpt: ['s'], attr: [] },
    { name: 'by_both', type: 4, inpt: ['s'], attr: [] },
  ],
}
const texts = ['a', 'b:c', '\\', '', 'ü', '*']
/** Several events share a `_pk`; keys of two digits sort otherwise as numbers than as texts. */
const events = Array.from({ length: 21 }, (_, i) => ({
  _pk: start_us + Math.floor(i / 3) * 17_000_000,
  k: (i % 12) - 3,
  v: texts[i % texts.length],
  start: (i % 7) / 2,
  n: i,
}))

let number = 1000
/** An event of now, which stands before all that have been read: of new groups and keys behind them too. */
const arrive = () => client.event('pages.s', { k: 5, v: 'a', start: 1, n: number++ })

test.before(async () => {
  await client.register(schema)
  await client.lines('pages.s', events)
})

const place = ({ k, ts }: Row): string => `${ts ?? ''} ${k}`

/** Reads from page to page, until none remains; asserts what an answer says of itself. */
async function walk(
  t: { is(a: unknown, b: unknown, m?: string): void },
  sql: string,
  limit: number,
  meanwhile: () => unknown,
) {
  const rows: Row[] = []
  let more: Readonly<Record<string, unknown>> = {}
  for (let pages = 0; pages < 500; pages++) {
    const {
      rows: page,
      num_items,
      more_data_to_come,
      switch_done,
      levk,
      sec_buf,
    } = await client.ok(client.query(`${sql} limit ${limit}`, more))
    t.is(num_items, page.length)
    if (more_data_to_come === 1) t.is(page.length, limit)
    if (page.length > 0) t.is(String(levk), String(page.at(-1).k))
    rows.push(...page)
    if (more_data_to_come === 0) return rows
    more = { levk, sec_buf, switch_done }
    if (pages % 4 === 1) await meanwhile()
  }
  throw new Error(`${sql}: no end`)
}

const queries = [
  'select * from pages.s',
  'select * from pages.s where n >= 10 and n < 1000',
  'select * from pages.left',
  'select * from pages.twice',
  "select * from pages.s where v = '' or v = '*'",
  'select aggr(n) from pages.s',
  'select aggr(n) from pages.s rollup 2',
  'select aggr(n) from pages.s groupby k:v',
  'select aggr(n) from pages.s groupby k:v rollup 0',
  'select aggr(n) from pages.s groupby k:v rollup 3',
  'select aggr(n) from pages.s groupby k:v rollup 1',
  'select aggr(n) from pages.s groupby start',
  'select aggr(n) from pages.s groupby start rollup 0',
  'select * from pages.by_k',
  'select * from pages.by_k where c.cnt > 1',
  'select * from pages.by_k where k > 3',
  'select aggr(n) from pages.s groupby v',
  'select aggr(n) from pages.s groupby v rollup 1',
  'select * from pages.by_v',
  'select * from pages.by_both',
  'select * from pages.by_both where c.cnt >= 1',
]
for (const sql of queries) {
  test.serial(`page by page nothing is lost and nothing repeated: ${sql}`, async (t) => {
    const isRow = sql.startsWith('select *') && !sql.includes('by_')
    const whole = await client.rows(sql)
    t.true(whole.length > 3, `${whole.length} rows`)
    for (const limit of [1, 2, 5]) {
      const rows = await walk(t, sql, limit, isRow ? arrive : () => undefined)
      const seen = isRow ? rows.map(({ v }) => v) : rows.map(place)
      // Rows that came since the whole was read stand before it.
      const wanted = isRow ? whole.map(({ v }) => v) : whole.map(place)
      t.deepEqual(seen.slice(seen.length - wanted.length), wanted, `limit ${limit}`)
    }
  })
}

test.serial('aggregates keep their rows while events arrive', async (t) => {
  for (const sql of queries.filter((each) => !each.startsWith('select * from pages.s') && !/left|twice/.test(each))) {
    const whole = (await client.rows(sql)).map(place)
    const rows = (await walk(t, sql, 2, arrive)).map(place)
    t.is(new Set(rows).size, rows.length, sql)
    t.deepEqual(
      whole.filter((each) => !rows.includes(each)),
      [],
      sql,
    )
  }
})

const refused = (t: { is(a: unknown, b: unknown, m?: string): void }, { status, text }: Answer, what: string) =>
  t.is(status, 400, `${what}: ${text.slice(0, 300)}`)

function otherThan(sql: string): string {
  if (sql.includes('rollup')) return sql.replace(/rollup \d/, 'rollup 4')
  if (sql.includes('groupby')) return `${sql} rollup 4`
  return sql.includes('where') ? `${sql} and k < 900` : `${sql} where k < 900`
}

test.serial('a cursor that this service did not make for this query is refused', async (t) => {
  for (const sql of queries) {
    const limited = `${sql} limit 1`
    const { levk, sec_buf } = await client.ok(client.query(limited))
    const cursor: string =
      sec_buf ?? (await client.ok(client.query('select * from pages.s where n >= 0 limit 1'))).sec_buf
    const bytes = Buffer.from(cursor, 'base64')
    bytes[3] = (bytes[3] ?? 0) ^ 1
    const tail = Buffer.from(cursor, 'base64')
    tail[tail.length - 2] = (tail[tail.length - 2] ?? 0) ^ 1
    const foreign = [
      bytes.toString('base64'),
      tail.toString('base64'),
      `${cursor}AAAA`,
      cursor.slice(0, -4),
      'AAAA',
      '!',
      '{}',
    ]
    for (const sec_buf of foreign) {
      if (/aggr/.test(sql) && !/groupby/.test(sql)) continue
      refused(t, await client.query(limited, { levk, sec_buf }), `${limited} with ${sec_buf}`)
    }
    if (sec_buf === undefined) continue
    refused(t, await client.query(`${otherThan(sql)} limit 1`, { levk, sec_buf }), `${sql}, of another query`)
    // Pages may have different lengths.
    await client.ok(client.query(`${sql} limit 2`, { levk, sec_buf }))
  }
})

test.serial('a levk that no row of the query has is refused', async (t) => {
  const wrong: readonly [sql: string, levk: unknown][] = [
    ['select * from pages.s limit 1', 'abc'],
    ['select * from pages.s limit 1', -1],
    ['select * from pages.s limit 1', 1.5],
    ['select * from pages.s limit 1', {}],
    ['select aggr(n) from pages.s limit 1', 'x'],
    ['select aggr(n) from pages.s limit 1', start_us + 1],
    ['select aggr(n) from pages.s rollup 7 limit 1', minute],
    ['select aggr(n) from pages.s groupby k:v limit 1', 'a'],
    ['select aggr(n) from pages.s groupby k:v limit 1', 'x:y'],
    ['select aggr(n) from pages.s groupby k:v limit 1', '1:2:3'],
    ['select aggr(n) from pages.s groupby k:v rollup 0 limit 1', '1:a'],
    ['select aggr(n) from pages.s groupby start limit 1', 'one'],
    ['select * from pages.by_k limit 1', 'one'],
    ['select * from pages.by_both limit 1', 'a'],
    ['select * from pages.by_both limit 1', 'a:b'],
  ]
  for (const [sql, levk] of wrong) refused(t, await client.query(sql, { levk }), `${sql} with ${JSON.stringify(levk)}`)
})
