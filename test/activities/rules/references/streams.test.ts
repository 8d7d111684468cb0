/** References over the rows of streams, against a walk over all events before. */
import test from 'ava'
import fc from 'fast-check'
import { compileRules } from '../../../../activities/rules/open-sequencer.ts'
import { compileReferences } from '../../../../activities/rules/references/compile.ts'
import { createOutside } from '../../../../activities/rules/references/outside.ts'
import type { Event } from '../../../../base/json.ts'
import type { Operator } from '../../../../sql/query/ast.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import type { PairTerm, Reference, Schema } from '../../../../sql/schema/schema.ts'
import { createPlainState } from '../../../support/plain-state.ts'
import '../../../support/random/seed.ts'

const attr = [
  ['k', 'STRING'],
  ['n', 'LONG'],
  ['d', 'DOUBLE'],
  ['b', 'BOOL'],
].map(([name, type]) => ({ name, type }))

const term = (other: string, operator: Operator, name: string): PairTerm => ({
  other,
  operator,
  value: { kind: 'attribute', name },
})
const fixed = (other: string, operator: Operator, value: string | number): PairTerm => ({
  other,
  operator,
  value: { kind: 'fixed', value },
})
const expression = (other: string, operator: Operator, text: string): PairTerm => ({
  other,
  operator,
  value: { kind: 'expression', text },
})

/** References of `main` over `source`, which bring its attributes under the names `<reference>_n` and so on. */
function schemaWith(
  references: readonly { name: string; source: string; terms: PairTerm[]; more?: object }[],
  window = 100,
): Schema {
  const schema = decodeSchema({
    schema: 's',
    streams: [
      { name: 'side', type: 1, swsz: window, attr },
      { name: 'main', type: 1, swsz: window, attr },
    ],
  })
  const written = references.map(
    ({ name, source, terms, more }): Reference => ({
      name,
      source: { kind: 'stream', stream: source },
      results: [`${name}_n`, `${name}_k`],
      sources: ['n', 'k'],
      condition: { terms, between: 'any' },
      whenPresent: 'add',
      ...more,
    }),
  )
  const results = references.flatMap(({ name }) => [
    { name: `${name}_n`, type: 'LONG' as const, granularity: 60, primaryKey: false },
    { name: `${name}_k`, type: 'STRING' as const, granularity: 60, primaryKey: false },
  ])
  return {
    ...schema,
    streams: schema.streams.map((stream) =>
      stream.name === 'main'
        ? { ...stream, attributes: [...stream.attributes, ...results], references: written }
        : stream,
    ),
  }
}

type Come = { readonly stream: string; readonly pk: number; readonly event: Event; readonly seq?: number }

const never = () => Promise.reject(new Error('nothing is asked'))

/** The events as they are stored. */
function run(schema: Schema, events: readonly Come[]) {
  const references = compileReferences(schema)
  const memory = createPlainState()
  const outside = createOutside({ clickhouse: { rows: never }, caughtUp: never, tableOf: () => undefined })
  const stored = events.map(({ stream, pk, event, seq: own }, index) => {
    const seq = own ?? index
    memory.at(seq)
    const one = { event: { ...event, _pk: pk } as Event, pk: String(pk), seq }
    references.resolve(stream, one, memory.state, outside)
    references.observe(stream, one, memory.state, outside)
    return one.event
  })
  return { stored, memory }
}

const holds: Readonly<Record<Operator, (a: number | string, b: number | string) => boolean>> = {
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

const isValue = (value: unknown): value is number | string => value !== undefined && value !== null

/** `this + 1`, the only expression here. */
const operandOf = ({ value }: PairTerm, event: Event): unknown => {
  if (value.kind === 'attribute') return event[value.name]
  if (value.kind === 'fixed') return value.value
  return isValue(event.n) ? Number(event.n) + 1 : undefined
}

/** Goes back over all events before, one by one. */
function walk(references: readonly Reference[], window: number, events: readonly Come[]): Event[] {
  return events.map(({ stream, pk, event }, place) => {
    const result: Event = { ...event, _pk: pk }
    if (stream !== 'main') return result
    for (const { source, condition, results, sources, asOf } of references) {
      const name = source.kind === 'stream' ? source.stream : ''
      const satisfying = events.slice(0, place).filter(
        (other) =>
          other.stream === name &&
          other.pk >= pk - window * 1e6 &&
          condition.terms.every((each) => {
            const [left, right] = [other.event[each.other], operandOf(each, result)]
            return isValue(left) && isValue(right) && holds[each.operator](left, right)
          }),
      )
      const inTime = satisfying.filter((other) => other.pk <= pk).toSorted((one, other) => one.pk - other.pk)
      const row = (asOf ? inTime : satisfying).at(-1)
      for (const [index, from] of sources.entries()) {
        const value = row?.event[from]
        if (isValue(value)) result[results[index] ?? ''] = value
      }
    }
    return result
  })
}

const value = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 3 }))
const come: fc.Arbitrary<Come> = fc.record({
  stream: fc.constantFrom('side', 'main'),
  pk: fc.integer({ min: 0, max: 300 }).map((seconds) => seconds * 1_000_000),
  event: fc.record({ k: fc.constantFrom(null, 'a', 'b'), n: value, d: value }),
})

