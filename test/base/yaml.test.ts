import test from 'ava'
import { Fault } from '../../base/faults.ts'
import { placeInJson } from '../../base/json-places.ts'
import { parseYaml, writeYaml } from '../../base/yaml.ts'
import { staysQuick } from '../support/stays-quick.ts'

const problemsOf = (text: string): readonly string[] => {
  try {
    parseYaml(text, 'the text')
    return []
  } catch (error) {
    if (error instanceof Fault) return error.details.problems ?? []
    throw error
  }
}

for (const [what, text, problem] of [
  ['an alias', 'a: &x 1\nb: *x', /line 1, column 7: anchors/],
  ['anchors that explode', 'a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]', /line 1, column 7: anchors/],
  ['a cycle', 'a: &a\n  b: *a', /line 2, column 3: anchors/],
  ['a tag', 'a: !!binary aGk=', /line 1, column 13: tags/],
  ['a tag of its own', 'a:\n  b: !ruby/object {}', /line 2, column 19: tags/],
  ['a merge key', 'a: { b: 1 }\nc:\n  <<: { d: 1 }', /line 3, column 3: merge keys/],
  ['a key twice', 'a: 1\nb: 2\na: 3', /line 3, column 1: "a" is there twice/],
  ['a tab that indents', 'a:\n\tb: 1', /line 2, column 1: a tab where blanks indent/],
  ['a list as a key', '? [a]\n: 1', /line 1, column 3: a key must be a text/],
  ['several documents', 'a: 1\n---\nb: 2', /line 2, column 1: one document is taken/],
  ['a number that is none', 'a: .inf', /line 1, column 4: is no number/],
  ['a number beyond all', 'a: 1e400', /line 1, column 4: is no number/],
  ['lists that nest without end', `a: ${'['.repeat(5000)}`, /nests deeper than 100/],
  ['lists that nest', `a: ${'['.repeat(150)}${']'.repeat(150)}`, /line 1, column 10\d: nests deeper than 100/],
  ['a text without its end', 'a: "b', /line 1, column 6/],
] as const)
  test(`YAML with ${what} is refused, with line and column`, (t) => {
    t.regex(problemsOf(text).join('\n'), problem)
  })

test('YAML that JSON could say is that JSON, and integers keep their digits', (t) => {
  const { value } = parseYaml(
    'a: 9007199254740993\nb: [1, 2.5, true, null, "x", yes, 0x10]\n7: {}\n__proto__: 1',
    'the text',
  )
  t.deepEqual(Object.entries(value as object), [
    ['7', {}],
    ['a', 9007199254740993n],
    ['b', [1, 2.5, true, null, 'x', 'yes', 16]],
    ['__proto__', 1],
  ])
})

test('what is written is read as the same', (t) => {
  const value = {
    a: { b: { c: ['x', 1.5, true], d: { 'odd key': "it's", e: 'yes', f: '12' } } },
    big: 9007199254740993n,
    empty: {},
    none: [],
  }
  t.deepEqual(parseYaml(writeYaml(value), 'the text').value, value)
})

test('a place in a text is that of its value, else of the last part that is there', (t) => {
  const yaml = 'a:\n  - b: 1\n    "c d": { e: 2 }\n'
  t.deepEqual(parseYaml(yaml, 'it').locate(['a', 0, 'c d', 'e']), { line: 3, column: 17 })
  t.deepEqual(parseYaml(yaml, 'it').locate(['a', 0, 'x']), { line: 2, column: 5 })
  const json = '{"a": [\n {"b": 1, "c\\"d": {"e": 2}}]}'
  t.deepEqual(placeInJson(json, ['a', 0, 'c"d', 'e']), { line: 2, column: 25 })
  t.deepEqual(placeInJson(json, ['a', 0, 'x']), { line: 2, column: 2 })
  t.deepEqual(placeInJson(json, ['x']), { line: 1, column: 1 })
})

const repeated: readonly (readonly [string, (pieces: number) => string])[] = [
  ['keys', (pieces) => Array.from({ length: pieces }, (_, index) => `k${index}: 1`).join('\n')],
  ['one key', (pieces) => 'k: 1\n'.repeat(pieces)],
  ['anchors', (pieces) => Array.from({ length: pieces }, (_, index) => `k${index}: &a${index} x`).join('\n')],
  ['tags', (pieces) => '- !t x\n'.repeat(pieces)],
  ['tabs', (pieces) => '\t'.repeat(pieces)],
  ['open lists', (pieces) => '['.repeat(pieces)],
  ['keys in keys', (pieces) => 'a: '.repeat(pieces)],
  [
    'deeper and deeper lines',
    (pieces) => Array.from({ length: Math.min(pieces, 2000) }, (_, index) => `${' '.repeat(index)}k:`).join('\n'),
  ],
  ['lines of an open text', (pieces) => `"${'a\n'.repeat(pieces)}`],
  ['documents', (pieces) => '---\n'.repeat(pieces)],
  ['merge keys', (pieces) => '<<: {}\n'.repeat(pieces)],
]
for (const [name, text] of repeated)
  test(`YAML of ${name} takes time as its length`, (t) =>
    staysQuick(t, name, (pieces) => problemsOf(text(pieces)), 8 * 1024))
