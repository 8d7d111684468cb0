import { readFileSync } from 'node:fs'
import test from 'ava'
import { Refusal } from '../../../base/refusal.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import type { Stream } from '../../../sql/schema/schema.ts'

const readJson = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

const decodeStreams = (...streams: unknown[]): readonly Stream[] => decodeSchema({ schema: 's', streams }).streams

const problemsOf = (body: unknown): readonly string[] => {
  try {
    decodeSchema(body)
    return []
  } catch (error) {
    if (error instanceof Refusal) return error.problems
    throw error
  }
}

test('each part of the wire is decoded: names for codes, defaults for what is absent', (t) => {
  t.deepEqual(decodeSchema(readJson('whole-posted.json')), readJson('whole-decoded.json'))
})

test('each part of rules that look beyond one event is decoded, in any form that clients have sent', (t) => {
  t.deepEqual(decodeSchema(readJson('rules-posted.json')), readJson('rules-decoded.json'))
})

test('a stream of a name and a type is enough', (t) => {
  t.deepEqual(decodeStreams({ name: 'a', type: 1 }), [
    {
      name: 'a',
      kind: 'input',
      window: 86_400,
      inputs: [],
      attributes: [],
      computed: [],
      groupBys: [],
      entities: [],
      relations: [],
      filters: [],
      notices: [],
      nodes: [],
      movingFilters: [],
      references: [],
      rules: [],
    },
  ])
})

test('a member that is null counts as absent', (t) => {
  const members = ['swsz', 'inpt', 'attr', 'catr', 'gpby', 'enty', 'rels', 'fltr', 'join']
  const stream = Object.fromEntries(members.map((member) => [member, null]))
  t.deepEqual(decodeStreams({ name: 'a', type: 1, ...stream }), decodeStreams({ name: 'a', type: 1 }))
})

test('a fault hides none of the others, and brings none along', (t) => {
  const stream = {
    name: 'a',
    type: 1,
    attr: [
      { name: 'bad', type: 7 },
      { name: 'good', type: 9 },
    ],
    gpby: [{ gpat: ['bad', 'god'], iatr: 'bad', stat: 'RSTAT' }],
  }
  t.deepEqual(problemsOf({ schema: 's', streams: [stream, { name: 'b', type: 2, inpt: ['c'] }] }), [
    'streams[0].attr[0].type: unknown type 7; known are 3 OBJECT, 5 STRING, 9 LONG, 11 DOUBLE, 12 BOOL',
    "streams[1].inpt[0]: 'c' is no stream of this schema; known are a, b",
    "streams[0].gpby[0].gpat[1]: 'god' is no attribute of a; did you mean good?",
  ])
})

test('past 1,000 problems the rest is counted', (t) => {
  const streams = Array.from({ length: 1500 }, (_, index) => ({ name: `s${index}`, type: 1, swsz: -1 }))
  const problems = problemsOf({ schema: 's', streams })
  t.is(problems.length, 1001)
  t.is(problems[1000], 'and 500 more')
})

test('of hundreds of thousands of problems the rest is not even counted', (t) => {
  const attr = Array.from({ length: 100 }, () => ({ name: '1', type: 77 }))
  const streams = Array.from({ length: 1000 }, (_, index) => ({ name: `s${index}`, type: 1, attr }))
  const problems = problemsOf({ schema: 's', streams })
  t.is(problems.length, 1001)
  t.is(problems[1000], 'and 10000 more, or more than these')
})

const numeric = [{ name: 'n', type: 9 }]
const filterOn = (val: unknown) => [{ fqry: { name: { query: [{ key: 'n', cmp_op: 4, val }] } }, ostm: 'b' }]
const comparedWith = (val: unknown) =>
  decodeStreams({ name: 'a', type: 1, attr: numeric, fltr: filterOn(val) }, { name: 'b', type: 2 })[0]?.filters[0]
    ?.condition

test('a 64-bit integer in a filter keeps all its digits', (t) => {
  for (const val of ['-9007199254740993', -9_007_199_254_740_993n]) {
    t.like(comparedWith(val), { value: { kind: 'number', text: '-9007199254740993' } })
  }
})

test('a path into an OBJECT without fields is compared with whatever is there', (t) => {
  const attr = [{ name: 'o', type: 3 }]
  const fltr = [{ fqry: { name: { query: [{ key: 'o.x.y', cmp_op: 4, val: 'z' }] } }, ostm: 'b' }]
  const [stream] = decodeStreams({ name: 'a', type: 1, attr, fltr }, { name: 'b', type: 2 })
  t.like(stream?.filters[0]?.condition, { path: 'o.x.y', value: { kind: 'string', value: 'z' } })
})

test('filters pass attributes on through any number of streams, in whatever order these are listed', (t) => {
  const to = (ostm: string) => [{ fqry: { name: { query: [{ key: 'n', cmp_op: 0, val: 1 }] } }, ostm }]
  const streams = decodeStreams(
    { name: 'c', type: 2, gpby: [{ gpat: ['n'], iatr: 'n', stat: 1 }] },
    { name: 'b', type: 2, fltr: to('c') },
    { name: 'a', type: 1, attr: numeric, fltr: to('b') },
  )
  for (const { attributes } of streams) {
    t.deepEqual(attributes, [{ name: 'n', type: 'LONG', granularity: 60, primaryKey: false }])
  }
})

test('an entity without keys of its own takes those of its target', (t) => {
  const [stream] = decodeStreams(
    {
      name: 'a',
      type: 1,
      attr: [{ name: 'who', type: 5 }, ...numeric],
      enty: [{ opid: 1, ratr: ['count'], iatr: ['n'], rstm: 'p' }],
    },
    {
      name: 'p',
      type: 4,
      attr: [
        { name: 'count', type: 9 },
        { name: 'who', type: 5, pk: 1 },
      ],
    },
  )
  t.deepEqual(stream?.entities[0]?.keys, [{ name: 'who', type: 'STRING', inputs: ['who'] }])
})