const sets = {
  'by a key of another stream, and of this one': [
    { name: 'x', source: 'side', terms: [term('k', '=', 'k')] },
    { name: 'y', source: 'main', terms: [term('k', '=', 'k')] },
  ],
  'by two keys, one of which is a number of another type': [
    { name: 'x', source: 'side', terms: [term('n', '=', 'd'), term('k', '=', 'k')] },
  ],
  'by a key and further terms': [
    { name: 'x', source: 'side', terms: [term('k', '=', 'k'), term('n', '<', 'n'), term('d', '!=', 'd')] },
    { name: 'y', source: 'main', terms: [term('k', '=', 'k'), term('n', '>=', 'd')] },
  ],
  'by literals': [
    { name: 'x', source: 'side', terms: [fixed('k', '=', 'a')] },
    { name: 'y', source: 'side', terms: [fixed('k', '!=', 'a'), term('n', '=', 'n')] },
    { name: 'z', source: 'main', terms: [fixed('d', '>', 1), term('n', '<=', 'n'), term('k', '=', 'k')] },
  ],
  'by expressions': [
    { name: 'x', source: 'side', terms: [expression('n', '=', '$n + 1')] },
    { name: 'y', source: 'side', terms: [term('k', '=', 'k'), expression('d', '<', '$n + 1')] },
  ],
  'as of the time of the event, by a key and further terms': [
    { name: 'x', source: 'side', terms: [term('k', '=', 'k')], more: { asOf: '_pk' } },
    { name: 'y', source: 'main', terms: [term('k', '=', 'k'), term('n', '<=', 'n')], more: { asOf: '_pk' } },
    { name: 'z', source: 'side', terms: [term('n', '<', 'n')], more: { asOf: '_pk' } },
    { name: 'w', source: 'side', terms: [term('k', '=', 'k')] },
  ],
  'without a key': [
    { name: 'x', source: 'side', terms: [term('n', '<', 'n')] },
    { name: 'y', source: 'main', terms: [fixed('n', '>', 1)] },
  ],
} as const

for (const [title, set] of Object.entries(sets)) {
  for (const window of [100, 0]) {
    test(`the latest row in the log is found ${title}, ${window ? 'within a window' : 'for ever'}`, (t) => {
      const schema = schemaWith(
        set.map((each) => ({ ...each, terms: [...each.terms] })),
        window,
      )
      const references = schema.streams.find(({ name }) => name === 'main')?.references ?? []
      fc.assert(
        fc.property(fc.array(come, { maxLength: 60 }), (events) => {
          t.deepEqual(run(schema, events).stored, walk(references, window || Number.POSITIVE_INFINITY, events))
        }),
        { numRuns: 60 },
      )
    })
  }
}

test('of more than 10,000 rows of a key those that are older in time go first, and an event that needs one is counted', (t) => {
  const schema = schemaWith([{ name: 'x', source: 'side', terms: [term('k', '=', 'k')], more: { asOf: '_pk' } }], 0)
  // The newest come first, as an export that is loaded backwards.
  const rows = Array.from({ length: 10_010 }, (_, n) => at('side', 20_000 - n, { k: 'a', n: 20_000 - n }))
  const { stored, memory } = run(schema, [
    ...rows,
    at('main', 15_000, { k: 'a' }),
    at('main', 10_001, { k: 'a' }),
    at('main', 10_000, { k: 'a' }),
  ])
  t.deepEqual(
    stored.slice(-3).map((event) => event.x_n),
    [15_000, 10_001, undefined],
  )
  t.is(
    [...memory.dropped.values()].reduce((sum, count) => sum + count, 0),
    1,
  )
})

