/**
 * NEXMark's auctions (Tucker, Tufte, Papadimos, Maier, "NEXMark: a benchmark for queries over data streams", 2002, and the queries that
 * streaming databases have added since): one schema in words says the queries, a generator makes persons, auctions and bids, and each
 * answer is worked out once more from the lists that were sent.
 */
import test from 'ava'
import { randomFor } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

type Person = { readonly _pk: number; readonly id: number; readonly name: string; readonly state: string }
type Auction = { readonly _pk: number; readonly id: number; readonly category: number; readonly seller: number }
type Bid = {
  readonly _pk: number
  readonly auction: number
  readonly bidder: number
  readonly price: number
  readonly channel: string
  readonly url: string
}

const gap_s = 60
/** The words of each side of a join. */
const sides = (first: unknown, other: unknown): object =>
  Object.fromEntries([
    ['first', first],
    ['then', other],
  ])

const definition = {
  schema: 'nexmark',
  streams: {
    persons: { keep: 'forever', attributes: { id: 'integer', name: 'text', state: 'text' } },
    auctions: { keep: 'forever', attributes: { id: 'integer', category: 'integer', seller: 'integer' } },
    bids: {
      keep: 'forever',
      attributes: {
        ...{ auction: 'integer', bidder: 'integer', channel: 'text', url: 'text' },
        price: { type: 'integer', stats: ['summary'], every: '10s' },
      },
      compute: {
        euros: { type: 'number', is: 'price * 0.908' },
        rest: { type: 'integer', is: 'auction % 7' },
        directory: { type: 'text', is: "split(url, '/', 4)" },
        channel_id: { type: 'integer', is: "if(channel = 'apple', 0, if(channel = 'google', 1, 2))" },
      },
      lookups: {
        of: { from: 'auctions', where: 'id = this.auction', take: { category: 'category', seller: 'seller' } },
      },
      groups: [
        { by: ['channel'], of: 'bidder', stats: ['count', 'distinct'], every: '1d' },
        { by: ['auction'], of: 'price', stats: ['summary'], every: '1d' },
        { by: ['bidder'], of: 'price', stats: ['count'], session: { after: `${gap_s}s`, into: 'bidding' } },
      ],
      filters: {
        some: { where: 'rest = 0', take: ['auction', 'price'], into: 'selected' },
        tenth: { where: 'category = 10', take: ['auction', 'bidder', 'price', 'seller'], into: 'expanded' },
      },
    },
    ...{ selected: { keep: 'forever' }, expanded: { keep: 'forever' }, bidding: { keep: 'forever' } },
    ...{ local_items: { keep: 'forever' }, new_sellers: { keep: 'forever' } },
  },
  entities: {
    last_bids: {
      ...{ of: 'bids', by: ['auction', 'bidder'] },
      values: { price: { of: 'price', stats: ['last'] } },
    },
  },
  joins: {
    local: {
      ...sides(
        { stream: 'persons', only: "state = 'OR' or state = 'ID' or state = 'CA'" },
        { stream: 'auctions', only: 'category = 10' },
      ),
      ...{ where: 'first.id = then.seller', match: 'all', within: '7d', into: 'local_items' },
      take: sides(['name', 'state'], ['id']),
    },
    sellers: {
      ...sides('persons', 'auctions'),
      ...{ where: 'first.id = then.seller', match: 'all', within: '10s', into: 'new_sellers' },
      take: sides(['name'], ['id']),
    },
  },
}

const { client, close } = await startService()
test.after.always(close)

const start = Date.UTC(2026, 0, 5) * 1000
const persons: Person[] = []
const auctions: Auction[] = []
const bids: Bid[] = []

test.before(async (t) => {
  const random = randomFor(t)
  let time = start
  /** In order of time, as NEXMark's generator makes them: of fifty events one is a person, three are auctions. */
  for (let made = 0; made < 1_500; made++) {
    time += random.pick([1, 1_000, 20_000, 300_000, 2_000_000, 9_000_000])
    const kind = made < 5 ? made % 3 : random.whole(0, 49)
    const someone = persons[random.whole(0, Math.max(0, persons.length - 1))]
    const something = auctions[random.whole(0, Math.max(0, auctions.length - 1))]
    if (kind === 0 || someone === undefined) {
      const id = 1_000 + persons.length
      persons.push({ _pk: time, id, name: `p${id}`, state: random.pick(['OR', 'ID', 'CA', 'WA', 'NY']) })
    } else if (kind <= 3 || something === undefined) {
      const id = 5_000 + auctions.length
      auctions.push({ _pk: time, id, category: random.whole(10, 12), seller: someone.id })
    } else {
      const channel = random.pick(['apple', 'google', 'facebook'])
      const url = `https://www.nexmark.com/${random.pick(['a', 'b'])}/item.htm?query=1`
      const price = random.whole(1, 10_000)
      bids.push({ _pk: time, auction: something.id, bidder: someone.id, price, channel, url })
    }
  }
  // An hour later all sessions but that of this bid are over.
  const [last = { auction: 0, bidder: 0, price: 1, channel: '', url: '' }] = bids
  bids.push({ ...last, _pk: time + 3_600_000_000 })
  await client.register(definition)
  // Whatever a bid looks up has come before.
  for (const [name, events] of [
    ['persons', persons],
    ['auctions', auctions],
    ['bids', bids],
  ] as const)
    await client.lines(`nexmark.${name}`, events)
})

const rowsOf = (name: string) => client.documents(`select * from nexmark.${name}`)
const inOrder = (rows: readonly (readonly unknown[])[]): string[] => rows.map((row) => JSON.stringify(row)).sort()
const auctionOf = (id: number): Auction | undefined => auctions.find((each) => each.id === id)

