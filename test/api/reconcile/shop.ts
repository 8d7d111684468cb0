/** A schema with every kind of derived table, its events, and what they have to give, by plain arithmetic. */
import { decodeSchema } from '../../../sql/schema/decode.ts'
import type { Schema } from '../../../sql/schema/schema.ts'

export type Order = {
  readonly pk: number
  readonly seq: number
  readonly lane: number
  readonly position: number
  readonly buyer: string | null
  readonly item: string | null
  readonly price: number | null
}

/** 2025-10-09T08:55:00Z, a multiple of 300 s. */
export const start_us = 1_760_000_100_000_000

const text = (name: string, more = {}) => ({ name, type: 5, ...more })
const amount = (name: string, more = {}) => ({ name, type: 11, ...more })

export const shopSchema = (name: string, window = 0, redelivered = true): Schema => ({
  ...decodeSchema({
    schema: name,
    streams: [
      {
        name: 'orders',
        type: 1,
        swsz: window,
        attr: [
          text('buyer', { stat: 'UCOUNT' }),
          text('item', { stat: ['COUNT', 'TOPK'] }),
          amount('price', { stat: 'RSTAT' }),
        ],
        gpby: [
          { gpat: ['item'], iatr: 'price', stat: 'RSTAT', gran: 300 },
          { gpat: ['item'], iatr: 'buyer', stat: 'UCOUNT', gran: 300 },
        ],
        enty: [entity('spent', 3, 'spent', 'price'), entity('items', [2, 'TOPK'], 'items', 'item')],
        rels: [{ sub: 'buyer', rel: 'BOUGHT', obj: 'item', rel_props: ['price'] }],
        fltr: [
          {
            name: 'high',
            fqry: { name: JSON.stringify({ query: [{ key: 'price', cmp_op: 1, val: 50 }], qtype: 1 }), type: 1 },
            fatr: ['buyer', 'price'],
            ostm: 'dear',
          },
        ],
      },
      { name: 'buyers', type: 4, attr: [text('buyer', { pk: 1 }), amount('spent'), { name: 'items', type: 9 }] },
      { name: 'dear', type: 2, swsz: window, attr: [text('buyer'), amount('price', { stat: 'RSTAT', gran: 300 })] },
    ],
  }),
  ...(redelivered && { redelivered: true }),
})

const entity = (name: string, opid: number | readonly unknown[], result: string, input: string) => ({
  name,
  opid,
  ratr: [result],
  iatr: [input],
  pkatr: [text('buyer', { iatr: ['buyer'] })],
  rstm: 'buyers',
})

type Row = readonly (string | number | null)[]
export type Contents = Readonly<Record<string, readonly Row[]>>

/** Analysts' queries on the tables, by the table. */
export const queries: Readonly<Record<string, (schema: string) => string>> = {
  orders: (schema) => `SELECT _pk, _seq, ifNull(buyer, ''), ifNull(item, ''), ifNull(price, -1) FROM ${schema}.orders`,
  minutes: (schema) =>
    `SELECT toUnixTimestamp64Micro(interval_start), buyer_cnt, buyer_unique, item_cnt, price_cnt, price_sum, price_min, price_max, toJSONString(item_top) FROM ${schema}.orders_by_60s`,
  items: (schema) =>
    `SELECT item, toUnixTimestamp64Micro(interval_start), price_cnt, price_sum, price_min, price_max, buyer_cnt, buyer_unique FROM ${schema}.orders_by_300s__item`,
  buyers: (schema) =>
    `SELECT buyer, spent_cnt, spent_sum, spent_min, spent_max, items_cnt, items_unique, toJSONString(items_top) FROM ${schema}.buyers`,
  dear: (schema) => `SELECT _pk, _seq, ifNull(buyer, ''), price FROM ${schema}.dear`,
  dearIntervals: (schema) =>
    `SELECT toUnixTimestamp64Micro(interval_start), price_cnt, price_sum, price_min, price_max FROM ${schema}.dear_by_300s`,
  triples: (schema) =>
    `SELECT subject, relation, object, toFloat64OrDefault(JSONExtractRaw(properties, 'price'), toFloat64(-1)), _at, _seq FROM graph.${schema}_graph_rel`,
  nodes: (schema) => `SELECT label, name FROM graph.${schema}_graph`,
}

