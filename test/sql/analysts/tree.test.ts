import test from 'ava'
import { StatementRefusal } from '../../../sql/analysts/refusal.ts'
import { checkFormatted } from '../../../sql/analysts/statement.ts'
import type { Reach } from '../../../sql/analysts/tables.ts'
import { checkTree } from '../../../sql/analysts/tree.ts'

const answer = { place: 'answer', format: 'TSV' }
const ends = [" Literal 'answer'", ' Identifier TSV']

/** A SELECT with these nodes, each indented by its depth below the SELECT. */
const select = (nodes: readonly string[], behind: readonly string[] = ends): string =>
  [
    `SelectWithUnionQuery (children ${1 + behind.length})`,
    ' ExpressionList (children 1)',
    `  SelectQuery (children ${nodes.length})`,
    ...nodes.map((node) => `   ${node}`),
    ...behind,
    '',
  ].join('\n')

const from = (table: string): string[] => [
  'ExpressionList (children 1)',
  ' Asterisk',
  'TablesInSelectQuery (children 1)',
  ' TablesInSelectQueryElement (children 1)',
  '  TableExpression (children 1)',
  `   ${table}`,
]

const call = (name: string, ...args: string[]): string[] => [
  'ExpressionList (children 1)',
  ` Function ${name} (children 1)`,
  `  ExpressionList (children ${args.length})`,
  ...args.map((arg) => `   ${arg}`),
]

const reach: Reach = {
  databases: new Set(['air']),
  graphs: new Set(['films']),
  hides: (database) => database === 'sea',
}

test('what ClickHouse read as the fence did passes', (t) => {
  for (const [tree, by] of [
    [select(from('TableIdentifier air.flights (alias f)'))],
    [select(from('TableIdentifier air.flights')), reach],
    [select(from('TableIdentifier graph.films_rel')), reach],
    [select(from('Function numbers (alias n) (children 1)'))],
    [select(call('sumIf', 'Identifier a', "Literal 'a\\n Set'"))],
    [select(call('caseWithExpression', 'Identifier a'))],
    [select(call('in', 'Identifier flights__60', 'Identifier t'))],
    [['ShowTables (children 3)', ' Identifier air', ...ends, ''].join('\n'), reach],
    [['ExistsTableQuery air t (children 4)', ' Identifier air', ' Identifier t', ...ends].join('\n'), reach],
  ] as const) {
    t.notThrows(() => checkTree(tree, answer, by), tree)
  }
  const options = [
    'Explain EXPLAIN (children 2)',
    ' Set',
    ...select([], [])
      .trimEnd()
      .split('\n')
      .map((line) => ` ${line}`),
  ]
  t.notThrows(() => checkTree(options.join('\n'), undefined))
})

test('what ClickHouse read in another way is refused, with what it read', (t) => {
  const cases: readonly (readonly [tree: string, reason: RegExp, reach?: Reach])[] = [
    [select(['ExpressionList', 'Set']), /reads a SETTINGS clause/],
    [select([], [...ends, ' Set']), /a clause behind the statement|another clause/],
    [select([], [" Literal '/etc/passwd'", ' Identifier TSV']), /another clause behind/],
    [select([], [" Literal 'answer'", ' Identifier Template']), /another clause behind/],
    [select([], []), /another clause behind/],
    [
      select(['Subquery', ' SelectWithUnionQuery (children 2)', '  ExpressionList', '  Identifier CSV']),
      /in a subquery/,
    ],
    [select(['ASTStreamSettings']), /reads ASTStreamSettings/],
    [select(['QueryParameter x:String']), /reads QueryParameter/],
    ['AlterQuery air flights', /reads AlterQuery/],
    ['', /reads nothing/],
    ['  SelectQuery', /reads SelectQuery|nothing/],
    ['Explain EXPLAIN CURRENT TRANSACTION', /reads EXPLAIN CURRENT TRANSACTION/],
    [select(call('file', "Literal '/etc/passwd'")), /the function file/],
    [select(from('Function file (children 1)')), /the table function file/],
    [select(from('Function sum (children 1)')), /the table function sum/],
    [select(from('TableIdentifier weir.secrets (alias g)')), /the database weir/],
    [select(from('TableIdentifier weir_records.t')), /the database weir_records/],
    [select(from('TableIdentifier system.processes')), /system\.processes/],
    [select(from('TableIdentifier flights__60')), /behind the ones/],
    [select(from('TableIdentifier /etc/passwd')), /is no table/],
    [select(from('TableIdentifier system.columns (alias system.tables)')), /another table's name/],
    [select(call('in', 'Identifier a', 'Identifier flights__60')), /behind the ones/],
    [select(call('globalNotIn', 'Identifier a', 'Identifier weir.secrets')), /the database weir/],
    [select(from('TableIdentifier sea.st')), /scope read on sea/, reach],
    [select(from('TableIdentifier graph.books')), /scope read on graph\.books/, reach],
    [select(call('in', 'Identifier a', 'Identifier sea.st')), /scope read on sea/, reach],
    [['ShowTables (children 3)', ' Identifier sea', ...ends].join('\n'), /scope read on sea/, reach],
    [
      ['ExistsTableQuery weir t (children 4)', ' Identifier weir', ' Identifier t', ...ends].join('\n'),
      /database weir/,
    ],
    [select(Array.from({ length: 300_000 }, () => 'ExpressionList (children 1)')), /too many parts/],
  ]
  for (const [tree, message, by] of cases) {
    const isExplain = tree.startsWith('Explain')
    t.throws(
      () => checkTree(tree, isExplain ? undefined : answer, by),
      { instanceOf: StatementRefusal, message },
      tree.slice(0, 500),
    )
  }
})

test('a statement as ClickHouse writes it is read like one of an analyst, and has no settings', (t) => {
  t.notThrows(() =>
    checkFormatted('SELECT * APPLY toString, caseWithExpression(a, 1, 2, NULL) FROM air.flights', reach),
  )
  for (const [text, message] of [
    ['SELECT * APPLY file FROM t', /function file/],
    ['SHOW CLUSTERS', /SHOW CLUSTERS/],
    ["SELECT * FROM t UUID 'x'", /no UUID/],
    ['SELECT 1 SETTINGS max_threads = 1', /reads the setting max_threads/],
    ['SHOW TABLES FROM air WHERE name IN (SELECT 1 SETTINGS a)', /reads the setting a/],
    ['SHOW COLUMNS FROM t FROM sea', /scope read on sea/],
  ] as const) {
    t.throws(() => checkFormatted(text, reach), { instanceOf: StatementRefusal, message }, text)
  }
})
