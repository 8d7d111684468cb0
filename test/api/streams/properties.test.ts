import { inspect } from 'node:util'
import test from 'ava'
import fc from 'fast-check'
import { runs } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { differences } from './compare.ts'
import type { Event, WireSchema } from './oracle.ts'

const { client, close } = await startService()
test.after.always(close)

const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('a', 'b', 'a:b', ':', '\\', '\\:', "'", '"', '', ' ', '*', '1', '1.0', 'ü山', 'null'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }).filter((each) => each.isWellFormed()) },
)
const long = fc.integer({ min: -50, max: 50 })
const large = fc.oneof(fc.constantFrom(0, 2 ** 53 - 1, 1 - 2 ** 53, 1e15), fc.integer())
const double = fc.oneof(
  fc.constantFrom(0, 1, 0.1, -0.5),
  fc.integer({ min: -1000, max: 1000 }).map((n) => n / 8),
)
/** Of every size and sign that a double has with all its digits. */
const far = fc.oneof(
  fc.constantFrom(0, 1e308, -1e308, 1.7976931348623157e308, 2.2250738585072014e-308, -1e-300),
  fc
    .tuple(fc.double({ min: -9, max: 9, noNaN: true }), fc.integer({ min: -300, max: 300 }))
    .map(([x, e]) => x * 10 ** e),
  fc.constant(42.5),
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: fc.constant(undefined) })

const start_us = 1_700_000_000_000_000
const event: fc.Arbitrary<Event> = fc
  .record({
    _pk: fc.integer({ min: 0, max: 900_000_000 }).map((n) => start_us + n),
    who: maybe(text),
    what: maybe(text),
    n: maybe(long),
    x: maybe(double),
    yes: maybe(fc.boolean()),
    big: maybe(large),
    far: maybe(far),
  })
  .map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined)) as Event)

const attr = [
  { name: 'who', type: 5, stat: ['UCOUNT', 'LAST', 'FIRST', 'TOPK'], k: 3 },
  { name: 'what', type: 5, stat: 'COUNT', gran: 300 },
  { name: 'n', type: 9, stat: 'RSTAT' },
  { name: 'x', type: 11, stat: [4, 3, '6'], gran: 300 },
  { name: 'yes', type: 12, stat: [5, 7] },
  { name: 'big', type: 9, stat: 7 },
  { name: 'far', type: 11, stat: ['QUANTILES', 'TOPK'], q: [0.999, 0.5, 0.000001], k: 1 },
]
const names = attr.map(({ name }) => name)

