/** Folds, through the API. */
import test from 'ava'
import { at, attr, joined, type Row, type Sent, same, shown, startSchemas, stream } from './acceptance.ts'

const { client, register, nextName } = await startSchemas('folds')

const account = attr('account', 5)
const fold = (more: object = {}) => ({
  ...{ name: 'balance', type: 11, opnm: 'FOLD', iatr: ['$balance + $amount'], key: ['account'], start: 100, stat: 3 },
  ...more,
})
const moves = (more: object = {}, folds: readonly object[] = [fold()]) =>
  stream('moves', [account, attr('amount', 11), attr('city', 5)], { catr: folds, ...more })
const M = (at_s: number, of: string | undefined, amount?: number, more: Row = {}): Sent => [
  'moves',
  at_s,
  { account: of, amount, ...more },
]

test('a balance goes from event to event of an account; one without an amount keeps it', async (t) => {
  const { schema, send, rows } = await register([moves()])
  await send([M(0, 'a', 10), M(1, 'b', 5), M(2, 'a'), M(3, 'a', -30), M(4, undefined, 7), M(5, 'b', 1)])
  t.deepEqual(shown(await rows('moves'), 'account', 'amount', 'balance'), [
    'a 10 110',
    'b 5 105',
    'a - 110',
    'a -30 80',
    '- 7 -',
    'b 1 106',
  ])
  const [found] = await client.rows(`select aggr(balance) from ${schema}.moves rollup 1`)
  t.is(JSON.parse(String(found?.v)).aggr_val.cnt, 5)
  t.is((await rows('moves', ' where balance > 105')).length, 3)
})

test('lines of one body carry it on, and what they bring under its name does not count', async (t) => {
  const { lines, rows } = await register([moves()])
  await lines('moves', [1, 2, 3].map((n) => ({ _pk: at(n), account: 'a', amount: n, balance: 9_000 }))) // biome-ignore format: one line
  t.deepEqual(shown(await rows('moves'), 'balance'), ['101', '103', '106'])
})

test('computed attributes, filters and patterns read it, and a fold reads computed attributes and other folds', async (t) => {
  const pattern = {
    ...{ name: 'low', type: 6, iatr: ['account', 'balance'], ostm: 'lows' },
    fqry: { name: { query: [{ key: 'balance', cmp_op: 'LT', val: 0 }], qtype: 1 }, type: 1 },
  }
  const cents = { name: 'cents', type: 9, opnm: 'MATH_EXP', iatr: ['ROUND($amount * 100)'] }
  const after = { name: 'twice', type: 11, opnm: 'MATH_EXP', iatr: ['$balance * 2'] }
  const folds = [
    fold({ iatr: ['$balance + $cents'], start: 0 }),
    { name: 'worst', type: 11, opnm: 'FOLD', iatr: ['MIN($worst, $balance)'], key: ['account'], start: 0 },
    ...[cents, after],
  ]
  const { send, rows } = await register([moves({ cepq: [pattern] }, folds), joined('lows', ['moves'])])
  await send([M(0, 'a', 1), M(1, 'a', -3.5), M(2, 'a', 4)])
  t.deepEqual(shown(await rows('moves'), 'balance', 'worst', 'twice'), ['100 0 200', '-250 -250 -500', '150 -250 300'])
  t.deepEqual(shown(await rows('lows'), 'balance'), ['-250'])
})

test('rows of a join are folded in their stream', async (t) => {
  const side = (rstm: string) => ({
    join: [{ name: 'j', type: 6, iatr: ['account', 'amount'], rstm, ratr: ['account', 'amount'], jqry: same('account'), ostm: 'both' }],
  }) // biome-ignore format: one line
  const known = [account, attr('amount', 11)]
  const { send, rows } = await register([
    stream('x', known, side('y')),
    stream('y', known, side('x')),
    joined('both', ['x', 'y'], { catr: [{ name: 'n', type: 9, opnm: 'FOLD', iatr: ['$n + 1'], key: ['account'], start: 0 }] }), // biome-ignore format: one line
  ])
  await send([['x', 0, { account: 'a' }], ['y', 1, { account: 'a' }], ['y', 2, { account: 'a' }], ['x', 3, { account: 'a' }]]) // biome-ignore format: one line
  t.deepEqual(shown(await rows('both'), 'n'), ['1', '2', '3', '4'])
})

