import test from 'ava'
import { type Event, type Place, randomCondition, type Value } from '../../../support/conditions.ts'
import { at, era_us } from '../../../support/era.ts'
import type { Random } from '../../../support/random/random.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { startService } from '../../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const places: readonly Place[] = [
  { path: '_pk', type: 'number' },
  { path: 'name', type: 'string' },
  { path: 'n', type: 'number' },
  { path: 'x', type: 'number', isDouble: true },
  { path: 'yes', type: 'boolean' },
  { path: 'prod.price', type: 'number', isDouble: true },
  { path: 'prod.name', type: 'string' },
  { path: 'prod' },
  { path: 'prod.other' },
  { path: 'u' },
  { path: 'deep.er.est' },
  { path: 'deep.er' },
  { path: 'list.0' },
  { path: 'list.1' },
  { path: 'list.1.a' },
  { path: 'byNumber.0' },
  { path: 'byNumber.7' },
  { path: 'nowhere' },
  { path: 'nowhere.at.all' },
]

const strings = [
  '',
  'a',
  'ab',
  'B',
  'ü',
  '日本',
  '🎈',
  '\uffff',
  "it's",
  'say "so"',
  'back\\slash',
  '5',
  'true',
  'null',
  '\n',
]
const numbers: readonly Value[] = [
  0,
  1,
  -1,
  5,
  2.5,
  -2.5,
  0.1,
  1e9,
  1e300,
  -1e-300,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 63n),
  2n ** 63n - 1n,
]
const literals: readonly Value[] = [...strings, ...numbers, true, false, 3, 100, 499, at(3), at(100), at(499)]

const whole = (random: Random) =>
  random.pick(numbers.filter((n) => typeof n === 'bigint' || Number.isInteger(n)).filter((n) => Number(n) < 1e20))
const double = (random: Random) => Number(random.pick(numbers))
const anything = (random: Random): Value =>
  random.pick<() => Value>([
    () => random.pick(strings),
    () => random.pick(numbers),
    () => random.chance(0.5),
    () => null,
    () => [random.pick(strings), { a: random.pick(numbers) }],
    () => ({ est: random.pick(literals), er: random.pick(literals) }),
  ])()

function randomEvent(random: Random, _pk: number): Event {
  const members: readonly (readonly [string, () => Value])[] = [
    ['name', () => random.pick(strings)],
    ['n', () => whole(random)],
    ['x', () => double(random)],
    ['yes', () => random.chance(0.5)],
    ['u', () => anything(random)],
    ['deep', () => random.pick<Value>([{ er: { est: anything(random) } }, { er: anything(random) }, anything(random)])],
    ['list', () => random.pick<Value>([[anything(random), anything(random)], [], anything(random)])],
    [
      'byNumber',
      () => random.pick<Value>([{ '7': anything(random), '0': anything(random) }, { a: 1, b: 2 }, [1, 'a', 3]]),
    ],
  ]
  const event: Event = { _pk }
  for (const [name, value] of members) {
    if (random.chance(0.7)) event[name] = random.chance(0.1) ? null : value()
  }
  if (random.chance(0.7)) {
    event.prod = {
      ...(random.chance(0.7) && { price: double(random) }),
      ...(random.chance(0.7) && { name: random.pick([...strings, null]) }),
      ...(random.chance(0.7) && { other: anything(random) }),
    }
  }
  return event
}

test('a condition finds exactly the events for which it holds, whatever it is made of', async (t) => {
  const random = randomFor(t)
  await client.register({
    schema: 'c',
    streams: [
      {
        name: 'st',
        type: 1,
        swsz: 0,
        attr: [
          { name: 'name', type: 'STRING' },
          { name: 'n', type: 'LONG' },
          { name: 'x', type: 'DOUBLE' },
          { name: 'yes', type: 'BOOL' },
          {
            name: 'prod',
            type: 'OBJECT',
            fields: [
              { name: 'price', type: 'DOUBLE' },
              { name: 'name', type: 'STRING' },
            ],
          },
        ],
      },
    ],
  })
  const events = Array.from({ length: 500 }, (_, index) => randomEvent(random, at(index)))
  const answer = await client.lines('c.st', events)
  t.deepEqual([answer.accepted, answer.errors], [500, []])

  let found = 0
  for (let round = 0; round < 300; round++) {
    const condition = randomCondition(random, places, literals)
    const expected = events.filter((event) => condition.matches(event)).map(({ _pk }) => _pk)
    const sql = `select * from c.st where ${condition.text}`
    const rows = await client.rows(sql)
    t.deepEqual(rows.map(({ k }) => k).toReversed(), expected, sql)
    if (round % 10 === 0) t.is(await client.count(`select count(*) from c.st where ${condition.text}`), expected.length)
    found += expected.length
  }
  t.true(found > 5_000, `the conditions found ${found} events`)
})

test('st and et bound the time of events, both ends included unless it says otherwise', async (t) => {
  await client.register({ schema: 'span', streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 9 }] }] })
  await client.lines(
    'span.st',
    Array.from({ length: 10 }, (_, n) => ({ _pk: at(n * 10), n })),
  )
  const keysOf = async (where: string) =>
    (
      await client.rows(
        `select * from span.st where ${where.replace(/(?<=[se]t [<>]=? )\d+/g, (us) => `${at(Number(us))}`)}`,
      )
    )
      .map(({ k }) => Number(k) - era_us)
      .toReversed()
  t.deepEqual(await keysOf('st >= 20 and et <= 40'), [20, 30, 40])
  t.deepEqual(await keysOf('st > 20 and et < 40'), [30])
  t.deepEqual(await keysOf('st >= 21 and et <= 39'), [30])
  t.deepEqual(await keysOf('st >= 20 and st >= 30 and et <= 40'), [30, 40])
  t.deepEqual(await keysOf('st >= 50 and et <= 40'), [])
  t.deepEqual(await keysOf('(st >= 10 and et <= 20) or (st >= 70 and et <= 80)'), [10, 20, 70, 80])
  t.deepEqual(await keysOf('st >= 20 and n >= 5 and et <= 60'), [50, 60])
  t.is(await client.count(`select count(*) from span.st where st >= ${at(20)} and et <= ${at(40)}`), 3)
})

test('keywords go in any case, strings in either quotes, and a semicolon may close', async (t) => {
  await client.register({ schema: 'text', streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'a', type: 5 }] }] })
  await client.event('text.st', { _pk: at(1), a: 'it\'s "so"' })
  for (const sql of [
    `SELECT * FROM text.st WHERE a = 'it''s "so"' LIMIT 5;`,
    'Select * From text.st Where a = "it\'s ""so"""  ;',
    `select  *\n\tfrom text.st\r\nwhere a='it\\'s \\"so\\"'`,
    'select * from text.st where a = "it\\u0027s \\"so\\""',
  ]) {
    t.is((await client.rows(sql)).length, 1, sql)
  }
})

test('names are told apart by case', async (t) => {
  await client.register({ schema: 'case', streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'a', type: 5 }] }] })
  await client.event('case.st', { a: 'x' })
  t.is((await client.query('select * from Case.st')).status, 404)
  t.is((await client.query('select * from case.St')).status, 404)
  t.is((await client.rows('select * from case.st where A = "x"')).length, 0)
  t.is((await client.rows('select * from case.st where a = "x"')).length, 1)
})