const comparison = fc.oneof(
  fc.record({ key: fc.constantFrom('who', 'what'), cmp_op: fc.integer({ min: 0, max: 5 }), val: text }),
  fc.record({ key: fc.constant('n'), cmp_op: fc.integer({ min: 0, max: 5 }), val: long }),
  fc.record({ key: fc.constant('big'), cmp_op: fc.integer({ min: 0, max: 5 }), val: large }),
  fc.record({ key: fc.constant('x'), cmp_op: fc.integer({ min: 0, max: 5 }), val: double }),
  fc.record({ key: fc.constant('yes'), cmp_op: fc.constantFrom(4, 5), val: fc.boolean() }),
)
const other = fc.constantFrom(
  ...[0, 1, 2, 3, 4, 5].flatMap((cmp_op) => [
    { key: 'who', cmp_op, val: '$what' },
    { key: 'n', cmp_op, val: '$x' },
    { key: 'x', cmp_op, val: '$n' },
  ]),
)
const filterQuery = fc
  .tuple(
    fc.constantFrom(1, 2),
    fc.array(fc.tuple(comparison, other, fc.integer({ min: 0, max: 1 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([qtype, parts]) => ({
    qtype,
    query: parts.flatMap(([plain, attribute, joinop], index) => {
      const part = qtype === 2 && index % 2 === 0 ? attribute : plain
      return index === 0 ? [part] : [{ joinop }, part]
    }),
  }))
const filter = (name: string, query: unknown, ostm: string, fatr: readonly string[] = names) => ({
  name,
  fqry: { name: JSON.stringify(query), type: 1 },
  fatr,
  ostm,
})
const rels = [{ sub: 'who', obj: 'what', rel: 'LIKES', rel_props: ['n'] }]

let number = 0
const schemaOf = (queries: readonly unknown[]): WireSchema => ({
  schema: `p${number++}`,
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr,
      gpby: [
        { gpat: ['who'], iatr: 'x', stat: ['RSTAT', 'QUANTILES', 'LAST'] },
        { gpat: ['who', 'what'], iatr: 'n', stat: 'RSTAT', gran: 300 },
        { gpat: ['who', 'what'], iatr: 'yes', stat: ['COUNT', 'FIRST'], gran: 300 },
        { gpat: ['yes'], iatr: 'far', stat: 'QUANTILES', q: [0.25], gran: 120 },
        { gpat: ['big', 'who'], iatr: 'what', stat: ['UCOUNT', 'TOPK'] },
        { gpat: ['x'], iatr: 'n', stat: 'TOPK', k: 2, gran: 120 },
        { gpat: ['yes', 'n'], iatr: 'n', stat: 'COUNT', gran: 60 },
      ],
      enty: [
        {
          name: 'a',
          opid: [3, 4, 'LAST', 'FIRST', 'TOPK'],
          q: [0.1, 0.9],
          ratr: ['rn', 'rx'],
          iatr: ['n', 'x'],
          pkatr: [{ name: 'id', type: 5, iatr: ['who', 'what'] }],
          rstm: 'pairs',
        },
        {
          name: 'b',
          opid: 2,
          ratr: ['rw'],
          iatr: ['what'],
          pkatr: [{ name: 'id', type: 5, iatr: ['who', 'what'] }],
          rstm: 'pairs',
        },
        {
          name: 'c',
          opid: 1,
          ratr: ['m'],
          iatr: ['who'],
          pkatr: [{ name: 'n', type: 9, iatr: ['big'] }],
          rstm: 'numbers',
        },
        {
          name: 'd',
          opid: 1,
          ratr: ['m'],
          iatr: ['x'],
          pkatr: [
            { name: 'w', type: 5, iatr: ['who'] },
            { name: 'n', type: 9, iatr: ['n'] },
          ],
          rstm: 'double_key',
        },
      ],
      rels,
      fltr: [filter('f', queries[0], 'f1'), filter('g', queries[1], 'both', ['who', 'n', 'x'])],
    },
    {
      name: 'other',
      type: 1,
      swsz: 0,
      attr,
      enty: [
        {
          name: 'e',
          opid: ['TOPK', 'UCOUNT'],
          ratr: ['ow'],
          iatr: ['yes'],
          pkatr: [{ name: 'id', type: 5, iatr: ['who'] }],
          rstm: 'pairs',
        },
        {
          name: 'f',
          opid: 3,
          ratr: ['on'],
          iatr: ['n'],
          pkatr: [{ name: 'n', type: 9, iatr: ['big'] }],
          rstm: 'numbers',
        },
      ],
      fltr: [filter('h', queries[2], 'both', ['who', 'n'])],
    },
    {
      name: 'f1',
      type: 2,
      inpt: ['s'],
      swsz: 0,
      attr: attr.slice(0, 3),
      gpby: [{ gpat: ['yes'], iatr: 'n', stat: 'RSTAT' }],
      fltr: [filter('f', queries[3], 'f2')],
    },
    { name: 'f2', type: 2, inpt: ['f1'], swsz: 0, attr, fltr: [filter('f', queries[4], 'f3')] },
    {
      name: 'f3',
      type: 2,
      inpt: ['f2'],
      swsz: 0,
      attr,
      rels: [{ sub: 'who', obj: 'n', rel: 'HAS' }],
      gpby: [{ gpat: ['what'], iatr: 'x', stat: 'RSTAT' }],
    },
    {
      name: 'both',
      type: 2,
      inpt: ['s', 'other'],
      swsz: 0,
      attr: [
        { name: 'who', type: 5 },
        { name: 'n', type: 9, stat: 'RSTAT' },
        { name: 'x', type: 11, stat: 'COUNT' },
      ],
      gpby: [{ gpat: ['who'], iatr: 'n', stat: 'RSTAT' }],
    },
    { name: 'pairs', type: 4, inpt: ['s', 'other'], attr: [] },
    { name: 'numbers', type: 4, inpt: ['s', 'other'], attr: [] },
    { name: 'double_key', type: 4, inpt: ['s'], attr: [] },
  ],
})

test('random events give what the oracle says, in every statistic, group, entity, filter and triple', async (t) => {
  const { failed, errorInstance, counterexample } = await fc.check(
    fc.asyncProperty(
      fc.array(filterQuery, { minLength: 5, maxLength: 5 }),
      fc.array(event, { minLength: 0, maxLength: 60 }),
      fc.array(event, { minLength: 0, maxLength: 20 }),
      fc.integer({ min: 1, max: 60 }),
      async (queries, s, others, cut) => {
        const schema = schemaOf(queries)
        await client.register(schema)
        if (s.length > 0) {
          await client.lines(`${schema.schema}.s`, s.slice(0, cut))
          if (s.length > cut) await client.lines(`${schema.schema}.s`, s.slice(cut))
        }
        if (others.length > 0) await client.lines(`${schema.schema}.other`, others)
        const found = await differences(client, schema, { s, other: others })
        await client.ok(client.send('DELETE', `/stream/${schema.schema}`))
        if (found.length > 0) throw new Error(found.join('\n'))
      },
    ),
    { numRuns: runs(4, 100), endOnFailure: true },
  )
  t.false(failed, `${errorInstance}\n${inspect(counterexample, { depth: 9 })}`)
})
