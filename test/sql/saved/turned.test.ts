import test from 'ava'
import { filtersAt, turnedTo } from '../../../sql/saved/turned.ts'

const at_us = 1_795_334_400_500_000

for (const [sql, turned] of [
  ['SELECT now()', 'SELECT toDateTime(1795334400)'],
  ["SELECT NOW( 'Europe/Berlin' )", "SELECT toDateTime(1795334400, 'Europe/Berlin')"],
  ['SELECT now64()', 'SELECT toDateTime64(fromUnixTimestamp64Micro(1795334400500000), 3)'],
  ["SELECT now64(6,'UTC')", "SELECT toDateTime64(fromUnixTimestamp64Micro(1795334400500000), 6,'UTC')"],
  [
    'SELECT today() - 1, yesterday()',
    'SELECT toDate(toDateTime(1795334400)) - 1, (toDate(toDateTime(1795334400)) - 1)',
  ],
  ['SELECT now AS now, t.now FROM t', 'SELECT now AS now, t.now FROM t'],
  ["SELECT 'now()' -- now()", "SELECT 'now()'"],
  ['SELECT {now:String}', 'SELECT {now:String}'],
] as const)
  test(`${sql} is asked at another time as ${turned}`, (t) => {
    t.is(turnedTo(sql, at_us), turned)
  })

for (const sql of ['SELECT nowInBlock()', "SELECT now(concat('U', 'TC'))"])
  test(`${sql} cannot be turned, and is refused`, (t) => {
    t.throws(() => turnedTo(sql, at_us), { message: /cannot be turned to another time/ })
  })

test('streams that are named, and views of their intervals, are seen up to the time', (t) => {
  const streams = [
    { schema: 'shop', stream: 'visits' },
    { schema: 'shop', stream: 'orders' },
  ]
  const { filters, turned } = filtersAt('SELECT * FROM shop.visits_by_60s, shop.visits', streams, at_us)
  t.deepEqual(turned, ['shop.visits', 'shop.visits_by_60s'])
  t.is(
    filters,
    "{'shop.visits': '_pk <= 1795334400500000', 'shop.visits_by_60s': 'toUnixTimestamp(interval_start) < 1795334401'}",
  )
  t.is(filtersAt('SELECT 1', streams, at_us).filters, '')
  const others =
    'SELECT visits_by_hour FROM shop.visits_by_country, shop.visits_by_60s_states__page, shop.orders_by_5s__page'
  t.deepEqual(filtersAt(others, streams, at_us).turned, ['shop.visits_by_60s_states__page', 'shop.orders_by_5s__page'])
})
