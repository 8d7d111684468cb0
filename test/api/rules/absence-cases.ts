import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import { until } from '../../support/until.ts'
import { at, attr, type createSchemas, joined, passing, type Row, same, shown, stream, where } from './acceptance.ts'

type Schemas = ReturnType<typeof createSchemas>
type Case = (t: ExecutionContext, schemas: Schemas) => Promise<void>

const device = attr('device', 5)
const [order, customer, amount] = [attr('order', 5), attr('customer', 5), attr('amount', 11)]

/** Beats of devices; `silent` has a row of each that none followed. */
export const beats = (absent: object, rule: object = {}) => [
  stream('beat', [device, attr('v', 11)], {
    cepq: [
      {
        ...{ name: 'dead', type: 1, rstm: 'beat', jqry: same('device'), iatr: ['device'], tloc: 60 },
        ...{ absent: { ostm: 'silent', ...absent } },
        ...rule,
      },
    ],
  }),
  joined('silent', ['beat']),
]

/** Orders that wait for payments: those that none pays go into `unpaid`, payments without an order into `odd`. */
const shop = (types: readonly [number, number], after: number, tloc = 3_600) => [
  stream('orders', [order, customer], {
    join: [
      {
        ...{ name: 'paid', type: types[0], tloc, iatr: ['order', 'customer'], rstm: 'payments', ratr: ['amount'] },
        ...{ jqry: same('order'), ostm: 'rows', absent: { after, ostm: 'unpaid' } },
      },
    ],
  }),
  stream('payments', [order, amount], {
    join: [
      {
        ...{ name: 'paid', type: types[1], tloc, iatr: ['amount'], rstm: 'orders', ratr: ['order', 'customer'] },
        ...{ jqry: same('order'), ostm: 'rows', absent: { after, ostm: 'odd' } },
      },
    ],
  }),
  joined('rows', ['orders', 'payments']),
  joined('unpaid', ['orders', 'payments']),
  joined('odd', ['orders', 'payments']),
]

const pairsOfTypes = [
  [1, 1],
  [2, 4],
  [3, 5],
  [6, 6],
] as const

const rowsOf = (found: readonly Row[], ...names: readonly string[]): string[] =>
  shown(
    found.map((row) => ({ ...row, at: (Number(row._pk) - at(0)) / 1e6 })),
    'at',
    ...names,
  ).sort()

/** Waits until as many rows are there, and then until others would be there, too. */
async function settled(rows: () => Promise<readonly Row[]>, count: number): Promise<readonly Row[]> {
  await until(`${count} rows`, async () => (await rows()).length >= count, 20_000)
  await sleep(600)
  return rows()
}

