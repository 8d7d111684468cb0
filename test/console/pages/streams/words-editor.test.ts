/** The editor of definitions in words: the place that is written, completion, faults, and definitions of pasted events. */
import test from 'ava'
import fc from 'fast-check'
import { parseYaml } from '../../../../base/yaml.ts'
import { definitionOf } from '../../../../console/pages/streams/definition-of-events.ts'
import { problemsInWords } from '../../../../console/pages/streams/definition-problems.ts'
import { firstDefinition } from '../../../../console/pages/streams/first-definition.ts'
import { pathText } from '../../../../console/pages/streams/json-places.ts'
import { wordsOffered } from '../../../../console/pages/streams/words-completion.ts'
import { membersIn, yamlSpotAt } from '../../../../console/pages/streams/yaml-places.ts'
import { matching } from '../../../../console/parts/editor/completion.ts'
import { definitionSchema } from '../../../../sql/schema/words/json-schema.ts'
import { toWire } from '../../../../sql/schema/words/translate.ts'

for (const [marked, kind, path, word] of [
  ['|', 'name', '', ''],
  ['sch|', 'name', '', 'sch'],
  ['schema: sh|', 'value', 'schema', 'sh'],
  ['streams:\n  orders:\n    ke|', 'name', 'streams.orders', 'ke'],
  ['streams:\n  orders:\n    keep: 90d\n|', 'name', '', ''],
  ['streams:\n  orders:\n    keep: 90d\n    |', 'name', 'streams.orders', ''],
  ['streams:\n  orders:\n    keep: 90d\n  |', 'name', 'streams', ''],
  ['streams:\n  o:\n    attributes:\n      p: { type: nu|', 'value', 'streams.o.attributes.p.type', 'nu'],
  ['streams:\n  o:\n    attributes:\n      p: { type: number, |', 'name', 'streams.o.attributes.p', ''],
  ['streams:\n  o:\n    attributes:\n      p: { stats: [su|', 'value', 'streams.o.attributes.p.stats[0]', 'su'],
  [
    'streams:\n  o:\n    attributes:\n      p: {\n        stats: [count],\n        ev|',
    'name',
    'streams.o.attributes.p',
    'ev',
  ],
  ['streams:\n  o:\n    groups:\n      - by: [a]\n        of: x\n      - of: |', 'value', 'streams.o.groups[1].of', ''],
  ['streams:\n  o:\n    groups:\n    - by: [a]\n    - st|', 'name', 'streams.o.groups[1]', 'st'],
  ['streams:\n  o:\n    groups:\n      - { by: [a|', 'value', 'streams.o.groups[0].by[0]', 'a'],
  ['a:\n  "b c":\n    d: "x: y"\n    |', 'name', 'a.b c', ''],
  ['a:\n  b: |', 'value', 'a.b', ''],
] as const) {
  test(`a cursor in YAML at ${JSON.stringify(marked).replaceAll(' ', '·')}`, (t) => {
    const spot = yamlSpotAt(marked.replace('|', ''), marked.indexOf('|'))
    t.like(spot && { ...spot, path: pathText(spot.path) }, { kind, path, word })
  })
}

test('nothing is named in a comment, or right behind a colon', (t) => {
  for (const text of ['# sch', 'keep: 90d # lo', 'keep:']) t.is(yamlSpotAt(text, text.length), undefined)
})

test('members of a text that is laid out are those of its value', (t) => {
  const key = fc.constantFrom('a', 'b_1', 'cd', 'e')
  const tree = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.constantFrom('x', 'y: z', '# no'), tie('object')),
    object: fc.dictionary(key, tie('value'), { minKeys: 1, maxKeys: 3 }),
  })).object
  const written = (value: unknown, margin: string): string =>
    typeof value === 'string'
      ? ` ${JSON.stringify(value)}\n`
      : `\n${Object.entries(value as object)
          .map(([name, each]) => `${margin}${name}:${written(each, `${margin}  `)}`)
          .join('')}`
  const paths = (value: unknown, path: readonly string[]): readonly string[] =>
    typeof value === 'string'
      ? []
      : Object.entries(value as object).flatMap(([name, each]) => [
          [...path, name].join('/'),
          ...paths(each, [...path, name]),
        ])
  fc.assert(
    fc.property(tree, (value) => {
      t.deepEqual(
        membersIn(written(value, '')).map(({ path }) => path.join('/')),
        paths(value, []),
      )
    }),
  )
})

