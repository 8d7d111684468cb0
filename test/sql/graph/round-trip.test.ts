import test from 'ava'
import fc from 'fast-check'
import { type GraphQuery, parseGraph, printGraph } from '../../../sql/graph/index.ts'
import { Refusal } from '../../../sql/refusal.ts'
import { withoutPositions } from './without-positions.ts'

const at = fc.constant({ offset: 0, line: 1, column: 1 })
const nastyCharacter = fc.constantFrom(
  ...('"\'\\\n\r\t\0;*$%{}()[]<>-=@#u0n é😀\u2028\u007f\u0085\u00a0“'.match(/./gsu) ?? []),
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: nastyCharacter }),
  fc.stringMatching(/^\w{1,9}$/),
)
/** What a schema takes for a label has no colon. */
const label = text.map((value) => value.replaceAll(':', '')).filter((value) => value !== '')
const name = fc.record({ kind: fc.constantFrom('is' as const, 'starts' as const), text })

const node = fc.record({ label, name, at }, { requiredKeys: ['at'] })
const edge = fc.record(
  { relation: text.filter((value) => value !== ''), direction: fc.constantFrom('out' as const, 'in' as const), at },
  { requiredKeys: ['direction', 'at'] },
)
const query: fc.Arbitrary<GraphQuery> = fc.record({
  kind: fc.constant('query' as const),
  token: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
  pattern: fc.record({ from: node, edge, to: node }),
})

const soup = fc
  .array(
    fc.constantFrom(
      ...[
        's',
        '=>',
        '(',
        ')',
        '[',
        ']',
        '-',
        '->',
        '<-',
        '-[',
        ']->',
        '<-[',
        ']-',
        ':',
        '*',
        'a',
        '"b c"',
        "'",
        '"',
        '\\',
      ],
      ...['{', '}', '@a', '#SHORT_PATH', ';', 'RETURN', 'CREATE', '<ADD', '++', '(a:b)', '-[R]->', 's=>(a:b)-[R]->'],
      ...['$%', ' ', '\n', '\r\n', '\0', 'é', '\ud800', '\u00a0', '“'],
    ),
  )
  .map((pieces) => pieces.join(''))

function endsWellOrIsRefused(written: string): boolean {
  try {
    const printed = printGraph(parseGraph(written))
    return printGraph(parseGraph(printed)) === printed
  } catch (error) {
    return (
      error instanceof Refusal &&
      error.problems.length === 1 &&
      /^line \d+, column \d+: .*\n.*\n *\^$/s.test(error.message)
    )
  }
}

test('parsing what was printed gives the same query', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(query, (original) => {
        t.deepEqual(withoutPositions(parseGraph(printGraph(original))), withoutPositions(original))
      }),
      { numRuns: 2000 },
    ),
  )
})

test('any text is a query or is refused with its place', (t) => {
  const anyText = fc.oneof(
    soup,
    soup.map((pieces) => `s=>(a:b)-[R]->${pieces}`),
    fc.string({ unit: 'binary' }),
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  )
  t.notThrows(() => fc.assert(fc.property(anyText, endsWellOrIsRefused), { numRuns: 5000 }))
})

test('a query with one character changed is a query or is refused with its place', (t) => {
  const spoiled = fc
    .tuple(query, fc.nat(), fc.oneof(nastyCharacter, fc.constant('')))
    .map(([original, place, character]) => {
      const whole = printGraph(original)
      const index = place % whole.length
      return whole.slice(0, index) + character + whole.slice(index + 1)
    })
  t.notThrows(() => fc.assert(fc.property(spoiled, endsWellOrIsRefused), { numRuns: 3000 }))
})

test('nodes and edges know where they began', (t) => {
  t.like(parseGraph('s=>\r\n (a:b)\n-[R]->(c:d)').pattern, {
    from: { label: 'a', at: { offset: 6, line: 2, column: 2 } },
    edge: { relation: 'R', at: { offset: 12, line: 3, column: 1 } },
    to: { label: 'c', at: { offset: 18, line: 3, column: 7 } },
  })
})

test('parts that match anything are absent, not undefined', (t) => {
  const { from, edge } = parseGraph('s=>(*:*)-[*]->(*)').pattern
  t.deepEqual([Object.keys(from), Object.keys(edge)], [['at'], ['direction', 'at']])
})