/** Cases in which the events of one key move the time of others: over Kafka they do so within a partition. */
export const casesOfOneOrder: Readonly<Record<string, Case>> = {
  'a device that falls silent is told once, and again after it came again': async (t, { register }) => {
    const { send, rows } = await register(beats({ after: 60 }))
    await send([
      ['beat', 0, { device: 'a' }],
      ['beat', 1, { device: 'b' }],
      ['beat', 50, { device: 'a' }],
      ['beat', 62, { device: 'c' }],
    ])
    t.deepEqual(rowsOf(await settled(() => rows('silent'), 1), 'device'), ['61 b'])
    await send([
      ['beat', 300, { device: 'b' }],
      ['beat', 361, { device: 'c' }],
    ])
    const found = await settled(() => rows('silent'), 4)
    t.deepEqual(rowsOf(found, 'device'), ['110 a', '122 c', '360 b', '61 b'])
    const [{ _pk, _v, ...row } = {}] = found
    t.deepEqual(row, { device: 'b' })
  },

  'an order that nobody pays is told, and a payment that comes late makes its row and takes nothing back': async (
    t,
    { register },
  ) => {
    for (const types of pairsOfTypes) {
      const { send, rows } = await register(shop(types, 600))
      await send([
        ['orders', 0, { order: 'o1', customer: 'ida' }],
        ['orders', 1, { order: 'o2', customer: 'bob' }],
        ['payments', 5, { order: 'o2', amount: 7 }],
        ['payments', 6, { order: 'o9', amount: 1 }],
        ['orders', 700, { order: 'o3', customer: 'ann' }],
      ])
      t.deepEqual(rowsOf(await settled(() => rows('unpaid'), 1), 'order', 'customer'), ['600 o1 ida'], types.join())
      t.deepEqual(rowsOf(await settled(() => rows('odd'), 1), 'amount'), ['606 1'], types.join())
      await send([['payments', 710, { order: types[0] === 2 ? 'o3' : 'o1', amount: 9 }]])
      t.deepEqual(rowsOf(await rows('rows'), 'order', 'amount').sort(), [
        `5 o2 7`,
        `710 ${types[0] === 2 ? 'o3' : 'o1'} 9`,
      ])
      t.is((await rows('unpaid')).length, 1)
    }
  },

  'only events that pass wait, and those that another key follows stay alone': async (t, { register }) => {
    const fqry = passing([where('v', 'GT', 10)])
    const { send, rows } = await register(beats({ after: 60 }, { fqry, iatr: ['device', 'v'] }))
    await send([
      ['beat', 0, { device: 'a', v: 5 }],
      ['beat', 1, { device: 'a', v: 15 }],
      ['beat', 2, { device: 'b', v: 16 }],
      ['beat', 3, { v: 17 }],
      ['beat', 4, { device: 'b', v: 18 }],
      ['beat', 100, { device: 'z', v: 0 }],
    ])
    t.deepEqual(rowsOf(await settled(() => rows('silent'), 2), 'device', 'v'), ['61 a 15', '64 b 18'])
  },
}

