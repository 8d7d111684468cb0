/**
 * Inputs and answers that others publish, of which this has the figures alone: bids and answers of NEXMark by RisingWave
 * (`e2e_test/nexmark/insert_bid.slt.part`, `e2e_test/streaming/nexmark/q{7,16,17,18}.slt.part`, Apache License 2.0), and the purchases of the
 * sample of a feature store, Feathr (`product_recommendation_sample/user_purchase_history_mock_data.csv`, Apache License 2.0), whose windows are
 * counted once more here.
 */
import test from 'ava'
import { startService } from '../../support/service.ts'

/** RisingWave's bids: auction, bidder, price, channel, and milliseconds since 2015-07-15T00:00:00Z. */
const published = `
1000 1001 73134520 channel-7568 1000
1000 1001 499920 Apple 1001
1000 1001 1940 channel-9319 2001
1000 1007 12655 channel-5136 2001
1004 1001 3992 Baidu 3001
1012 1003 19269 channel-5775 3001
1000 1001 2419091 Google 4001
1000 1001 43672280 channel-9550 4001
1008 1002 28953332 channel-5698 4001
1000 1010 235 Facebook 4001
1001 1004 96533552 Facebook 5001
1007 1001 242 channel-3148 5002
1000 1001 373 channel-426 5002
1012 1001 71083760 Apple 6002
1000 1003 647009 Apple 6002
1009 1001 209960 Google 6002
1000 1001 522439 channel-1217 7002
1003 1001 89027544 Apple 7002
1001 1008 34546 Apple 8002
1000 1002 322 channel-2691 8002
1006 1001 333841 Baidu 9002
1000 1004 2349 Apple 9003
1003 1001 42953 channel-7914 9003
1011 1001 5255 Google 10003
1000 1001 14909 channel-6340 10003
1000 1001 13982877 Baidu 11003
1000 1003 9353 Facebook 11003
1001 1001 84935 Baidu 11003
1000 1006 1433650 channel-5311 12003
1000 1001 28676694 Facebook 13003
1011 1009 12201 Apple 13003
1000 1001 1930913 channel-497 14004
1004 1001 2062 Baidu 14004
1000 1001 567581 channel-4450 15004
1000 1001 3999 channel-7314 15004
1010 1001 213 Facebook 15004
1006 1001 3414043 channel-8070 16004
1006 1001 21659600 channel-5594 16004
1009 1001 806 channel-2421 17004
1012 1001 170060 channel-4175 18004
1001 1001 222 channel-4639 19004
1010 1002 2092 Baidu 19005
1012 1001 3378476 channel-5845 20005
1012 1001 3633428 Google 20005
1004 1000 783536 Baidu 21005
1002 1001 190 Google 21005
1000 1001 10465998 Facebook 22005
1000 1001 506 Google 23006
1000 1004 92441 Google 24006
1000 1001 366 channel-9891 25006`

const start_us = Date.UTC(2015, 6, 15) * 1000
const bids = published
  .trim()
  .split('\n')
  .map((line) => {
    const [auction, bidder, price, channel, ms] = line.split(' ')
    const _pk = start_us + Number(ms) * 1000
    return { _pk, auction: Number(auction), bidder: Number(bidder), price: Number(price), channel }
  })

const { client, close } = await startService()
test.after.always(close)

test.before(async () => {
  await client.register({
    schema: 'published',
    streams: {
      bids: {
        keep: 'forever',
        attributes: {
          ...{ auction: 'integer', bidder: 'integer', channel: 'text' },
          price: { type: 'integer', stats: ['summary'], every: '10s' },
        },
        // The published queries tell cheap bids, those below a million, and the others apart.
        compute: { rank: { type: 'integer', is: 'if(price < 10000, 1, if(price < 1000000, 2, 3))' } },
        groups: [
          { by: ['auction'], of: 'price', stats: ['summary'], every: '1d' },
          { by: ['auction', 'rank'], of: 'price', stats: ['count'], every: '1d' },
          { by: ['channel'], of: 'bidder', stats: ['count', 'distinct'], every: '1d' },
          { by: ['channel', 'rank'], of: 'bidder', stats: ['count', 'distinct'], every: '1d' },
          { by: ['channel'], of: 'auction', stats: ['distinct'], every: '1d' },
        ],
      },
    },
    entities: {
      last_bids: {
        ...{ of: 'bids', by: ['auction', 'bidder'] },
        values: { price: { of: 'price', stats: ['last'] } },
      },
    },
  })
  await client.lines('published.bids', bids)
})