const at = (stream: string, seconds: number, event: Event): Come => ({ stream, pk: seconds * 1_000_000, event })

test('a later reference sees what an earlier one brought', (t) => {
  const schema = schemaWith([
    { name: 'x', source: 'side', terms: [term('k', '=', 'k')] },
    { name: 'y', source: 'side', terms: [term('n', '=', 'x_n')] },
  ])
  const { stored } = run(schema, [
    at('side', 1, { k: 'b', n: 7 }),
    at('side', 2, { k: 'a', n: 7 }),
    at('main', 3, { k: 'b' }),
  ])
  t.like(stored[2], { x_n: 7, x_k: 'b', y_n: 7, y_k: 'a' })
})

test('fnr decides about a member that is there already, and without a row it stays', (t) => {
  const named = (whenPresent: string, key = 'a') => {
    const schema = schemaWith([{ name: 'x', source: 'side', terms: [term('k', '=', 'k')], more: { whenPresent } }])
    return run(schema, [at('side', 1, { k: 'a', n: 7 }), at('main', 2, { k: key, x_n: 5 })]).stored[1]?.x_n
  }
  t.deepEqual(
    ['add', 'replace', 'add if missing'].map((rule) => named(rule)),
    [7, 7, 5],
  )
  t.deepEqual(
    ['add', 'replace', 'add if missing'].map((rule) => named(rule, 'absent')),
    [5, 5, 5],
  )
})

test('numbers are one key in whatever form, and a text is another', (t) => {
  const schema = schemaWith([{ name: 'x', source: 'side', terms: [term('n', '=', 'n')] }])
  const great = 9_007_199_254_740_993n
  const { stored } = run(schema, [
    at('side', 1, { k: 'one', n: 1 }),
    at('side', 1, { k: 'great', n: great }),
    ...[1n, great, great - 1n, '1', true, null].map((n) => at('main', 2, { n })),
  ])
  t.deepEqual(
    stored.slice(2).map((event) => event.x_k),
    ['one', 'great', undefined, undefined, undefined, undefined],
  )
})

test('without a key a stream of 10,000 rows is searched, and one of more is not', (t) => {
  const schema = schemaWith([{ name: 'x', source: 'side', terms: [term('n', '<', 'n')] }], 50)
  const rows = Array.from({ length: 10_000 }, (_, n) => at('side', 10, { n, k: 'r' }))
  const { stored, memory } = run(schema, [
    ...rows,
    at('main', 11, { n: 5 }),
    at('side', 12, { n: 20_000 }),
    at('main', 13, { n: 6 }),
    // All but the last one have left the window.
    at('side', 90, { n: 3 }),
    at('main', 91, { n: 6 }),
  ])
  const found = stored.filter((event) => event.k === undefined && event.n !== 20_000 && event._pk !== 90_000_000)
  t.deepEqual(
    found.map(({ x_n }) => x_n),
    [4, undefined, 3],
  )
  t.true([...memory.dropped.values()].some((count) => count > 0))
})

test('rows that come newest first, and any others after that, are found by events of every time', (t) => {
  const window = 86_400
  const terms = [term('k', '=', 'k')]
  const schema = schemaWith([{ name: 'x', source: 'side', terms }], window)
  const references = schema.streams.find(({ name }) => name === 'main')?.references ?? []
  const hours = fc.integer({ min: 0, max: 200 })
  fc.assert(
    fc.property(
      fc.array(hours, { minLength: 40, maxLength: 200, size: 'max' }),
      fc.array(fc.record({ stream: fc.constantFrom('side', 'side', 'main'), hour: hours }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 10 }),
      (first, then, spread) => {
        const events = [
          ...first.toSorted((a, b) => b - a).map((hour) => ({ stream: 'side', hour: hour / 4 })),
          // Some of the falling times are not in their order.
          ...then.map(({ stream, hour }) => ({ stream, hour: stream === 'side' ? hour / (1 + spread) : hour / 2 })),
        ].map(({ stream, hour }, n) => at(stream, Math.round(hour * 3600), { k: 'a', n }))
        t.deepEqual(run(schema, events).stored, walk(references, window, events))
      },
    ),
    { numRuns: 40 },
  )
})