export const cases: Readonly<Record<string, Case>> = {
  'by the clock alone an order that nobody pays is told, and a payment that comes late makes its row': async (
    t,
    { register },
  ) => {
    await Promise.all(
      pairsOfTypes.map(async (types) => {
        const { send, rows } = await register(shop(types, 3))
        await send([
          ['orders', 0, { order: 'o1', customer: 'ida' }],
          ['orders', 1, { order: 'o2', customer: 'bob' }],
          ['payments', 2, { order: 'o2', amount: 7 }],
          ['payments', 2, { order: 'o9', amount: 1 }],
        ])
        t.deepEqual(rowsOf(await settled(() => rows('unpaid'), 1), 'order', 'customer'), ['3 o1 ida'], types.join())
        t.deepEqual(rowsOf(await settled(() => rows('odd'), 1), 'amount'), ['5 1'], types.join())
        const late = types[0] === 2 ? 'o2' : 'o1'
        await send([['payments', 100, { order: late, amount: 9 }]])
        t.deepEqual(rowsOf(await rows('rows'), 'order', 'amount'), [`100 ${late} 9`, '2 o2 7'], types.join())
        t.is((await rows('unpaid')).length, 1)
      }),
    )
  },

  'an event at the very end of the time is in time, and one a little later is not': async (t, { register }) => {
    const { send, rows } = await register(beats({}, { iatr: ['device', 'v'] }))
    await send([
      ['beat', 0, { device: 'a', v: 1 }],
      ['beat', 60, { device: 'a', v: 2 }],
      ['beat', 120.000001, { device: 'a', v: 3 }],
    ])
    t.deepEqual(rowsOf(await settled(() => rows('silent'), 1), 'device', 'v'), ['120 a 2'])
  },

  'silence is told by the clock alone where nothing comes at all': async (t, { register }) => {
    const { post, rows } = await register(beats({ after: 1 }))
    const _pk = await post('beat', { device: 'a' })
    const sent_ms = performance.now()
    await until('the row', async () => (await rows('silent')).length > 0)
    // Two seconds behind the clock on a machine that has nothing else to do, and no bound on one that has.
    t.log(`told after ${Math.round(performance.now() - sent_ms)} ms`)
    t.is((await rows('silent'))[0]?._pk, Number(_pk) + 1_000_000)
  },

  'an event an hour ahead makes nobody absent': async (t, { register }) => {
    const { post, rows } = await register(beats({ after: 3 }))
    const now = Date.now() * 1000
    await post('beat', { device: 'a', _pk: now })
    await post('beat', { device: 'fast', _pk: now + 3_600_000_000 })
    await sleep(1_500)
    t.deepEqual(await rows('silent'), [])
    await post('beat', { device: 'a', _pk: now + 1_500_000 })
    const found = await settled(() => rows('silent'), 2)
    t.deepEqual(found.map(({ _pk, device }) => [device, Number(_pk) - now]).sort(), [
      ['a', 4_500_000],
      ['fast', 3_603_000_000],
    ])
  },

  'a row of silence goes on in its stream: it is counted, filtered, and continues patterns there': async (
    t,
    { client, register },
  ) => {
    const [beat] = beats({ after: 60 })
    const { schema, send, rows } = await register([
      beat ?? {},
      joined('silent', ['beat'], {
        attr: [attr('device', 5, { stat: 1, gran: 3_600 })],
        cepq: [
          {
            ...{ name: 'twice', type: 1, rstm: 'silent', jqry: same('device'), iatr: ['device'], ratr: [] },
            ...{ ostm: 'flapping', tloc: 3_600 },
          },
        ],
      }),
      joined('flapping', ['silent']),
    ])
    await send([
      ['beat', 0, { device: 'a' }],
      ['beat', 100, { device: 'a' }],
      ['beat', 200, { device: 'a' }],
    ])
    t.deepEqual(rowsOf(await settled(() => rows('flapping'), 1), 'device'), ['160 a'])
    t.is(await client.count(`select count(*) from ${schema}.silent`), 2)
  },

  'what an erased person has open is told to nobody': async (t, { client, register }) => {
    const { schema, send, rows } = await register(shop([1, 1], 600))
    await send([
      ['orders', 0, { order: 'o1', customer: 'ida' }],
      ['orders', 1, { order: 'o2', customer: 'bob' }],
    ])
    await client.ok(client.query(`delete from ${schema}.orders where customer = "ida"`))
    await send([['orders', 700, { order: 'o3', customer: 'ann' }]])
    t.deepEqual(rowsOf(await settled(() => rows('unpaid'), 1), 'order'), ['601 o2'])
  },

  'an edit that adds absence begins with the events after it, one that drops it ends it': async (t, { register }) => {
    const without = beats({}).map((each, index) =>
      index === 0 ? stream('beat', [device, attr('v', 11)], { cepq: [{ ...dead, ostm: 'silent' }] }) : each,
    )
    const { send, rows, edit } = await register(without)
    await send([['beat', 0, { device: 'a' }]])
    t.is((await edit([...beats({ after: 60 })])).body.errcode, 0)
    await send([
      ['beat', 10, { device: 'b' }],
      ['beat', 100, { device: 'c' }],
    ])
    t.deepEqual(rowsOf(await settled(() => rows('silent'), 1), 'device'), ['70 b'])
    t.is((await edit(without)).body.errcode, 0)
    await send([['beat', 300, { device: 'd' }]])
    t.is((await settled(() => rows('silent'), 1)).length, 1)
  },

  'while a stream is OFF nobody is missed in it': async (t, { client, register }) => {
    // Long enough that the stream is OFF before silence is told, however busy the machine is.
    const { schema, send, rows } = await register(beats({ after: 10 }))
    await send([['beat', 0, { device: 'a' }]])
    const put = (state: string) => client.ok(client.send('PUT', `/stream/${schema}/beat/state`, { state }))
    await put('OFF')
    await sleep(12_500)
    await put('ON')
    await send([
      ['beat', 100, { device: 'b' }],
      ['beat', 120, { device: 'c' }],
    ])
    t.deepEqual(rowsOf(await settled(() => rows('silent'), 2), 'device'), ['110 b', '130 c'])
  },
}

const dead = { name: 'dead', type: 1, rstm: 'beat', jqry: same('device'), iatr: ['device'], tloc: 60 }