/** The value objects of a query's rows, by their keys. */
async function valuesOf(sql: string): Promise<ReadonlyMap<string, Record<string, number>>> {
  const rows = await client.rows(sql)
  return new Map(rows.map(({ k, v }) => [String(k), JSON.parse(String(v))]))
}

test('query 7: the highest bids of ten seconds are those that are published', async (t) => {
  const span = `st >= ${start_us} and et <= ${start_us + 29_999_999}`
  const values = await valuesOf(`select aggr(price) from published.bids where ${span}`)
  t.deepEqual([...values.values()].map(({ max }) => max).sort(), [10465998, 28676694, 96533552])
})

test('query 17: figures of auctions are those that are published', async (t) => {
  const all = await valuesOf('select aggr(price) from published.bids groupby auction')
  const ranks = await valuesOf('select aggr(price) from published.bids groupby auction:rank')
  const rankOf = (auction: string, rank: number): number => Number(ranks.get(`${auction}:${rank}`) ?? 0)
  const found = [...all].map(([auction, { cnt, min, max, sum, avg }]) =>
    [auction, cnt, ...[1, 2, 3].map((rank) => rankOf(auction, rank)), min, max, avg?.toFixed(2), sum].join(' '),
  )
  t.deepEqual(found.sort(), [
    '1000 24 9 7 8 235 73134520 7420517.50 178092420',
    '1001 4 1 2 1 222 96533552 24163313.75 96653255',
    '1002 1 1 0 0 190 190 190.00 190',
    '1003 2 0 1 1 42953 89027544 44535248.50 89070497',
    '1004 3 2 1 0 2062 783536 263196.67 789590',
    '1006 3 0 1 2 333841 21659600 8469161.33 25407484',
    '1007 1 1 0 0 242 242 242.00 242',
    '1008 1 0 0 1 28953332 28953332 28953332.00 28953332',
    '1009 2 1 1 0 806 209960 105383.00 210766',
    '1010 2 2 0 0 213 2092 1152.50 2305',
    '1011 2 1 1 0 5255 12201 8728.00 17456',
    '1012 5 0 2 3 19269 71083760 15656998.60 78284993',
  ])
})

test('query 16: bids, bidders and auctions of channels are those that are published', async (t) => {
  const bidders = await valuesOf('select aggr(bidder) from published.bids groupby channel')
  const ranks = await valuesOf('select aggr(bidder) from published.bids groupby channel:rank')
  const auctions = await valuesOf('select aggr(auction) from published.bids groupby channel')
  const figures = (channel: string): number[] => [
    bidders.get(channel)?.cnt ?? 0,
    ...[1, 2, 3].map((rank) => ranks.get(`${channel}:${rank}`)?.cnt ?? 0),
    bidders.get(channel)?.unique ?? 0,
    ...[1, 2, 3].map((rank) => ranks.get(`${channel}:${rank}`)?.unique ?? 0),
    Number(auctions.get(channel) ?? 0),
  ]
  t.deepEqual(figures('Facebook'), [6, 3, 0, 3, 4, 3, 0, 2, 3])
  t.deepEqual(figures('Baidu'), [7, 3, 3, 1, 3, 2, 2, 1, 5])
  t.deepEqual(figures('Apple'), [7, 1, 4, 2, 5, 1, 4, 1, 5])
  t.deepEqual(figures('Google'), [7, 3, 2, 2, 2, 1, 2, 1, 5])
  t.deepEqual(figures('channel-7914'), [1, 0, 1, 0, 1, 0, 1, 0, 1])
  t.is(bidders.size, 27)
})

test('query 18: the last bids of persons on auctions are those that are published', async (t) => {
  const values = await client.rows('select * from published.last_bids')
  // These bid twice in a millisecond: the last one is that which came last, and the published answer has the first.
  const isTied = ({ k }: { k?: unknown }): boolean => k === '1006:1001' || k === '1012:1001'
  const found = values.filter((row) => !isTied(row)).map(({ k, v }) => `${k} ${JSON.parse(String(v)).price.last}`)
  t.deepEqual(found.sort(), [
    ...['1000:1001 366', '1000:1002 322', '1000:1003 9353', '1000:1004 92441', '1000:1006 1433650', '1000:1007 12655'],
    ...['1000:1010 235', '1001:1001 222', '1001:1004 96533552', '1001:1008 34546', '1002:1001 190', '1003:1001 42953'],
    ...['1004:1000 783536', '1004:1001 2062', '1007:1001 242', '1008:1002 28953332', '1009:1001 806', '1010:1001 213'],
    ...['1010:1002 2092', '1011:1001 5255', '1011:1009 12201', '1012:1003 19269'],
  ])
})

