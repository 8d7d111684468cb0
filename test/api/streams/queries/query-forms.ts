/** Every form of a query on streams, over seven events: what it answers stands in queries.golden.txt. */
import type { Client } from '../../../support/requests/client.ts'

const start_us = 1_700_000_040_000_000
const end_us = start_us + 300_000_000
const period = `st >= ${start_us} and et <= ${end_us}`

const schema = {
  schema: 'shop',
  streams: [
    {
      name: 'sales',
      type: 1,
      swsz: 0,
      inpt: [],
      attr: [
        { name: 'item', type: 5, stat: 'UCOUNT' },
        { name: 'city', type: 5 },
        { name: 'price', type: 11, stat: 'RSTAT' },
        { name: 'pieces', type: 9, stat: 'COUNT', gran: 300 },
        { name: 'gift', type: 12 },
        { name: 'to', type: 3, fields: [{ name: 'zip', type: 5 }] },
      ],
      gpby: [
        { gpat: ['item', 'city'], iatr: 'price', stat: 'RSTAT', gran: 60 },
        { gpat: ['city'], iatr: 'pieces', stat: 'COUNT', gran: 300 },
        { gpat: ['pieces'], iatr: 'item', stat: 'UCOUNT', gran: 60 },
      ],
      enty: [
        {
          name: 'a',
          opid: 3,
          ratr: ['spent'],
          iatr: ['price'],
          pkatr: [{ name: 'place', type: 5, iatr: ['city'] }],
          rstm: 'cities',
        },
        {
          name: 'b',
          opid: 2,
          ratr: ['items'],
          iatr: ['item'],
          pkatr: [{ name: 'place', type: 5, iatr: ['city'] }],
          rstm: 'cities',
        },
      ],
      fltr: [
        {
          name: 'f',
          fqry: { name: '{"query":[{"key":"price","cmp_op":1,"val":10}],"qtype":1}', type: 1 },
          fatr: ['item', 'price'],
          ostm: 'dear',
        },
      ],
    },
    { name: 'dear', type: 2, inpt: ['sales'], swsz: 0, attr: [{ name: 'price', type: 11, stat: 'RSTAT' }] },
    { name: 'cities', type: 4, inpt: ['sales'], attr: [] },
  ],
}

const at = (second: number): number => start_us + second * 1_000_000
const events = [
  { _pk: at(0), item: 'pen', city: 'Rome', price: 1.5, pieces: 3, gift: false, to: { zip: '00100', door: 2 } },
  { _pk: at(1), item: 'pen', city: 'Bonn', price: 2, pieces: 1, gift: true, note: 'it\'s "new" \\ ü' },
  { _pk: at(61), item: 'a:b', city: 'Rome', price: 12, pieces: 1 },
  { _pk: at(62), item: 'ink', city: '', price: -4, pieces: 3 },
  { _pk: at(200), item: 'ink', price: 40.25, pieces: 10 },
  { _pk: at(290), item: 'pen', city: 'Rome', price: 20, gift: true },
  { _pk: at(290), item: 'cap', city: 'Rome', pieces: 3 },
]

export async function fillShop(client: Client): Promise<void> {
  await client.register(schema)
  await client.lines('shop.sales', events)
}

export const forms = [
  'select * from shop.sales',
  'SELECT * FROM shop.sales LIMIT 2;',
  'select * from shop.sales limit 0',
  "select * from shop.sales where item = 'pen'",
  'select * from shop.sales where item = "pen" and price >= 2',
  'select * from shop.sales where item != "pen" and gift = true',
  'select * from shop.sales where (city = "Bonn" or price > 12) and pieces < 11 limit 1',
  'select * from shop.sales where price <= 2 or city = "" and pieces <> 1',
  'select * from shop.sales where item like "p*"',
  'select * from shop.sales where to.zip = "00100"',
  'select * from shop.sales where to.door = 2',
  "select * from shop.sales where note = 'it''s \"new\" \\\\ ü'",
  `select * from shop.sales where st >= ${start_us + 61_000_000} and et <= ${start_us + 200_000_000}`,
  `select * from shop.sales where _pk = ${start_us}`,
  'select * from shop.dear',
  'select count(*) from shop.sales',
  'select count(*) from shop.sales where gift = true',
  'select count(*) from shop.cities',
  'select count(*) from shop.cities where spent.cnt > 1',
  `select aggr(pieces) from shop.sales where ${period}`,
  `select aggr(item) from shop.sales where ${period}`,
  `select aggr(price) from shop.sales where ${period} limit 2`,
  `select aggr(price) from shop.sales where ${period} rollup 0`,
  `select aggr(price) from shop.sales where ${period} rollup 1`,
  `select aggr(item) from shop.sales where ${period} rollup 5`,
  `select aggr(price) from shop.dear where ${period} rollup 5`,
  'select aggr(price) from shop.sales rollup 1',
  'select aggr(item) from shop.sales where et <= 100000000000000 rollup 1',
  'select aggr(price) from shop.sales groupby item:city',
  `select aggr(pieces) from shop.sales where ${period} group by city`,
  'select aggr(pieces) from shop.sales groupby city rollup 0',
  'select aggr(item) from shop.sales groupby pieces',
  'select aggr(item) from shop.sales groupby pieces rollup 2 limit 3',
  'select aggr(pieces) from shop.sales groupby city rollup 1',
  'select aggr(price) from shop.sales where skey = "pen:Rome" groupby item:city',
  'select aggr(price) from shop.sales where skey = "*:Rome" groupby item:city rollup 1',
  'select aggr(price) from shop.sales where skey = "a\\:b:*" groupby item:city',
  'select aggr(item) from shop.sales where skey = "3" groupby pieces',
  'select * from shop.cities',
  'select * from shop.cities limit 1',
  'select * from shop.cities where place = "Rome"',
  'select * from shop.cities where items.cnt >= 2 and spent.sum > 20',
  'select usage from weir_stream',
]

/** A text with marks in the place of values that depend on when the test runs. */
export const lasting = (text: string): string =>
  text
    .replace(/(?<![\d.])\d{16}(?!\d)/g, (digits) => (Number(digits) > 1.75e15 ? '<now>' : digits))
    .replace(/"sec_buf":"[^"]+"/g, '"sec_buf":"<cursor>"')

/** The answer to a form, without what depends on when it was asked. */
export async function answerTo(client: Client, form: string): Promise<string> {
  const { status, text } = await client.query(form)
  if (status !== 200) throw new Error(`${form}: ${text}`)
  // Another test (usage.test.ts) has the minutes without events in usage: one may begin between two lines here.
  return lasting(
    form.includes('usage') ? text.replace(/"(cnt|min|max|avg|stdd|skew|kurt)\\":[^,}]+/g, '"$1\\":<n>') : text,
  )
}
