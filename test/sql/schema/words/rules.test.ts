/** Joins, patterns and folds in words, and the refusals of what these cannot say. */
import test from 'ava'
import { Refusal } from '../../../../base/refusal.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { toWire, toWords } from '../../../../sql/schema/words/translate.ts'

type Words = Parameters<typeof toWire>[0]

const two = { orders: { attributes: { id: 'text', price: 'number' } }, payments: { attributes: { order: 'text' } } }
const sides = (first: string, other: string): Words =>
  Object.fromEntries([
    ['first', first],
    ['then', other],
  ])
const join = (more: Words): Words => ({
  ...{ schema: 's', streams: two },
  joins: { j: { ...sides('orders', 'payments'), where: 'first.id = then.order', into: 'rows', ...more } },
})
const pattern = (more: Words, attributes: Words = {}): Words => ({
  ...{ schema: 's', streams: { a: { attributes: { k: 'text', v: 'number', ...attributes } } } },
  patterns: { p: { in: 'a', each: 'this.k = before.k', into: 'rows', ...more } },
})

/** The rule of the first stream on the wire; it decodes, and the same words come back. */
function wireOf(t: { deepEqual(a: unknown, b: unknown): unknown }, words: Words, member: string): Words {
  const { wire } = toWire(words)
  decodeSchema(wire)
  t.deepEqual(toWire(toWords(wire)).wire, wire)
  const [stream] = wire.streams as Words[]
  const [entry] = (stream?.[member] ?? []) as Words[]
  return entry ?? {}
}

const problemsOf = (words: Words): string => {
  try {
    const { wire, form } = toWire(words)
    try {
      decodeSchema(wire)
    } catch (error) {
      if (error instanceof Refusal) return error.problems.map(form.message).join('\n')
      throw error
    }
  } catch (error) {
    if (error instanceof Refusal) return error.problems.join('\n')
    throw error
  }
  return 'no problem'
}

test('match: all is a join of types 6, whose sides both make rows', (t) => {
  const entry = wireOf(t, join({ match: 'all', notify: 3 }), 'join')
  t.is(entry.type, 6)
  t.is(entry.notf, 3)
})

test('a run says skip, and what its row has of its first event and over it', (t) => {
  const entry = wireOf(
    t,
    pattern({ skip: 'past', take: { this: ['k'], before: ['v'], first: ['v', '_pk'], over: ['count', 'avg.v'] } }),
    'cepq',
  )
  t.is(entry.skip, 'past')
  t.deepEqual([entry.iatr, entry.ratr], [['k'], ['v', 'first.v', 'first._pk', 'count', 'avg.v']])
})

test('an attribute with the name of a value of a run is read as the attribute', (t) => {
  const words = pattern({ take: { before: ['count'] } }, { count: 'integer' })
  t.deepEqual(wireOf(t, words, 'cepq').ratr, ['count'])
})

test('a lookup says that it is as of the time of the event', (t) => {
  const lookups = { l: { from: 'a', where: 'k = this.k', as_of: '_pk', take: { v: 'before' } } }
  const words: Words = { schema: 's', streams: { a: { attributes: { k: 'text', v: 'number' }, lookups } } }
  t.is(wireOf(t, words, 'refr').as_of, '_pk')
})

const folding = (more: Words): Words => ({
  schema: 's',
  streams: { a: { attributes: { k: 'text', v: 'number' }, compute: { sum: { type: 'number', ...more } } } },
})

test('a fold says its expression, its key and its start', (t) => {
  const entry = wireOf(t, folding({ fold: 'sum + v', by: 'k', start: 0 }), 'catr')
  t.deepEqual(entry, { name: 'sum', type: 11, opnm: 'FOLD', iatr: ['$sum + $v'], key: ['k'], start: 0 })
})

test('a computed attribute has the type that its expression gives', (t) => {
  const compute = {
    cents: 'round(v * 100)',
    dear: 'cents > 100',
    shout: 'upper(k)',
    same: 'k',
    either: 'if(dear, shout, k)',
    web: { value: 'web' },
    sum: { fold: 'sum + v', by: 'k', start: 0 },
    said: { type: 'integer', is: 'v' },
  }
  const words = { schema: 's', streams: { a: { attributes: { k: 'text', v: 'number' }, compute } } }
  const { wire } = toWire(words)
  decodeSchema(wire)
  const [stream] = wire.streams as Words[]
  const types = Object.fromEntries(((stream?.catr ?? []) as Words[]).map(({ name, type }) => [String(name), type]))
  t.deepEqual(types, { cents: 11, dear: 12, shout: 5, same: 5, either: 5, web: 5, sum: 11, said: 9 })
})

