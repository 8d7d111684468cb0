/** Colours and marks of the editor: its lines are the text, whatever stands in it. */
import test from 'ava'
import fc from 'fast-check'
import { cursor, matching, type Suggestion } from '../../../console/parts/editor/completion.ts'
import { type LanguageName, tokensOf } from '../../../console/parts/editor/languages.ts'
import { linesOf } from '../../../console/parts/editor/lines.ts'

const languages: readonly LanguageName[] = ['weir', 'sql', 'graph', 'json', 'yaml']
const coloured = (language: LanguageName, text: string): readonly string[] =>
  tokensOf(language, text).map(({ from, to, kind }) => `${kind} ${text.slice(from, to)}`)

for (const [language, text, expected] of [
  [
    'weir',
    'select avg(n) from s.t -- x',
    ['keyword select', 'function avg', 'mark (', 'mark )', 'keyword from', 'mark .', 'mark --'],
  ],
  [
    'sql',
    "SELECT 'it''s' -- all\n/* a * b */",
    ['keyword SELECT', "string 'it'", "string 's'", 'comment -- all', 'comment /* a * b */'],
  ],
  [
    'graph',
    's=>(@n A); RETURN COUNT(*)',
    ['mark =>(', 'label @n', 'mark );', 'keyword RETURN', 'function COUNT', 'mark (*)'],
  ],
  [
    'json',
    '{"a": "b", "c": -1.5, "d": true}',
    [
      'mark {',
      'name "a"',
      'mark :',
      'string "b"',
      'mark ,',
      'name "c"',
      'mark :',
      'number -1.5',
      'mark ,',
      'name "d"',
      'mark :',
      'keyword true',
      'mark }',
    ],
  ],
  [
    'yaml',
    'keep: 90d # long\nat: "x: y"\nmin: 0',
    ['name keep', 'mark :', 'comment # long', 'name at', 'mark :', 'string "x: y"', 'name min', 'mark :', 'number 0'],
  ],
] as const) {
  test(`words of ${language} have their colours`, (t) => t.deepEqual(coloured(language, text), [...expected]))
}

test('the pieces of all lines are the text, with marks anywhere, also beyond its end', (t) => {
  const piece = fc.constantFrom(
    '"',
    "'",
    '\\',
    '/*',
    '*/',
    '--',
    '#',
    '@',
    '{',
    ':',
    ' ',
    '\n',
    'select',
    'ä',
    '9',
    '`',
    '$',
  )
  const place = fc.nat(60)
  const mark = fc.record({ from: place, to: place, says: fc.constant('x'), isNote: fc.boolean() })
  fc.assert(
    fc.property(
      fc.constantFrom(...languages),
      fc.array(piece, { maxLength: 40 }),
      fc.array(mark, { maxLength: 3 }),
      (language, parts, marks) => {
        const text = parts.join('')
        const lines = linesOf(language, text, marks)
        return lines.map((pieces) => pieces.map((each) => each.text).join('')).join('\n') === text
      },
    ),
    { numRuns: 2000 },
  )
  t.pass()
})

test('the place of a fault has its mark, and its reason', (t) => {
  const [line] = linesOf('weir', 'select frm', [{ from: 7, to: 10, says: 'no' }])
  t.deepEqual(
    line?.map(({ text, look, says }) => [text, look, says]),
    [
      ['select', 'is-keyword', undefined],
      [' ', '', undefined],
      ['frm', 'has-fault', 'no'],
    ],
  )
})

test('suggestions that begin with the word come before those that have it, and a word that is whole needs none', (t) => {
  const named = (label: string, apply?: string): Suggestion => ({ label, kind: 'place', ...(apply && { apply }) })
  const options = [named('revisits'), named('visits'), named('price')]
  const labels = (word: string) => matching({ from: 0, options }, word).map(({ label }) => label)
  t.deepEqual(labels('vis'), ['visits', 'revisits'])
  t.deepEqual(labels(''), ['revisits', 'visits', 'price'])
  t.deepEqual(labels('price'), [])
  t.deepEqual(
    matching({ from: 0, options: [named('stat', `"stat": ${cursor}`)] }, '"stat').map(({ label }) => label),
    ['stat'],
  )
})