test('queries 0, 1, 14, 21 and 22: each bid, its price in another currency, its channel and its directory', async (t) => {
  t.deepEqual(
    inOrder((await rowsOf('bids')).map((row) => [row._pk, row.price, row.euros, row.channel_id, row.directory])),
    inOrder(
      bids.map(({ _pk, price, channel, url }) => [
        ...[_pk, price, price * 0.908],
        ...[channel === 'apple' ? 0 : channel === 'google' ? 1 : 2, new URL(url).pathname.split('/')[1]],
      ]),
    ),
  )
})

test('query 2: bids on some auctions', async (t) => {
  t.deepEqual(
    inOrder((await rowsOf('selected')).map(({ auction, price }) => [auction, price])),
    inOrder(bids.flatMap(({ auction, price }) => (auction % 7 === 0 ? [[auction, price]] : []))),
  )
})

test('query 3: who sells of a category in some states', async (t) => {
  t.deepEqual(
    inOrder((await rowsOf('local_items')).map(({ name, state, id }) => [name, state, id])),
    inOrder(
      auctions.flatMap(({ id, category, seller }) => {
        const of = persons.find((each) => each.id === seller)
        return category === 10 && of && ['OR', 'ID', 'CA'].includes(of.state) ? [[of.name, of.state, id]] : []
      }),
    ),
  )
})

test('query 8, as an interval: persons who sell within ten seconds', async (t) => {
  t.deepEqual(
    inOrder((await rowsOf('new_sellers')).map(({ name, id }) => [name, id])),
    inOrder(
      auctions.flatMap(({ _pk, id, seller }) => {
        const of = persons.find((each) => each.id === seller)
        return of && Math.abs(of._pk - _pk) <= 10_000_000 ? [[of.name, id]] : []
      }),
    ),
  )
})

test('query 7: the highest bid of each ten seconds', async (t) => {
  const rows = await client.rows(
    `select aggr(price) from nexmark.bids where st >= ${start} and et <= ${bids.at(-1)?._pk ?? start}`,
  )
  const found = rows.flatMap(({ k, v }) => {
    const { cnt, max } = JSON.parse(String(v))
    return cnt > 0 ? [[k, max]] : []
  })
  const highest = new Map<number, number>()
  for (const { _pk, price } of bids) {
    const interval = Math.floor(_pk / 10_000_000) * 10_000_000
    highest.set(interval, Math.max(highest.get(interval) ?? 0, price))
  }
  t.deepEqual(inOrder(found), inOrder([...highest]))
})

test('query 11: how often a person bids in a session', async (t) => {
  const sessions: (readonly unknown[])[] = []
  for (const bidder of new Set(bids.map((each) => each.bidder))) {
    let mine: Bid[] = []
    for (const bid of [...bids.filter((each) => each.bidder === bidder), undefined]) {
      const [first, last] = [mine[0], mine.at(-1)]
      const isOver = bid ? bid._pk - (last?._pk ?? bid._pk) > gap_s * 1e6 : last !== bids.at(-1)
      if (first && last && isOver) {
        sessions.push([bidder, first._pk, last._pk, mine.length])
        mine = []
      }
      if (bid) mine.push(bid)
    }
  }
  const found = async () => (await rowsOf('bidding')).map(({ bidder, from, to, cnt }) => [bidder, from, to, cnt])
  await until('all sessions', async () => (await found()).length >= sessions.length, 60_000)
  t.deepEqual(inOrder(await found()), inOrder(sessions))
})

test('queries 16 and 17: bids and different bidders by channel, prices by auction', async (t) => {
  const grouped = async (sql: string) =>
    (await client.rows(sql)).map(({ k, v }): readonly [unknown, Record<string, number>] => [k, JSON.parse(String(v))])
  const byChannel = await grouped('select aggr(bidder) from nexmark.bids groupby channel')
  const channels = [...new Set(bids.map(({ channel }) => channel))]
  t.deepEqual(
    inOrder(byChannel.map(([k, { cnt, unique }]) => [k, cnt, unique])),
    inOrder(
      channels.map((channel) => {
        const own = bids.filter((bid) => bid.channel === channel)
        return [channel, own.length, new Set(own.map(({ bidder }) => bidder)).size]
      }),
    ),
  )
  const byAuction = await grouped('select aggr(price) from nexmark.bids groupby auction')
  t.deepEqual(
    inOrder(byAuction.map(([k, { cnt, min, max, sum }]) => [k, cnt, min, max, sum])),
    inOrder(
      [...new Set(bids.map(({ auction }) => auction))].map((auction) => {
        const prices = bids.flatMap((bid) => (bid.auction === auction ? bid.price : []))
        const sum = prices.reduce((so, price) => so + price, 0)
        return [String(auction), prices.length, Math.min(...prices), Math.max(...prices), sum]
      }),
    ),
  )
})

test('query 18: the last bid of each person on each auction', async (t) => {
  const last = new Map(bids.map(({ auction, bidder, price }) => [`${auction}:${bidder}`, price]))
  const rows = await client.rows('select * from nexmark.last_bids')
  t.deepEqual(inOrder(rows.map(({ k, v }) => [k, JSON.parse(String(v)).price.last])), inOrder([...last]))
})

test('queries 13 and 20: bids with what a lookup knows of their auction', async (t) => {
  t.deepEqual(
    inOrder((await rowsOf('expanded')).map(({ auction, bidder, price, seller }) => [auction, bidder, price, seller])),
    inOrder(
      bids.flatMap(({ auction, bidder, price }) => {
        const of = auctionOf(auction)
        return of?.category === 10 ? [[auction, bidder, price, of.seller]] : []
      }),
    ),
  )
})