for (const [what, words, reason] of [
  ['a fold without a start', folding({ fold: 'sum + v', by: 'k' }), /streams\.a\.compute\.sum: fold needs "start"/],
  ['a computed attribute whose type nothing shows', { schema: 's', streams: { a: { compute: { sum: 'b' } } } }, /compute\.sum: type is missing/],
  ['a fold by what is not there', folding({ fold: 'sum + v', by: 'kk', start: 0 }), /streams\.a\.compute\.sum\.by: 'kk' is no attribute of a/],
  ['a fold with a dollar', folding({ fold: '$sum + v', by: 'k', start: 0 }), /compute\.sum\.fold: has a \$/],
  ['all in a pattern', { ...pattern({}), patterns: { p: { ...sides('a', 'a'), each: 'x', match: 'all' } } }, /patterns\.p\.match: all belongs to a join/],
  ['skip without a run', pattern({ each: null, where: 'v > 1', skip: 'past' }), /patterns\.p\.skip: has no place without each/],
  ['skip of something', pattern({ skip: 'next' }), /patterns\.p\.skip: must be past/],
  ['over an attribute alone', pattern({ take: { over: ['v'] } }), /patterns\.p\.take\.over\[0\]: must be count, or sum\., min\., max\. or avg\. of an attribute/],
  ['over the first event', pattern({ take: { over: ['first.v'] } }), /take\.over\[0\]: must be count/],
  ['over a text', pattern({ take: { over: ['avg.k'] } }), /patterns\.p\.take: 'k' is text; avg is over a integer or number/],
  ['the first of nothing', pattern({ take: { first: ['w'] } }), /patterns\.p\.take: 'w' is no attribute of a/],
  ['a name that is an attribute', pattern({ take: { over: ['count'] } }, { count: 'integer' }), /patterns\.p\.take: 'count' is an attribute of a, so that no row has it of a run/],
  ['a name that the row has', pattern({ take: { this: ['count.x'], over: ['count'] } }, { count: { type: 'json', fields: { x: 'number' } } }), /patterns\.p\.take: 'count' is an attribute of a/],
] as const) // biome-ignore format: a table
  test(`refused in words: ${what}`, (t) => {
    t.regex(problemsOf(words as Words), reason)
  })

const visits = (session: Words): Words => ({
  ...{ schema: 's', streams: { views: { attributes: { who: 'text', page: 'text', ms: 'number' } } } },
  entities: { people: { of: 'views', by: 'who', values: { time: { of: 'ms', stats: ['summary'], session } } } },
})
const pages = (session: Words): Words => ({
  schema: 's',
  streams: {
    views: {
      attributes: { who: 'text', page: 'text', ms: 'number' },
      groups: [{ by: ['who'], of: 'ms', stats: ['summary', 'p50', 'last'], session }],
    },
  },
})

test('a session belongs to a group or to a value of an entity, and names the stream of its rows', (t) => {
  const said = { after: '30m', at_most: '4h', into: 'visits', notify: 7 }
  for (const [words, member] of [
    [visits(said), 'enty'],
    [pages(said), 'gpby'],
  ] as const) {
    const { session, smax, ostm, notf } = wireOf(t, words, member)
    t.deepEqual({ session, smax, ostm, notf }, { session: 1_800, smax: 14_400, ostm: 'visits', notf: 7 })
    const { streams } = decodeSchema(toWire(words).wire)
    t.is(streams.find(({ name }) => name === 'visits')?.kind, 'join')
  }
  const rowOf = (words: Words): string[] =>
    decodeSchema(toWire(words).wire)
      .streams.filter(({ name }) => name === 'visits')
      .flatMap(({ attributes }) => attributes.map(({ name, type }) => `${name} ${type}`))
  const figures = ['sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt']
  t.deepEqual(rowOf(pages(said)), [
    ...['who STRING', 'from LONG', 'to LONG', 'cnt LONG'],
    ...[...figures, 'p50', 'last'].map((name) => `${name} DOUBLE`),
  ])
  t.deepEqual(rowOf(visits(said)), [
    ...['who STRING', 'from LONG', 'to LONG', 'cnt LONG', 'time OBJECT', 'time.cnt LONG'],
    ...figures.map((name) => `time.${name} DOUBLE`),
  ])
})

test('values of an entity with one session are one definition, and with two sessions two', (t) => {
  const of = (second: Words): Words[] => {
    const { wire } = toWire({
      ...{ schema: 's', streams: { views: { attributes: { who: 'text', ms: 'number', size: 'number' } } } },
      entities: {
        people: {
          ...{ of: 'views', by: 'who' },
          values: {
            time: { of: 'ms', stats: ['summary'], definition: 'd', session: { after: '30m', into: 'visits' } },
            bytes: { of: 'size', stats: ['summary'], definition: 'd', session: second },
          },
        },
      },
    })
    t.deepEqual(toWire(toWords(wire)).wire, wire)
    const [stream] = wire.streams as Words[]
    return (stream?.enty ?? []) as Words[]
  }
  t.deepEqual(
    of({ after: '30m', into: 'visits' }).map(({ ratr }) => ratr),
    [['time', 'bytes']],
  )
  t.deepEqual(
    of({ after: '10m', into: 'visits' }).map(({ ratr }) => ratr),
    [['time'], ['bytes']],
  )
})

test('a session that cannot be kept is refused at its words', (t) => {
  const at = 'streams.views.groups[0].session'
  const inEntity = 'entities.people.values.time.session'
  for (const [words, problem] of [
    [pages({ after: '30m' }), `${at}.into: is missing; its sessions need into, notify or both`],
    [visits({ after: '30m' }), `${inEntity}.into: is missing; its sessions need into, notify or both`],
    [visits({ after: '1m', into: 'views' }), `${inEntity}.into: cycle views > views`],
    [
      pages({ after: '1m', length: '1h', into: 'v' }),
      `${at}.length: is no word of a session; known are after, at_most, into, notify`,
    ],
    [visits({ after: '8d', into: 'visits' }), `${inEntity}.after: must be over 0s and at most 7d`],
  ] as const)
    t.is(problemsOf(words), problem)
})
