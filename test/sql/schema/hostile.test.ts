import { readFileSync } from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import { Refusal } from '../../../base/refusal.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import { rounds } from '../../support/random/seed.ts'

/** The schema, or its refusal; anything else that is thrown gets through. */
const decode = (body: unknown): Schema | Refusal => {
  try {
    return decodeSchema(body)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
const posted = [read('whole-posted.json'), read('rules-posted.json')]

const anything = fc.anything({
  withBigInt: true,
  withNullPrototype: true,
  withMap: true,
  withSet: true,
  withDate: true,
  withSparseArray: true,
  withTypedArray: true,
  withObjectString: true,
})

const delicate = fc.constantFrom<unknown>(
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' ', '.', 'a.b', '_pk', '$price', '\ud800', '\0'],
  ...[
    null,
    Number.NaN,
    -0,
    Number.POSITIVE_INFINITY,
    -1,
    0,
    1,
    1.5,
    2 ** 53,
    2n ** 64n,
    true,
    [],
    [[]],
    {},
    [null],
    '1',
    '1e9',
    'visits',
    'temp',
    'pairs',
    'avg(temp.value, m_5)',
    '$value',
    'mydb.places',
  ],
)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const placesIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] =>
  isRecord(value)
    ? [path, ...Object.entries(value).flatMap(([member, each]) => placesIn(each, [...path, member]))]
    : [path]

const bodies = posted.map((body) => ({ body, places: placesIn(body) }))

const replaceAt = (value: unknown, [member, ...rest]: readonly string[], other: unknown): unknown => {
  if (member === undefined) return other
  if (Array.isArray(value)) {
    return value.map((each, index) => (`${index}` === member ? replaceAt(each, rest, other) : each))
  }
  return isRecord(value) ? { ...value, [member]: replaceAt(value[member], rest, other) } : value
}

test('whatever is posted is refused or decoded', (t) => {
  fc.assert(
    fc.property(anything, (body) => {
      decode(body)
    }),
    { numRuns: rounds(2000, 300) },
  )
  t.pass()
})

for (const [index, { body, places }] of bodies.entries()) {
  const which = index === 0 ? 'a schema' : 'a schema of rules with memory'

  test(`${which} in which some places hold whatever is refused or decoded`, (t) => {
    const change = fc.tuple(fc.constantFrom(...places), fc.oneof(delicate, anything))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        decode(changes.reduce((changed, [place, other]) => replaceAt(changed, place, other), body))
      }),
      { numRuns: rounds(2500, 300) },
    )
    t.pass()
  })

  test(`${which} in which one place was exchanged with another is refused or decoded`, (t) => {
    const at = (path: readonly string[]) =>
      path.reduce<unknown>((value, member) => (isRecord(value) ? value[member] : undefined), body)
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.constantFrom(...places), (to, from) => {
        decode(replaceAt(body, to, at(from)))
      }),
      { numRuns: rounds(1500, 200) },
    )
    t.pass()
  })
}

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length']

test('an attribute may be called like a member of every object', (t) => {
  for (const name of names) {
    const attr = [
      { name, type: 9 },
      { name: 'o', type: 3, fields: [{ name, type: 9 }] },
    ]
    const streams = [
      { name: 'a', type: 1, attr, gpby: [{ gpat: [name], iatr: name, stat: 1 }] },
      { name: 'b', type: 2, gpby: [{ gpat: [name], iatr: name, stat: 1 }] },
    ]
    const expected = [
      ...(name === '__proto__' ? [/^streams\[0\]\.attr\[0\]\.name: .* must not start with an underscore/] : []),
      /^streams\[1\]\.gpby\[0\]\.gpat\[0\]: .* is no attribute of b/,
      /^streams\[1\]\.gpby\[0\]\.iatr: .* is no attribute of b/,
    ]
    const decoded = decode(JSON.parse(JSON.stringify({ schema: 's', streams })))
    if (!(decoded instanceof Refusal)) return t.fail(name)
    t.is(decoded.problems.length, expected.length)
    for (const [index, pattern] of expected.entries()) t.regex(decoded.problems[index] ?? '', pattern)
  }
})

test('members of a prototype are not read', (t) => {
  const body: unknown = JSON.parse('{"__proto__": {"schema": "s", "streams": [{"name": "a", "type": 1}]}}')
  const decoded = decode(Object.assign(Object.create({ schema: 's' }), body))
  t.deepEqual(decoded instanceof Refusal && decoded.problems, ['schema: is missing', 'streams: is missing'])
})

test('fields of fields of fields end where their name gets too long', (t) => {
  let attribute: unknown = { name: 'a', type: 9 }
  for (let depth = 0; depth < 5000; depth += 1) attribute = { name: 'a', type: 3, fields: [attribute] }
  const decoded = decode({ schema: 's', streams: [{ name: 'a', type: 1, attr: [attribute] }] })
  t.regex(decoded instanceof Refusal ? decoded.message : '', /must be shorter than 64 bytes/)
})

test('a filter query that nests without end is refused', (t) => {
  const name = `${'['.repeat(49_000)}${']'.repeat(49_000)}`
  const decoded = decode({
    schema: 's',
    streams: [
      { name: 'a', type: 1, fltr: [{ fqry: { name }, ostm: 'b' }] },
      { name: 'b', type: 2 },
    ],
  })
  t.true(decoded instanceof Refusal)
})

test('10,000 streams, each fed by the one before, are decoded within seconds; 10,001 are refused', (t) => {
  const streams = Array.from({ length: 10_001 }, (_, index) => ({
    name: `s${index}`,
    type: index === 0 ? 1 : 2,
    attr: [{ name: 'n', type: 9, stat: 'RSTAT' }],
    gpby: [{ gpat: ['n'], iatr: 'n', stat: 1 }],
    fltr: index < 9999 ? [{ fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":1}]}' }, ostm: `s${index + 1}` }] : [],
  }))
  // Of a processor, for a busy machine has it for longer.
  const before = process.cpuUsage()
  const decoded = decode({ schema: 's', streams: streams.slice(0, 10_000) })
  t.false(decoded instanceof Refusal)
  t.true(process.cpuUsage(before).user < 10_000_000)
  t.true(decode({ schema: 's', streams }) instanceof Refusal)
})

test('a ring of 10,000 streams is one cycle', (t) => {
  const streams = Array.from({ length: 10_000 }, (_, index) => ({
    name: `s${index}`,
    type: 2,
    fltr: [{ fqry: { name: '{"query":[{"key":"_pk","cmp_op":0,"val":1}]}' }, ostm: `s${(index + 1) % 10_000}` }],
  }))
  const decoded = decode({ schema: 's', streams })
  t.is(decoded instanceof Refusal && decoded.problems.length, 1)
})

test('references that read each other along 2,000 streams are decoded', (t) => {
  const jqry = { cond: ['k'], args: ['k'] }
  const streams = Array.from({ length: 2000 }, (_, index) => ({
    name: `s${index}`,
    type: 1,
    attr: [{ name: 'k', type: 5 }, ...(index === 1999 ? [{ name: 'v', type: 9 }] : [])],
    refr: index === 1999 ? [] : [{ name: 'r', iatr: ['v'], rstm: `s${index + 1}`, ratr: ['v'], jqry }],
  }))
  const decoded = decode({ schema: 's', streams })
  if (decoded instanceof Refusal) return t.fail(decoded.message)
  t.is(decoded.streams[0]?.attributes[1]?.type, 'LONG')
})
