import { join } from 'node:path'
import test from 'ava'
import { compileEncoder } from '../../../../activities/events/encode-event.ts'
import { createPivots } from '../../../../activities/events/pivots.ts'
import { compileCondition } from '../../../../activities/rules/step/condition.ts'
import { currentEvent } from '../../../../activities/rules/step/current-event.ts'
import type { Event, Json } from '../../../../base/json.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import type { Condition, Literal } from '../../../../sql/query/ast.ts'
import { matches } from '../../../../sql/schema/ddl/filters.ts'
import type { Random } from '../../../support/random/random.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { createMemoryState } from './memory-state.ts'
import { attribute, inputStream, schemaOf } from './schemas.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.after.always(() => clickhouse.close())

const stream = inputStream('st', [
  attribute('name', 'STRING'),
  attribute('n', 'LONG'),
  attribute('m', 'LONG'),
  attribute('x', 'DOUBLE'),
  attribute('yes', 'BOOL'),
  attribute('prod', 'OBJECT'),
  attribute('prod.price', 'DOUBLE'),
  attribute('prod.name', 'STRING'),
])
const schema = schemaOf('s', [stream])

const structure =
  '_pk Int64, _seq Int64, name Nullable(String), n Nullable(Int64), m Nullable(Int64), x Nullable(Float64), yes Nullable(Bool), `prod.price` Nullable(Float64), `prod.name` Nullable(String), _rest String'

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
  '\n',
  '\0',
]
const longs: readonly (number | bigint)[] = [
  0,
  1,
  -1,
  5,
  1e9,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 63n),
  2n ** 63n - 1n,
  1e18,
]
const doubles = [0.1, 2.5, -2.5, 1e300, -1e-300, 2 ** 53, 9_007_199_254_740_994, 4.999999999999999]
const numbers = [...longs, ...doubles]
const wide = [1.5e19, 1e20, -9.5e18, -1e20, 1e21, 1e22, 2n ** 63n, 2n ** 64n - 1n, 10n ** 25n, -(10n ** 25n)]
const texts = [
  '1e20',
  '100000000000000000000',
  '1.0',
  '+5',
  '-0',
  '007',
  '1e5',
  '2.50',
  '9007199254740993',
  '18446744073709551615',
  '9223372036854775808',
]

const anything = (random: Random): Json =>
  random.pick<() => Json>([
    () => random.pick(strings),
    () => random.pick([...numbers, ...wide]),
    () => random.chance(0.5),
    () => null,
    () => [random.pick(strings), { a: random.pick(numbers) }],
    () => ({ a: random.pick(strings), '0': random.pick(numbers) }),
  ])()

function randomEvent(random: Random): Event {
  const members: readonly (readonly [string, () => Json])[] = [
    ['name', () => random.pick(strings)],
    ['n', () => random.pick(longs)],
    ['m', () => random.pick(longs)],
    ['x', () => random.pick([...numbers, ...wide])],
    ['yes', () => random.chance(0.5)],
    ['u', () => anything(random)],
    ['list', () => random.pick<Json>([[anything(random), anything(random)], [], anything(random)])],
    ['prod', () => ({ price: random.pick(doubles), name: random.pick([...strings, null]), other: anything(random) })],
  ]
  const event: Event = {}
  for (const [name, value] of members) {
    if (random.chance(0.7)) event[name] = random.chance(0.1) ? null : value()
  }
  return event
}

const operators = ['=', '!=', '>', '>=', '<', '<='] as const
const at = { offset: 0, line: 1, column: 1 }

const typed = [
  ['name', 'string'],
  ['n', 'number'],
  ['m', 'number'],
  ['x', 'number'],
  ['yes', 'boolean'],
  ['_pk', 'number'],
  ['_v', 'number'],
  ['prod.price', 'number'],
  ['prod.name', 'string'],
] as const
const open = [
  'u',
  'u.a',
  'u.0',
  'u.1.a',
  'list.0',
  'list.1',
  'list.1.a',
  'list.1.0',
  'prod',
  'prod.other',
  'prod.other.a',
  'nowhere.at',
]

function randomLiteral(random: Random, kind: Literal['kind']): Literal {
  if (kind === 'string') return { kind, value: random.pick(strings) }
  if (kind === 'boolean') return { kind, value: random.chance(0.5) }
  return { kind, text: random.chance(0.3) ? random.pick(texts) : String(random.pick([...numbers, ...wide])) }
}

function randomCondition(random: Random, depth: number): Condition {
  if (depth > 0 && random.chance(0.6)) {
    const terms = Array.from({ length: random.whole(2, 3) }, () => randomCondition(random, depth - 1))
    return { kind: random.pick(['and', 'or'] as const), terms }
  }
  const operator = random.pick(operators)
  if (random.chance(0.5)) {
    const path = random.pick(open)
    if (random.chance(0.1)) return { kind: 'like', path, prefix: random.pick(strings), at }
    const kind = random.pick(['string', 'number', 'boolean'] as const)
    return { kind: 'compare', path, operator, value: randomLiteral(random, kind), at }
  }
  const [path, kind] = random.pick(typed)
  if (random.chance(0.3)) {
    const [other] = random.pick(typed.filter(([, each]) => each === kind))
    return { kind: 'compare', path, operator, value: { kind: 'attribute', path: other }, at }
  }
  return { kind: 'compare', path, operator, value: randomLiteral(random, kind), at }
}

test('a condition holds for the events for which ClickHouse says so', async (t) => {
  const random = randomFor(t)
  const encode = compileEncoder(
    schema,
    stream,
    createPivots(schema, stream, new Map(), () => {}),
  )
  const events = Array.from({ length: 400 }, (_, seq) =>
    currentEvent({ event: randomEvent(random), pk: String(random.pick(longs.filter((n) => n >= 0))), seq }),
  )
  const lines = events.map(({ event, pk, seq }) => encode(event, pk, seq)).join('')
  await clickhouse.run(`CREATE TABLE _row (${structure}) ENGINE = Memory`)
  await clickhouse.insert({ table: '_row', rows: Buffer.from(lines) })
  const conditions = Array.from({ length: 300 }, () => randomCondition(random, 2))
  let held = 0
  for (const condition of conditions) {
    const where = matches(stream, { name: 'f', condition, attributes: [], target: 'to' })
    const rows = await clickhouse.rows<{ seq: number }>({
      text: `SELECT toInt32(_seq) AS seq FROM _row WHERE ${where} ORDER BY seq`,
      params: {},
    })
    const holds = compileCondition(condition, stream, () => () => undefined)
    const state = createMemoryState()
    const found = events.filter((each) => holds(each, state)).map(({ seq }) => seq)
    t.deepEqual(
      found,
      rows.map(({ seq }) => seq),
      where,
    )
    held += found.length
  }
  t.true(held > 1000, `${held} events in all`)
})
