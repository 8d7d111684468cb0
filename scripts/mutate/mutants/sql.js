// Mutants of the compiler.

const statistics = 'test/api/streams/statistics.test.ts'

export const sql = [
  {
    id: 'skewness-off-by-one',
    breaks: 'The skewness in an answer divides by n - 1 and not by n - 2.',
    file: 'sql/schema/statistic-values.ts',
    find: '((Math.sqrt(n * (n - 1)) / (n - 2)) *',
    put: '((Math.sqrt(n * (n - 1)) / (n - 1)) *',
    tests: [statistics],
  },
  {
    id: 'view-deviation-of-all',
    breaks: "The deviation in analysts' views is that of a whole population, not of a sample.",
    file: 'sql/schema/statistics.ts',
    find: '`sqrt(${c}[1] / (${n} - 1))`',
    put: '`sqrt(${c}[1] / ${n})`',
    tests: ['test/api/analysts/reading.test.ts'],
  },
  {
    id: 'interval-one-early',
    breaks: 'An aggregate over a period leaves out the interval that begins with its end.',
    file: 'sql/query/compile/intervals.ts',
    find: 'AND ${intervalColumn} <= ${to}`',
    put: 'AND ${intervalColumn} < ${to}`',
    tests: [statistics],
  },
  {
    id: 'window-not-dropped',
    breaks: 'Events older than `swsz` are still shown.',
    file: 'sql/query/compile/source.ts',
    find: "stream.window === 0 ? 'true'",
    put: "stream.window >= 0 ? 'true'",
    tests: ['test/api/streams/window.test.ts'],
  },
  {
    id: 'literal-unescaped',
    breaks: 'A quote in a text is not escaped in the SQL that is made of it.',
    file: 'sql/literal.ts',
    find: `text.replace(/[\\\\'\\0`,
    put: 'text.replace(/[\\\\\\0',
    tests: ['test/sql/literal.test.ts'],
  },
  {
    id: 'identifier-unchecked',
    breaks: 'Any text passes as an identifier.',
    file: 'sql/identifier.ts',
    find: '!allowed.test(name)',
    put: 'allowed.test("")',
    tests: ['test/sql/identifier.test.ts'],
  },
  {
    id: 'exclude-groupby-ignored',
    breaks: 'Columns in EXCLUDE_GROUPBY group all the same.',
    file: 'sql/graph/columns.ts',
    find: 'isExcluded: excluded.has(name)',
    put: 'isExcluded: excluded.has("")',
    tests: ['test/sql/graph/constructs.test.ts'],
  },
  {
    id: 'row-document-lost-rest',
    breaks: 'Members of an event that its schema does not declare are not shown.',
    file: 'sql/query/compile/rows.ts',
    find: `"if(_rest = '', _document,`,
    put: `"if(1, _document,`,
    tests: ['test/api/streams/queries/queries.test.ts'],
  },
  {
    id: 'analysts-any-function',
    breaks: 'Analysts may call any function, those that read files among them.',
    file: 'sql/analysts/functions.ts',
    find: 'return allowed.has(base) ||',
    put: 'return base !== "" ||',
    tests: ['test/sql/analysts/statement.test.ts', 'test/api/analysts/fence.test.ts'],
  },
]
