import { readFileSync } from 'node:fs'
import test from 'ava'
import { analystsTables } from '../../../../console/pages/query/analysts-tables.ts'
import { shapeOf } from '../../../../console/pages/query/schema-shape.ts'
import { suggestSql } from '../../../../console/pages/query/suggest-sql.ts'
import { suggestWeir } from '../../../../console/pages/query/suggest-weir.ts'

const shop = shapeOf(
  JSON.parse(readFileSync(new URL('../../../../examples/shop/schema.json', import.meta.url), 'utf8')),
)
const known = {
  schemas: async () => ['shop', 'bank'],
  schema: async (name: string) => (name === 'shop' ? shop : undefined),
  databases: async () => ['mydb'],
  tables: async () => ['hubs'],
  graphs: async () => ['shop_graph'],
}
/** The suggestions where `|` stands. */
const at = async (suggest: ReturnType<typeof suggestSql>, marked: string): Promise<readonly string[]> => {
  const found = await suggest(marked.replace('|', ''), marked.indexOf('|'))
  return found?.options.map(({ label }) => label) ?? []
}
const weir = (marked: string) =>
  at(
    suggestWeir(known, () => 'mydb'),
    marked,
  )
const sql = (marked: string) => at(suggestSql(known), marked)

test("Weir's language: what may follow is suggested, from the schema that the statement names", async (t) => {
  for (const [marked, wanted] of [
    ['select * from |', ['shop', 'bank', 'hubs']],
    ['select * from shop.|', ['visits', 'visitor_profile', 'page_profile', 'expensive_visits']],
    ['select * from shop.vis|', ['visits', 'visitor_profile', 'page_profile', 'expensive_visits']],
    ['select aggr(|) from shop.visits', ['visitor', 'page', 'country', 'price', 'quantity', 'total']],
    ['select aggr(visitor) from shop.visits groupby |', ['country', 'page']],
    ['select aggr(price) from shop.visits where |', ['st', 'et']],
    ['select aggr(price) from shop.visits groupby country:page rollup |', ['1', '5', '60']],
    ['select * from shop.visits where price |', ['=', '!=', '>', '>=', '<', '<=']],
    ['select * from shop.visits where price > 5 |', ['and', 'or', 'limit']],
    ['select * from shop.visits |', ['where', 'limit']],
    ['select * from shop.page_profile where |', ['page', 'readers.cnt']],
    ['select * from nowhere.|', []],
    ['select * from shop.visits where page = "|', []],
  ] as const)
    t.deepEqual(await weir(marked), wanted, marked)
  t.true((await weir('|')).includes('select * from'))
  t.true((await weir('select * from shop.visits where |')).includes('country'))
})

test("analysts' SQL: tables, views and columns are those that docs/analysts.md names", async (t) => {
  t.deepEqual(await sql('SELECT * FROM shop.|'), [
    'visits',
    'visits_by_60s',
    'visits_by_300s',
    'visits_by_300s__country__page',
    'visits_by_300s__country',
    'visits_by_60s__page',
    'visitor_profile',
    'page_profile',
    'expensive_visits',
    'expensive_visits_by_300s',
  ])
  t.deepEqual(await sql('SELECT v.| FROM shop.page_profile AS v'), ['page', 'readers_cnt', 'readers_unique'])
  t.deepEqual(await sql("SELECT 'from |"), [])
  t.deepEqual(await sql('SELECT 1 -- from |'), [])
  const all = await sql('SELECT pr| FROM shop.visits')
  t.true(['price', 'SELECT', 'uniq'].every((label) => all.includes(label)))
  const view = analystsTables(shop).find(({ name }) => name === 'shop.visits_by_300s')
  t.deepEqual(view?.columns.slice(0, 4), ['interval_start', 'country_cnt', 'country_unique', 'price_cnt'])
})

test('lists of statistics, windows by key and sessions are suggested, too', async (t) => {
  const key = { name: 'k', type: 5, iatr: ['k'] }
  const streams = [
    {
      name: 's',
      type: 1,
      attr: [
        { name: 'k', type: 5 },
        { name: 'x', type: 11, stat: ['RSTAT', 'QUANTILES', 'LAST'], q: [0.5, 0.999] },
      ],
      gpby: [{ gpat: ['k'], iatr: 'x', stat: ['COUNT', 'TOPK'], session: 60, ostm: 'visits' }],
      enty: [
        {
          name: 'e',
          opid: ['COUNT', 'UCOUNT'],
          iatr: ['x'],
          ratr: ['spent'],
          pkatr: [key],
          rstm: 'es',
          window: [3_600, 86_400],
        },
      ],
    },
    {
      name: 'es',
      type: 4,
      attr: [
        { name: 'k', type: 5, pk: 1 },
        { name: 'spent', type: 11 },
      ],
    },
    { name: 'visits', type: 3, attr: [] },
  ]
  const shape = shapeOf({ schema: 'lists', streams } as never)
  const ask = (marked: string) =>
    at(
      suggestWeir({ ...known, schema: async () => shape }, () => 'mydb'),
      marked,
    )
  t.deepEqual(await ask('select aggr(|) from lists.s'), ['x'])
  t.deepEqual(
    (await ask('select * from lists.es where |')).filter((each) => each.startsWith('spent')),
    ['spent', 'spent.1h', 'spent.1d'].flatMap((path) => [`${path}.cnt`, `${path}.unique`]),
  )
  t.true((await ask('select * from lists.visits where |')).includes('open'))
  t.false((await ask('select * from lists.s where |')).includes('open'))
  const columns = new Map(analystsTables(shape).map((each) => [each.name, each.columns]))
  t.deepEqual(columns.get('lists.s_by_60s')?.slice(8), ['x_kurt', 'x_p50', 'x_p99_9', 'x_last'])
  t.deepEqual(columns.get('lists.s_by_60s__k'), ['interval_start', 'k', 'x_cnt', 'x_top', 'x_top_error'])
  t.deepEqual(columns.get('lists.es')?.slice(1, 5), ['spent_cnt', 'spent_unique', 'spent_1h_cnt', 'spent_1h_unique'])
})