/** Feathr's purchases: user, day, amount. */
const purchased = `
1 2021-01-01 0.33
1 2021-03-03 574.35
1 2021-01-03 796.07
2 2021-01-04 342.15
2 2021-03-05 280.46
2 2021-01-06 664.18
3 2021-01-07 359.02
3 2021-01-08 357.12
3 2021-01-09 845.40
4 2021-01-10 103.92
4 2021-02-21 670.12
4 2021-02-12 698.65
5 2021-01-13 110.52
5 2021-01-14 931.72
5 2021-02-15 388.14
6 2021-01-16 822.96
6 2021-01-17 292.39
6 2021-01-18 524.76
7 2021-01-19 262.00
7 2021-03-20 715.94
7 2021-01-21 345.70
8 2021-01-22 379.00
8 2021-01-23 194.96
8 2021-01-24 862.33
9 2021-01-25 430.41
9 2021-01-26 398.72
9 2021-02-27 158.52
10 2021-01-28 550.01
10 2021-03-02 157.88
10 2021-03-03 528.43`

test("windows of 30 and 90 days over a feature store's sample are those of a walk over its rows, for queries and for lookups", async (t) => {
  const purchases = purchased
    .trim()
    .split('\n')
    .map((line) => {
      const [user = '', day = '', amount] = line.split(' ')
      return { _pk: Date.parse(`${day}T00:00:00Z`) * 1000, user, amount: Number(amount) }
    })
  const users = [...new Set(purchases.map(({ user }) => user))]
  const take = Object.fromEntries(
    ['30d', '90d'].flatMap((name) =>
      ['cnt', 'sum', 'avg', 'max'].map((member) => [`spent.${name}.${member}`, `${member}_${name}`]),
    ),
  )
  await client.register({
    schema: 'feathr',
    streams: {
      purchases: { keep: 'forever', attributes: { user: 'text', amount: 'number' } },
      ratings: {
        keep: 'forever',
        attributes: { user: 'text' },
        lookups: { spent: { from: 'users', where: 'user = this.user', take } },
      },
    },
    entities: {
      users: {
        ...{ of: 'purchases', by: 'user' },
        values: { spent: { of: 'amount', stats: ['summary'], windows: ['30d', '90d'] } },
      },
    },
  })
  // In the order of the file, which is not that of time.
  await client.lines('feathr.purchases', purchases)
  const at = Date.parse('2021-04-01T00:00:00Z') * 1000
  await client.lines(
    'feathr.ratings',
    users.map((user) => ({ _pk: at, user })),
  )
  const rated = new Map((await client.documents('select * from feathr.ratings')).map((row) => [row.user, row]))
  const { rows } = await client.ok(client.query('select * from feathr.users', { at }))
  type Figures = Readonly<Record<string, number>>
  const asked = new Map<string, Readonly<Record<string, Figures>>>(
    rows.map(({ k, v }: { k: string; v: string }) => [k, JSON.parse(v).spent]),
  )
  for (const [name, days] of [
    ['30d', 30],
    ['90d', 90],
  ] as const) {
    const [length, hop] = [days * 86_400_000_000, days * 1_440_000_000]
    const isIn = (pk: number): boolean => pk <= at && Math.floor(pk / hop) >= Math.floor((at - length + 1) / hop)
    for (const user of users) {
      const amounts = purchases.flatMap((each) => (each.user === user && isIn(each._pk) ? each.amount : []))
      const sum = amounts.reduce((so, each) => so + each, 0)
      for (const [of, found] of [
        ['query', asked.get(user)?.[name]],
        [
          'lookup',
          Object.fromEntries(['cnt', 'sum', 'avg', 'max'].map((each) => [each, rated.get(user)?.[`${each}_${name}`]])),
        ],
      ] as const) {
        const title = `${of} of ${user}, ${name}`
        t.is(found?.cnt, amounts.length, title)
        t.is(Number(found?.sum ?? 0).toFixed(6), sum.toFixed(6), title)
        t.is(Number(found?.avg ?? 0).toFixed(6), (sum / Math.max(1, amounts.length)).toFixed(6), title)
        t.is(found?.max ?? 0, Math.max(0, ...amounts), title)
      }
    }
  }
})