export const sorted = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** The same out of the events themselves. */
export function expected(orders: readonly Order[]): Contents {
  const dear = orders.filter(({ price }) => price !== null && price >= 50)
  const ended = orders.filter(({ buyer, item }) => buyer !== null && item !== null)
  const nodes = ended.flatMap(({ buyer, item }) => [`buyer ${buyer}`, `item ${item}`])
  const contents: Contents = {
    orders: orders.map(({ pk, seq, buyer, item, price }) => [pk, seq, buyer ?? '', item ?? '', price ?? -1]),
    minutes: groups(orders, ({ pk }) => [intervalOf(pk, 60)])
      .filter(([, rows]) => countsSome(rows, ['buyer', 'item', 'price']))
      .map(([key, rows]) => [
        ...key,
        ...unique(rows, 'buyer'),
        values(rows, 'item').length,
        ...moments(rows),
        topOf(rows),
      ]),
    items: groups(
      orders.filter(({ item }) => item !== null),
      ({ pk, item }) => [item ?? '', intervalOf(pk, 300)],
    )
      .filter(([, rows]) => countsSome(rows, ['price', 'buyer']))
      .map(([key, rows]) => [...key, ...moments(rows), ...unique(rows, 'buyer')]),
    buyers: groups(
      orders.filter(({ buyer }) => buyer !== null),
      ({ buyer }) => [buyer ?? ''],
    ).map(([key, rows]) => [...key, ...moments(rows), ...unique(rows, 'item'), topOf(rows)]),
    dear: dear.map(({ pk, seq, buyer, price }) => [pk, seq, buyer ?? '', price ?? -1]),
    dearIntervals: groups(dear, ({ pk }) => [intervalOf(pk, 300)]).map(([key, rows]) => [...key, ...moments(rows)]),
    triples: ended.map(({ pk, seq, buyer, item, price }) => [buyer ?? '', 'BOUGHT', item ?? '', price ?? -1, pk, seq]),
    nodes: [...new Set(nodes)].map((node) => node.split(' ')),
  }
  return Object.fromEntries(Object.entries(contents).map(([name, rows]) => [name, sorted(rows)]))
}

const intervalOf = (pk: number, seconds: number): number => pk - (pk % (seconds * 1_000_000))

function groups(orders: readonly Order[], keyOf: (order: Order) => Row): [Row, Order[]][] {
  const found = new Map<string, [Row, Order[]]>()
  for (const order of orders) {
    const key = keyOf(order)
    const known = found.get(JSON.stringify(key))
    if (known) known[1].push(order)
    else found.set(JSON.stringify(key), [key, [order]])
  }
  return [...found.values()]
}

type Attribute = 'buyer' | 'item' | 'price'

const values = (orders: readonly Order[], name: Attribute): (string | number)[] =>
  orders.flatMap((order) => order[name] ?? [])

/** An interval or a group that has counted no value is in no answer, and in no view. */
const countsSome = (orders: readonly Order[], measured: readonly Attribute[]): boolean =>
  measured.some((name) => values(orders, name).length > 0)

const unique = (orders: readonly Order[], name: 'buyer' | 'item'): number[] => {
  const all = values(orders, name)
  return [all.length, new Set(all).size]
}

/** How often each item came, the most frequent one first, of equally frequent ones the least. There are less than ten. */
function topOf(orders: readonly Order[]): string {
  const counts = new Map<string, number>()
  for (const item of values(orders, 'item').map(String)) counts.set(item, (counts.get(item) ?? 0) + 1)
  const inOrder = [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return JSON.stringify(inOrder.map(([value, cnt]) => ({ value, cnt })))
}

/** Prices are quarters, so that sums are exact. There is neither sum, minimum nor maximum of no price. */
function moments(orders: readonly Order[]): (number | null)[] {
  const prices = values(orders, 'price').map(Number)
  if (prices.length === 0) return [0, null, null, null]
  return [prices.length, prices.reduce((sum, price) => sum + price, 0), Math.min(...prices), Math.max(...prices)]
}
