import test from 'ava'
import {
  compileOwnKeys,
  compilePartitionKeys,
  movedBetween,
  partitionAttributes,
  routingsOf,
} from '../../../activities/rules/tasks/partition-keys.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'

const attrs = [
  { name: 'car', type: 11 },
  { name: 'v', type: 11, stat: 3 },
]
const stream = (name: string, more: object = {}) => ({ name, type: 1, swsz: 0, attr: attrs, ...more })
const same = (...names: string[]) => ({ cond: names, args: names })
const side = (rstm: string, more: object = {}) => ({
  ...{ name: 'j', type: 1, iatr: ['car', 'v'], rstm, ratr: ['car', 'v'], jqry: same('car'), ostm: 'rows' },
  ...more,
})
const run = (more: object = {}) => ({
  cepq: [{ name: 'r', type: 1, iatr: ['car'], rstm: 'a', ratr: ['v'], jqry: same('car'), ostm: 'rows', ...more }],
})
const rows = (more: object = {}) => ({ name: 'rows', type: 3, swsz: 0, inpt: ['a'], attr: [], ...more })
const sides = (more: object = {}) => [
  stream('a', { join: [side('b', more)] }),
  stream('b', { join: [side('a', more)] }),
  { ...rows(), inpt: ['a', 'b'] },
]
const last = (rstm: string, name: string) => ({
  refr: [{ name: 'last', iatr: ['last'], rstm, ratr: ['v'], jqry: same(name) }],
})
const moving = {
  name: 'f',
  fqry: { name: { query: [{ key: 'v', cmp_op: 'GT', val: 'avg(a.v, m_5)' }], qtype: 3 }, type: 1 },
  fatr: ['car'],
  ostm: 'fast',
}

const movingByKey = {
  ...moving,
  fqry: { name: { query: [{ key: 'v', cmp_op: 'GT', val: 'avg(a.v by car, m_5)' }], qtype: 3 }, type: 1 },
}

for (const [what, streams, expected] of [
  ['a join by one attribute', sides(), 'car'],
  ['a run by key', [stream('a', run()), rows()], 'car'],
  ['a run that nothing may come between', [stream('a', run({ jqry: { ...same('car'), seq: 1 } })), rows()], undefined],
  ['a run without an equality', [stream('a', run({ jqry: { ...same('v'), cmp: ['LT'] } })), rows()], undefined],
  [
    'the very latest of whatever key',
    [
      stream('a', { join: [side('b', { type: 2 })] }),
      stream('b', { join: [side('a', { type: 4 })] }),
      { ...rows(), inpt: ['a', 'b'] },
    ],
    undefined,
  ],
  ['two rules that share no attribute', [stream('a', { ...run(), ...last('a', 'v') }), rows()], undefined],
  ['two rules that share one', [stream('a', { ...run(), ...last('a', 'car') }), rows()], 'car'],
  [
    'a reference to rows that keep the attribute',
    [stream('a', { ...run(), ...last('b', 'car') }), stream('b'), rows()],
    'car',
  ],
  [
    'a condition over a moving time',
    [stream('a', { fltr: [moving] }), { name: 'fast', type: 2, swsz: 0, inpt: ['a'], attr: [] }],
    undefined,
  ],
  [
    'a condition over a moving time by key',
    [stream('a', { fltr: [movingByKey] }), { name: 'fast', type: 2, swsz: 0, inpt: ['a'], attr: [] }],
    'car',
  ],
] as const) {
  test(`events are spread over partitions: ${what}`, (t) => {
    const schema = decodeSchema({ schema: 's', streams: streams as never })
    t.is(partitionAttributes(schema).get('a')?.attribute, expected)
  })
}

test('numbers that are equal go to one partition, and connected streams agree', (t) => {
  const keyOf = compilePartitionKeys(decodeSchema({ schema: 's', streams: sides() as never }))
  t.is(keyOf('a', { car: 1 }, 7), keyOf('b', { car: 1n as never }, 8))
  t.is(keyOf('a', { car: 1 }, 7), keyOf('a', JSON.parse('{"car": 1.0}'), 8))
  t.not(keyOf('a', { car: 1 }, 7), keyOf('a', { car: 2 }, 7))
  t.is(keyOf('a', {}, 7), keyOf('b', {}, 9), 'events without the value meet none')
})

const apart = (name: string, by: string) => [
  { ...stream(name), cepq: [{ ...run({ jqry: same(by) }).cepq[0], rstm: name, ostm: `${name}_rows` }] },
  { ...rows(), name: `${name}_rows`, inpt: [name] },
]
const routed = (...streams: object[]) => decodeSchema({ schema: 's', streams: streams as never })

test('an edit of another stream, or of the order of streams, moves no event to another partition', (t) => {
  const keyless = [
    stream('k', { ...run({ rstm: 'k', jqry: { ...same('v'), cmp: ['LT'] } }) }),
    { ...rows(), inpt: ['k'] },
  ]
  const before = routed(...apart('b', 'car'), ...keyless)
  for (const after of [
    routed(...keyless, ...apart('b', 'car')),
    routed(...apart('a', 'v'), ...apart('b', 'car'), ...keyless),
    routed(...apart('b', 'car'), ...keyless.toReversed(), ...apart('z', 'v')),
  ]) {
    t.deepEqual(movedBetween(routingsOf(before), routingsOf(after)), [])
    const [old, now] = [before, after].map((each) => compilePartitionKeys(each))
    t.is(now?.('b', { car: 7 }, 1), old?.('b', { car: 7 }, 2))
    t.is(now?.('k', { car: 7, v: 1 }, 1), old?.('k', { car: 8, v: 2 }, 2))
  }
  const elsewhere = routed(...apart('b', 'v'), ...keyless)
  t.deepEqual(movedBetween(routingsOf(before), routingsOf(elsewhere)).sort(), ['b'])
})

test('keys have their turns in the partition to which the events go that have them, and those of no partition in all', (t) => {
  const partitionOf = (key: string): number => [...Buffer.from(key)].reduce((sum, byte) => sum + byte, 0) % 3
  const ownOf = (streams: readonly object[], space: { stream: string; keys: readonly string[] }) =>
    [0, 1, 2].map((partition) =>
      compileOwnKeys(decodeSchema({ schema: 's', streams }), (key) => partitionOf(key) === partition)(space),
    )
  const keyed = [stream('a', { ...run(), ...last('b', 'car') }), stream('b'), rows()]
  const keyOf = compilePartitionKeys(decodeSchema({ schema: 's', streams: keyed }))
  const own = ownOf(keyed, { stream: 'b', keys: ['v', 'car'] })
  for (let car = 0; car < 30; car++) {
    t.deepEqual(
      own.map((isOwn) => isOwn?.([7, car])),
      [0, 1, 2].map((partition) => partitionOf(keyOf('a', { car }, 1)) === partition),
    )
  }
  const together = ownOf([stream('a', { ...run(), ...last('a', 'v') }), rows()], { stream: 'a', keys: ['v'] })
  t.is(together.filter((isOwn) => isOwn?.([1])).length, 1)
  t.deepEqual(ownOf(keyed, { stream: 'b', keys: ['v'] }), [undefined, undefined, undefined])
})
