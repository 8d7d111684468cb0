import test from 'ava'
import fc from 'fast-check'
import { Refusal } from '../../../base/refusal.ts'
import { canonicalJson, jsonMembers } from '../../../sql/json/canonical.ts'
import '../../support/random/seed.ts'

const cases: readonly (readonly [what: string, text: string, canonical: string])[] = [
  ['blanks go', ' { "a" : [ 1 , 2 ] ,\n\t"b" : { } } ', '{"a":[1,2],"b":{}}'],
  [
    'numbers stay as written',
    '[1.0,1e2,-0,0.10,12345678901234567890,1E+3]',
    '[1.0,1e2,-0,0.10,12345678901234567890,1E+3]',
  ],
  ['members keep their order', '{"10":1,"2":2,"a":3,"1":4}', '{"10":1,"2":2,"a":3,"1":4}'],
  ['the last of equal names wins', '{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
  ['names are compared by what they spell', '{"\\u0061":1,"a":2}', '{"a":2}'],
  ['strings get their shortest escapes', '["\\u00e9\\/\\u000a\\"\\\\", "é"]', '["é/\\n\\"\\\\","é"]'],
  ['quotes behind backslashes', '["\\\\","a\\\\\\"b"]', '["\\\\","a\\\\\\"b"]'],
  [
    'integers beyond 64 bits get a fraction',
    '[18446744073709551615,18446744073709551616]',
    '[18446744073709551615,18446744073709551616.0]',
  ],
  ['negative ones too', '[-9223372036854775808,-9223372036854775809]', '[-9223372036854775808,-9223372036854775809.0]'],
  ['scalars', 'true', 'true'],
  ['a member called __proto__', '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
]

for (const [what, text, canonical] of cases) {
  test(`canonical JSON: ${what}`, (t) => {
    t.is(canonicalJson(text), canonical)
    t.is(canonicalJson(canonical), canonical)
  })
}

test('canonical JSON means what the text means', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      t.deepEqual(JSON.parse(canonicalJson(text)), JSON.parse(text))
    }),
  )
  t.pass()
})

/** JSON texts with blanks, escapes, members of one name and large numbers, each as deep as six levels. */
const blanks = fc.constantFrom('', '', ' ', '\n\t')
const text = fc.constantFrom('"a"', '"b"', '"\\u0061"', '"\\n\\\\"', '"\\\\\\""', '"é\u2028"', '""')
const number = fc.constantFrom(
  '0',
  '-1.50',
  '1e5',
  '12345678901234567890',
  '184467440737095516160',
  '-9223372036854775809',
)
const jsonText = fc.letrec<{ value: string }>((tie) => {
  const list = (open: string, item: fc.Arbitrary<string>, close: string) =>
    fc.array(item, { maxLength: 4 }).map((items) => `${open}${items.join(',')}${close}`)
  const padded = fc.tuple(blanks, tie('value'), blanks).map((parts) => parts.join(''))
  const member = fc
    .tuple(blanks, text, blanks, padded)
    .map(([before, name, behind, value]) => `${before}${name}${behind}:${value}`)
  return {
    value: fc.oneof({ maxDepth: 6 }, text, number, fc.constant('null'), list('[', padded, ']'), list('{', member, '}')),
  }
}).value

test('any JSON text keeps its value and comes to one form, members of one name and blanks between them or not', (t) => {
  fc.assert(
    fc.property(blanks, jsonText, (before, json) => {
      const canonical = canonicalJson(before + json)
      t.deepEqual(JSON.parse(canonical), JSON.parse(json))
      t.is(canonicalJson(canonical), canonical)
      t.false(/[\n\t]|\\u0061|[[{,:] /.test(canonical), canonical)
    }),
    { numRuns: 2000 },
  )
})

test('members of one name cost no more the deeper they nest', (t) => {
  const deep = `${'{"a":'.repeat(190)}0${',"a":1}'.repeat(190)}`
  t.is(canonicalJson(deep), '{"a":1}') // Read twice at each level it would not end.
})

test('members of an object come with their canonical values', (t) => {
  t.deepEqual(
    [...jsonMembers(' {"a": [1, 2.0], "b": "\\u0041"} ')],
    [
      ['a', '[1,2.0]'],
      ['b', '"A"'],
    ],
  )
})

test('a value within 200 levels is kept, within 201 refused', (t) => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  t.is(canonicalJson(nested(200)), nested(200))
  t.throws(() => canonicalJson(nested(201)), { instanceOf: Refusal, message: /nests deeper than 200/ })
})
