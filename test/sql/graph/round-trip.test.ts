import test from 'ava'
import fc from 'fast-check'
import { Refusal } from '../../../base/refusal.ts'
import { graphExpressions, parseExpressionIn } from '../../../sql/expression/index.ts'
import {
  type Comparison,
  type Condition,
  type EdgeFunction,
  type Formula,
  type GraphQuery,
  type Item,
  type Pattern,
  type Property,
  parseGraph,
  parseStatement,
  printGraph,
  type Returning,
} from '../../../sql/graph/index.ts'
import { createSourceText } from '../../../sql/query/source-text.ts'
import { rounds } from '../../support/random/seed.ts'
import { withoutPositions } from './without-positions.ts'

const place = { offset: 0, line: 1, column: 1 }
const at = fc.constant(place)
const nastyCharacter = fc.constantFrom(
  ...('"\'\\\n\r\t\0;*$%{}()[]<>-=@#u0n é😀\u2028\u007f\u0085\u00a0“'.match(/./gsu) ?? []),
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: nastyCharacter }),
  fc.stringMatching(/^\w{1,9}$/),
)
/** A label that a schema takes has no colon. */
const label = text.map((value) => value.replaceAll(':', '')).filter((value) => value !== '')
const name = fc.record({ kind: fc.constantFrom('is' as const, 'starts' as const), text })

const word = fc.oneof(
  fc.stringMatching(/^[A-Za-z_]\w{0,8}$/),
  text.filter((value) => value !== ''),
)
const columnName = word.map((name) => ({ name, at: place }))
const value = fc.oneof(
  fc.constantFrom('1', '-2.5', '1e3', '56789012345678900').map((number) => ({ kind: 'number' as const, text: number })),
  text.map((value) => ({ kind: 'text' as const, text: value })),
  text.map((value) => ({ kind: 'starts' as const, text: value })),
)
const formula = fc
  .constantFrom('$a+1', 'DATE_YEAR($born+0)', '-$x*($y - curtime)', '$"two words"/2')
  .map((written) => ({
    kind: 'formula' as const,
    text: written,
    expression: parseExpressionIn(createSourceText(written), 0, written.length, graphExpressions),
  }))
const operator = fc.constantFrom('=', '!=', '>', '>=', '<', '<=', '~', '!~' as const)
const comparisonOf = <Left>(left: fc.Arbitrary<Left>): fc.Arbitrary<Comparison<Left>> =>
  fc.oneof(
    fc.record({ left, operator, value, at }),
    fc.record({
      left,
      operator: fc.constantFrom('~' as const, '!~' as const),
      value: fc.constant({ kind: 'missing' as const }),
      at,
    }),
  )
const filter = fc.array(
  comparisonOf<Property | Formula>(
    fc.oneof(
      word.map((name) => ({ kind: 'property' as const, name })),
      formula,
    ),
  ),
  { minLength: 1, maxLength: 3 },
)
const patternNode = fc.record({ label, name, filter, at }, { requiredKeys: ['at'] })
const call: fc.Arbitrary<EdgeFunction> = fc.nat(1_000_000).map((metres) => ({ kind: 'radius', metres }))
const edge = fc.record(
  {
    relation: text.filter((value) => value !== ''),
    direction: fc.constantFrom('out' as const, 'in' as const),
    filter,
    call,
    at,
  },
  { requiredKeys: ['direction', 'at'] },
)

/** Every place has an alias: `n0`, `e0`, ... */
const pattern: fc.Arbitrary<Pattern> = fc
  .tuple(fc.array(fc.tuple(edge, patternNode), { maxLength: 4 }), patternNode, fc.boolean())
  .map(([steps, first, isNested]) => {
    const nested = isNested && steps.length > 1
    return {
      nodes: [first, ...steps.map(([, node]) => node)].map((node, index) => ({ alias: `n${index}`, ...node })),
      links: steps.map(([step, _], index) => ({
        edge: { alias: `e${index}`, ...step },
        from: nested && index === 1 ? 0 : index,
        to: index + 1,
      })),
      ...(nested && { nested: 't' }),
    }
  })