/** The labels that are offered at `|`. */
const offered = (marked: string): readonly string[] => {
  const at = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = wordsOffered(text, at, JSON.parse(JSON.stringify(definitionSchema)))
  return found ? matching(found, text.slice(found.from, at)).map(({ label }) => label) : []
}

test('members that a place may have are offered with what they say, without those that are there', (t) => {
  t.deepEqual(offered('sch|'), ['schema'])
  t.true(offered('schema: x\n|').includes('streams'))
  t.false(offered('schema: x\n|').includes('schema'))
  const ofStream = offered('streams:\n  orders:\n    keep: 90d\n    |')
  t.true(ofStream.includes('attributes') && ofStream.includes('filters'))
  t.false(ofStream.includes('keep'))
  t.true(offered('streams:\n  orders:\n    |\n    keep: 90d').includes('groups'))
  t.false(offered('streams:\n  orders:\n    |\n    keep: 90d').includes('keep'))
})

test('values that a place may have are offered, and what a schema calls its streams and attributes', (t) => {
  t.true(offered('streams:\n  o:\n    attributes:\n      p: |').includes('number'))
  t.deepEqual(offered('streams:\n  o:\n    attributes:\n      p: { stats: [su|'), ['summary'])
  t.true(offered('streams:\n  o:\n    strict: |').includes('true'))
  const text = 'streams:\n  orders:\n    attributes:\n      price: number\n    groups:\n      - { by: [|'
  t.deepEqual(offered(text), ['price'])
  t.true(offered(`${text.replace('|', '')}]}\njoins:\n  paid: { first: |`).includes('orders'))
})

test('a fault has its place by the line and the column that the service says', (t) => {
  const text = 'schema: shop\nstreams:\n  orders:\n    keep: soon\n'
  const at = (sentence: string) =>
    problemsInWords(text, [sentence]).map(({ from, to, line, says }) => [text.slice(from, to), line, says])
  t.deepEqual(at('streams.orders.keep (line 4, column 11): must be a time'), [
    ['soon', 4, 'streams.orders.keep: must be a time'],
  ])
  t.deepEqual(at('line 2, column 1: a key twice'), [['streams', 2, 'a key twice']])
  t.deepEqual(at('nothing is said of a place'), [['schema', 1, 'nothing is said of a place']])
  t.deepEqual(at('x (line 99, column 99): y'), [['', 5, 'x: y']])
})

test('of events a definition is written that the service takes, with types that fit all of them', (t) => {
  const begun = definitionOf(
    [
      '{"_pk":1,"customer":"ann","price":1,"paid":true,"gone":null,"item":{"sku":"a","n":2},"tags":["x"],"null":"y","x-y":1}',
      '{"customer":"ben","price":1.5,"mixed":1,"gone":"now"}',
      '{"mixed":"a"}',
    ].join('\n'),
    'shop',
    'orders',
  )
  if (!('definition' in begun)) return t.fail(begun.problem)
  t.is(
    begun.definition,
    `schema: shop
streams:
  orders:
    keep: 90d
    attributes:
      customer: text
      price: { type: number, stats: [summary] }
      paid: boolean
      item:
        type: json
        fields:
          sku: text
          n: integer
      tags: json
      "null": text
      # "x-y": a name has letters, digits and underscores, and begins with a letter
      # mixed: the events have values of several types
      gone: text
`,
  )
  for (const text of [begun.definition, firstDefinition]) {
    const { value } = parseYaml(text, 'the definition')
    t.notThrows(() => toWire(value as never))
  }
})

test('any events give a definition that is YAML of the names that they have', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 4 })), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.string(),
      (events, name) => {
        const begun = definitionOf(events.map((event) => JSON.stringify(event)).join('\n'), name || 's', 'st')
        if ('definition' in begun) parseYaml(begun.definition, 'the definition')
        t.true('definition' in begun || begun.problem !== '')
      },
    ),
    { numRuns: 500 },
  )
})

for (const [what, text, problem] of [
  ['nothing', ' ', /^Paste an event/],
  ['no JSON', '{"a":1}\n{"b"', /^Line 2 is no JSON/],
  ['a number', '5', /^An event is a JSON object/],
  ['an empty list', '[]', /^An event is a JSON object/],
  ['an empty event', '{"_pk":1}', /^The event has no member/],
] as const) {
  test(`of ${what} no definition is written, and the reason says what to paste`, (t) => {
    const begun = definitionOf(text, 's', 'st')
    t.regex('problem' in begun ? begun.problem : '', problem)
  })
}