test('more than 10,000 rows of a key that come newest first: events of now find theirs, others that need one that went are counted', (t) => {
  const window = 10_000
  const schema = schemaWith([{ name: 'x', source: 'side', terms: [term('k', '=', 'k')] }], window)
  const now = 1_000_000
  const rows = Array.from({ length: 30_000 }, (_, n) => ({
    ...at('side', now - n, { k: 'a', n }),
    seq: now * 1e6 + n,
  }))
  const ask = (seconds: number, place: number): Come => ({ ...at('main', seconds, { k: 'a' }), seq: now * 1e6 + place })
  const { stored, memory } = run(schema, [
    ...rows,
    ...[now, now + 5_000, now - 9_000].map((seconds, index) => ask(seconds, 40_000 + index)),
  ])
  t.deepEqual(
    stored.slice(-3).map(({ x_n }) => x_n),
    // The window of the last one has rows that no event of the time at which they came would find.
    [10_000, 5_000, undefined],
  )
  const [dropped = 0] = [...memory.dropped.values()]
  t.true(dropped > 9_900 && dropped < 20_001, `${dropped} dropped`)
})

test('of rows that are searched by a comparison the meant one is found whatever its age, and one that went past the bound is counted', (t) => {
  const terms = [term('k', '=', 'k'), term('_pk', '<=', 'n')]
  const schema = schemaWith([{ name: 'x', source: 'side', terms }], 0)
  const rows = Array.from({ length: 12_500 }, (_, n) => at('side', n, { k: 'a', n }))
  const ask = (seconds: number): Come => at('main', 20_000, { k: 'a', n: seconds * 1_000_000 })
  const { stored, memory } = run(schema, [...rows, ...[12_000, 2_600, 2_500, 2_400, -1].map(ask)])
  t.deepEqual(
    stored.slice(-5).map(({ x_n }) => x_n),
    [12_000, 2_600, 2_500, undefined, undefined],
  )
  // The rows that went, and the one event that needed one of them: before the first row there never was any.
  t.deepEqual([...memory.dropped.values()], [2_501])
})

for (const [kind, terms] of Object.entries({
  latest: [term('k', '=', 'k')],
  searched: [term('k', '=', 'k'), term('n', '<=', 'n')],
})) {
  test(`a row is remembered for twice the time that its stream keeps events, from when it came or was: the ${kind} one`, (t) => {
    const [came, window] = [10_000, 1_000]
    const schema = schemaWith([{ name: 'x', source: 'side', terms }], window)
    const isFound = (row: number, pk: number, arrives: number): boolean => {
      const { stored } = run(schema, [
        { ...at('side', row, { k: 'a', n: 1 }), seq: came * 1e6 },
        { ...at('main', pk, { k: 'a', n: 1 }), seq: arrives * 1e6 },
      ])
      return stored[1]?.x_n === 1
    }
    const cases: [row: number, pk: number, arrives: number][] = [
      // An event of its time, one that comes as late as can be, and one that is later still.
      [came, came + window, came + window],
      [came, came + window, came + 2 * window],
      [came, came + window, came + 2 * window + 1],
      // A row that was long ago when it came, and one that is ahead.
      [came - 5_000, came - 4_500, came + 2 * window],
      [came + 5_000, came + 5_500, came + 5_000 + 2 * window],
      [came + 5_000, came + 5_500, came + 5_000 + 2 * window + 1],
    ]
    t.deepEqual(
      cases.map((each) => isFound(...each)),
      [true, true, false, true, true, false],
    )

    const spaceIn = (of: Schema) => {
      const { references, isForgotten } = compileRules(of)
      const { state, at: go } = createPlainState()
      const place = { seq: came * 1e6, pk: came * 1e6, key: '' }
      return (now: number) => {
        go(now * 1e6)
        return isForgotten(references.spaces[0]?.name ?? '', place, state)
      }
    }
    t.deepEqual([came + 2 * window, came + 2 * window + 1].map(spaceIn(schema)), [false, true])
    // A short window leaves those that come late ten minutes.
    const short = schemaWith([{ name: 'x', source: 'side', terms }], 5)
    t.deepEqual([came + 605, came + 606].map(spaceIn(short)), [false, true])
    t.false(spaceIn(schemaWith([{ name: 'x', source: 'side', terms }], 0))(Number.MAX_SAFE_INTEGER))
  })
}

test('references of the same key share what is remembered', (t) => {
  const schema = schemaWith([
    { name: 'x', source: 'side', terms: [term('k', '=', 'k')] },
    { name: 'y', source: 'side', terms: [term('k', '=', 'k')] },
  ])
  const { memory } = run(schema, [at('side', 1, { k: 'a', n: 1 })])
  t.is(memory.values.size, 1)
})
