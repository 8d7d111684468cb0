/** Files of a project as texts: questions with their heads, and names of tables. */
import test from 'ava'
import fc from 'fast-check'
import { questionIn, questionText } from '../../../clients/node/cli/project/questions.ts'
import { codes, tableFiles, tablesIn } from '../../../clients/node/cli/project/tables.ts'
import { usual } from '../../../clients/node/cli/project/templates.ts'
import { toYaml, yamlIn } from '../../../clients/node/cli/project/yaml.ts'
import { decodeNotification } from '../../../sql/notification/decode.ts'
import { keyTypes, knownForms, tableTypes } from '../../../sql/schema/codes.ts'
import { rounds } from '../../support/random/seed.ts'

const nasty = fc.constantFrom(...('*/*/"\'\\\n\r\t:#-?,[]{}&!|>%@` \u0085\u00a0\u2028é😀a1'.match(/./gsu) ?? []))
const text = fc.oneof(
  fc.string({ unit: nasty }),
  fc.string({ unit: nasty, minLength: 100, maxLength: 300 }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '*/',
    '*/15 * * * *',
    '/* a */',
    'a */ b',
    '\n*/\n',
    'true',
    '0x1',
    '~',
    '1_000',
    '<<',
    '---',
    '...',
    ' \n',
  ),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0)),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any
const head = fc.dictionary(
  text.filter((name) => name !== 'sql'),
  value,
  { maxKeys: 4 },
)
const plain = (each: unknown): unknown =>
  JSON.parse(JSON.stringify(each, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)))

test('a question that is written as a file is read as the same question', (t) => {
  fc.assert(
    fc.property(text, head, (sql, members) => {
      t.deepEqual(plain(questionIn(questionText({ ...members, sql }), 'q.sql')), plain({ ...members, sql: sql.trim() }))
    }),
    { numRuns: rounds(3_000, 500) },
  )
})

test('members that are written as YAML are read as the same members', (t) => {
  fc.assert(
    fc.property(head, (members) => t.deepEqual(plain(yamlIn(toYaml(members), 'q.yaml')), plain(members))),
    { numRuns: rounds(3_000, 500) },
  )
})

const every = { schedule: [{ cron: '*/15 * * * *' }], sql: 'SELECT 1' }
const read: readonly [string, string, object][] = [
  ['no head', 'SELECT 1\n', { sql: 'SELECT 1' }],
  ['a head in one line', '/* cache_s: 1 */ SELECT 1\n', { cache_s: 1, sql: 'SELECT 1' }],
  [
    'a head that ends behind its last value',
    '/*\ncache_s: 1 */\nSELECT 1 /* a */\n',
    { cache_s: 1, sql: 'SELECT 1 /* a */' },
  ],
  [
    'a head that ends behind its last value, and a later comment whose end begins a line',
    '/*\ncache_s: 1 */\nSELECT 1 /* a\n*/ + 1\n',
    { cache_s: 1, sql: 'SELECT 1 /* a\n*/ + 1' },
  ],
  ['a head that is indented', '\n/*\n  cache_s: 1\n  */\nSELECT 1\n', { cache_s: 1, sql: 'SELECT 1' }],
  ['lines that end with CR LF', '/*\r\ncache_s: 1\r\n*/\r\nSELECT 1\r\n', { cache_s: 1, sql: 'SELECT 1' }],
  ['an end of a comment in quotes', '/*\nschedule: [{ cron: "*/15 * * * *" }]\n*/\nSELECT 1\n', every],
  ['an end of a comment with an escape', '/*\nschedule: [{ cron: "*\\/15 * * * *" }]\n*/\nSELECT 1\n', every],
  ['the same in one line', '/* schedule: [{ cron: "*\\/15 * * * *" }] */ SELECT 1\n', every],
  ['an empty head before a comment', '/* */ /* one */ SELECT 1\n', { sql: '/* one */ SELECT 1' }],
  ['a comment that has no end', '/* SELECT 1\n', { sql: '/* SELECT 1' }],
]
for (const [what, file, question] of read)
  test(`a question with ${what} is read`, (t) => t.deepEqual(plain(questionIn(file, 'q.sql')), question))

for (const file of ['/* one */ SELECT 1\n', '/* schedule: [{ cron: "*/15 * * * *" }] */ SELECT 1\n'])
  test(`${JSON.stringify(file)} is refused with the forms that are right`, (t) => {
    const message =
      /^q\.sql: .*; a comment at the beginning of a question is its head: "\*\\\/" in double quotes is \*\/ in it, and/
    t.throws(() => questionIn(file, 'q.sql'), { message })
  })

const piece = (name: string, value = {}) => ({ path: `tables/${name}.yaml`, name, value })
const placesOf = (...pieces: ReturnType<typeof piece>[]) =>
  tablesIn(pieces).map(({ database, name }) => [database, name])

test('a table has the database of its file’s name, of the file, or mydb; two files of one table are refused', (t) => {
  const { message: twice } = t.throws(() => placesOf(piece('a', { database: 'd' }), piece('d.a')))
  t.is(twice, 'tables/d.a.yaml: table d.a is in tables/a.yaml, too: keep one of the files')
  const { message: other } = t.throws(() => placesOf(piece('d.a', { database: 'x' })))
  t.is(
    other,
    'tables/d.a.yaml: its name says database d, and it has database x: leave that out, or name the file x.a.yaml',
  )
  t.deepEqual(placesOf(piece('a'), piece('d.a'), piece('e.a', { database: 'e' }), piece('b', { database: 'd' })), [
    ['mydb', 'a'],
    ['d', 'a'],
    ['e', 'a'],
    ['d', 'b'],
  ])
})

test('tables of one name have files of their own, which they keep', (t) => {
  const pathsOf = (places: readonly string[], there: readonly string[] = []) =>
    tableFiles(
      places.map((place) => ({ database: place.split('.')[0] ?? '', name: place.split('.')[1] ?? '', settings: {} })),
      (path) => there.includes(path),
    ).map(({ path, value }) => [path, value])
  t.deepEqual(pathsOf(['d.a', 'mydb.a', 'x.b']), [
    ['tables/a.yaml', {}],
    ['tables/d.a.yaml', {}],
    ['tables/b.yaml', { database: 'x' }],
  ])
  t.deepEqual(pathsOf(['d.a'], ['tables/d.a.yaml']), [['tables/d.a.yaml', {}]])
})

test('names of codes, and what a template has where nothing is said, are the service’s', (t) => {
  for (const [member, table] of Object.entries({ table_type: tableTypes, key_type: keyTypes })) {
    const named = Object.entries(codes[member] ?? {})
    t.deepEqual([...new Set(named.flat())].toSorted(), knownForms(table).toSorted())
    for (const [number, name] of table.entries) t.is(codes[member]?.[name], number ?? undefined)
  }
  t.deepEqual({ notifid: 1, ...usual }, { ...decodeNotification({ notifid: 1 }).notification })
})
