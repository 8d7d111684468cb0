import test from 'ava'
import fc from 'fast-check'
import { canonicalJson, jsonMembers } from '../../../sql/json/canonical.ts'
import { Refusal } from '../../../sql/refusal.ts'
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