test('an erasure takes an event out: the fold goes on with the latest one that is left, or begins anew', async (t) => {
  const { schema, send, rows } = await register([moves()])
  await send([M(0, 'a', 10), M(1, 'b', 1), M(2, 'a', 20), M(3, 'b', 2)])
  const answer = await client.ok(client.query(`delete from ${schema}.moves where amount = 20`))
  t.is(answer.retval, 1)
  t.regex(String(answer.error), /moves/, 'the events that it was folded into are told')
  await client.ok(client.query(`delete from ${schema}.moves where account = "b"`))
  await send([M(4, 'a', 5), M(5, 'b', 3)])
  t.deepEqual(shown(await rows('moves'), 'account', 'balance'), ['a 110', 'a 115', 'b 103'])
})

test('an edit that adds a fold begins with its start; one that changes the expression goes on; one of the key begins with what there is', async (t) => {
  const plain = moves({}, [])
  const { schema, send, rows, edit } = await register([plain])
  await send([M(0, 'a', 10)])
  await client.ok(edit([moves()]))
  await send([M(1, 'a', 5), M(2, 'a', 5, { city: 'x' })])
  await client.ok(edit([moves({}, [fold({ iatr: ['$balance - $amount'] })])]))
  await send([M(3, 'a', 1, { city: 'x' })])
  await client.ok(edit([moves({}, [fold({ key: ['city'] })])]))
  await send([M(4, 'b', 1, { city: 'x' }), M(5, 'b', 1, { city: 'y' })])
  t.deepEqual(shown(await rows('moves'), 'balance'), ['-', '105', '110', '109', '110', '101'])
  await client.ok(edit([plain], '?force=1'))
  await send([M(6, 'a', 1)])
  t.is((await client.count(`select count(*) from ${schema}.moves`)), 7) // biome-ignore format: one line
})

for (const [what, folds, reason] of [
  ['without a start', [fold({ start: undefined })], /catr\[0\]: FOLD needs "start"/],
  ['a start of another type', [fold({ start: 'much' })], /catr\[0\]: FOLD starts with 'much', which is no DOUBLE/],
  ['a key that is not there', [fold({ key: ['acount'] })], /catr\[0\]\.key: 'acount' is no attribute of moves; did you mean account\?/],
  ['a key that is the fold', [fold({ key: ['balance'] })], /catr\[0\]\.key: 'balance' is the fold itself/],
  ['a key that is computed later', [fold({ key: ['up'] }), { name: 'up', type: 5, opnm: 'UPPER', iatr: ['account'] }], /catr\[0\]\.key: 'up' is computed after the key is needed; give it seq 1/],
  ['a key twice', [fold({ key: ['account', 'account'] })], /catr\[0\]: FOLD names an attribute twice/],
  ['seq 1', [fold({ seq: 1 })], /catr\[0\]\.seq: a fold is computed after the references/],
  ['a name that events bring', [fold({ name: 'amount', iatr: ['$amount + 1'] })], /catr\[0\]\.name: 'amount' comes with events or references/],
  ['a circle', [fold({ iatr: ['$balance + $up'] }), { name: 'up', type: 11, opnm: 'MATH_EXP', iatr: ['$balance'] }], /cycle balance > up > balance/],
  ['an expression that is none', [fold({ iatr: ['$balance +'] })], /catr\[0\]: FOLD: line 1/],
] as const) // biome-ignore format: a table
  test(`refused: ${what}`, async (t) => {
    const { status, body } = await client.post('/stream', { schema: nextName(), streams: [moves({}, folds)] })
    t.is(status, 400)
    t.regex(String(JSON.parse(JSON.stringify(body)).error), reason)
  })

test('refused: a fold of the copies of a filter, which have none before them', async (t) => {
  const filter = { name: 'f', fqry: { name: { query: [{ key: 'amount', cmp_op: 'GT', val: 1 }], qtype: 1 }, type: 1 }, fatr: ['account', 'amount'], catr: [fold()], ostm: 'big' } // biome-ignore format: one line
  const streams = [moves({ fltr: [filter] }, []), { name: 'big', type: 2, swsz: 0, inpt: ['moves'], attr: [] }]
  const { body } = await client.post('/stream', { schema: nextName(), streams })
  t.regex(String(JSON.parse(JSON.stringify(body)).error), /FOLD carries a value from event to event of a stream/)
})