const item: fc.Arbitrary<Item> = fc.oneof(
  word.map((name) => ({ kind: 'member' as const, member: { alias: 'n0', name, at: place } })),
  fc.record({
    kind: fc.constant('aggregate' as const),
    aggregate: fc.constantFrom('COUNT', 'UCOUNT', 'SUM', 'EXKURT' as const),
    of: fc.record({ alias: fc.constant('n0'), name: word, at }, { requiredKeys: ['alias', 'at'] }),
    at,
  }),
  fc.record({ kind: fc.constant('aggregate' as const), aggregate: fc.constant('COUNT' as const), at }),
)
/** Each column has a name of its own, and one is in every clause. */
const returning: fc.Arbitrary<Returning> = fc
  .record({
    items: fc.array(item, { minLength: 1, maxLength: 4 }),
    names: fc.uniqueArray(columnName, { minLength: 5, maxLength: 5, selector: ({ name: own }) => own }),
    operator,
    value,
    limit: fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined }),
    descending: fc.boolean(),
    clauses: fc.nat(7),
  })
  .map(({ items, names, limit, descending, clauses, ...compared }) => {
    const [column = { name: 'never', at: place }] = names
    const [first, ...others] = items.map((each, index) => ({ ...each, as: names[index] ?? column }))
    const left = { kind: 'compare' as const, left: column, ...compared, at: place }
    const where: Condition = { kind: 'or', terms: [{ kind: 'and', terms: [left, left] }, left] }
    return {
      items: first ? [first, ...others] : [],
      ...(clauses & 1 && { where }),
      ...(clauses & 2 && { sort: { column, descending } }),
      ...(clauses & 4 && limit !== undefined && { limit }),
    }
  })
const query: fc.Arbitrary<GraphQuery> = fc.record(
  {
    kind: fc.constant('query' as const),
    token: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
    modifier: fc.record(
      {
        kind: fc.constantFrom('SYMM', 'ASYMM', 'DISTINCT', 'UNIQUE' as const),
        max: fc.integer({ min: 1, max: 99 }),
        at,
      },
      { requiredKeys: ['kind', 'at'] },
    ),
    pattern,
    returning: fc.oneof(returning, fc.constant<Returning>({ items: '*' })),
  },
  { requiredKeys: ['kind', 'token', 'pattern'] },
)

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
      ...[
        '{',
        '}',
        '@a',
        '#SHORT_PATH',
        ';',
        'RETURN',
        'CREATE',
        '<ADD',
        '++',
        '(a:b)',
        '-[R]->',
        's=>(a:b)-[R]->',
        '(@a a:b)',
        'a.name',
        'WHERE',
        ',',
        '>',
        '=',
        'COUNT(*)',
        ' AS ',
        'LIMIT 5',
        '{x=1}',
        'AND',
        '; RETURN ',
      ],
      ...['$%', ' ', '\n', '\r\n', '\0', 'é', '\ud800', '\u00a0', '“'],
    ),
  )
  .map((pieces) => pieces.join(''))

function endsWellOrIsRefused(written: string): boolean {
  try {
    const printed = printGraph(parseStatement(written))
    return printGraph(parseStatement(printed)) === printed
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
      { numRuns: rounds(2000, 600) },
    ),
  )
})

test('any text is a query or is refused with its place', (t) => {
  const anyText = fc.oneof(
    soup,
    soup.map((pieces) => `s=>(a:b)-[R]->${pieces}`),
    soup.map((pieces) => `s=>(@a a:b)-[R]->(*); RETURN a.name ${pieces}`),
    fc.string({ unit: 'binary' }),
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  )
  t.notThrows(() => fc.assert(fc.property(anyText, endsWellOrIsRefused), { numRuns: rounds(5000, 1500) }))
})

test('a query with one character changed is a query or is refused with its place', (t) => {
  const spoiled = fc
    .tuple(query, fc.nat(), fc.oneof(nastyCharacter, fc.constant('')))
    .map(([original, place, character]) => {
      const whole = printGraph(original)
      const index = place % whole.length
      return whole.slice(0, index) + character + whole.slice(index + 1)
    })
  t.notThrows(() => fc.assert(fc.property(spoiled, endsWellOrIsRefused), { numRuns: rounds(1000, 400) }))
})

test('nodes and edges know where they began', (t) => {
  t.like(parseGraph('s=>\r\n (a:b)\n-[R]->(c:d)').pattern, {
    nodes: [
      { label: 'a', at: { offset: 6, line: 2, column: 2 } },
      { label: 'c', at: { offset: 18, line: 3, column: 7 } },
    ],
    links: [{ edge: { relation: 'R', at: { offset: 12, line: 3, column: 1 } }, from: 0, to: 1 }],
  })
})

test('parts that match anything are absent, not undefined', (t) => {
  const { nodes, links } = parseGraph('s=>(*:*)-[*]->(*)').pattern
  t.deepEqual([...nodes, links[0]?.edge ?? {}].map(Object.keys), [['at'], ['at'], ['direction', 'at']])
})

test('a text of millions of words is refused where it has too many, before its end', (t) => {
  const items = `s=>(@a A:*); RETURN ${'a.x '.repeat(20_000)} ~`
  const refusal = t.throws(() => parseStatement(items), { instanceOf: Refusal })
  t.regex(refusal?.message ?? '', /^line 1, column 66675: a statement has at most 50000 words and signs\n/)
})
