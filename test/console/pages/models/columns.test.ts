import test from 'ava'
import {
  columnsOf,
  hasHeader,
  looksLikeKey,
  suggestedTarget,
  targetFault,
  taskOf,
} from '../../../../console/pages/models/columns.ts'
import { readCsv, separatorOf } from '../../../../console/pages/models/read-csv.ts'

test('a CSV is read as RFC 4180 has it, and a row that may go on is left out', (t) => {
  const text = '\ufeffa,b\r\n"x, ""y""","two\nlines"\n\n1,\nhalf a ro'
  t.deepEqual(readCsv(text, ',', false), [
    ['a', 'b'],
    ['x, "y"', 'two\nlines'],
    ['1', ''],
  ])
  t.deepEqual(readCsv('a,b\n1,2', ',', true), [
    ['a', 'b'],
    ['1', '2'],
  ])
  t.deepEqual(readCsv('', ',', true), [])
})

for (const [text, separator] of [
  ['a,b,c\n1,2,3\n', ','],
  ['a;b\n1,5;2,5\n3,5;4,5\n', ';'],
  ['a\tb\n1, 2\t3\n', '\t'],
  ['a|b|c\n1|2|3\n', '|'],
  ['"a;b",c\n"1;2",3\n', ','],
  ['one column\nof words\n', ','],
] as const) {
  test(`the separator of ${JSON.stringify(text)} is ${JSON.stringify(separator)}`, (t) => {
    t.is(separatorOf(text), separator)
  })
}

for (const [title, rows, expected] of [
  ['names above numbers', ['a,b', '1,2'], true],
  ['names above words', ['colour,size', 'red,small', 'blue,large'], true],
  ['a row of numbers first', ['1,2', '3,4'], false],
  ['a word that is a value below', ['red,1', 'blue,2', 'red,3'], false],
  ['a name twice', ['a,a', '1,2'], false],
  ['a date first', ['2026-01-01,x', '2026-01-02,y'], false],
  ['one row alone', ['a,b'], false],
] as const) {
  test(`${title}: the first row is ${expected ? 'a header' : 'data'}`, (t) => {
    t.is(hasHeader(rows.map((row) => row.split(','))), expected)
  })
}

const customers = [
  'id,name,plan,visits,spent,since,churned',
  ...Array.from({ length: 40 }, (_, i) =>
    [
      1000 + i,
      `n${i}`,
      ['free', 'pro'][i % 2],
      i % 9,
      i % 10 === 3 ? 'NA' : i * 1.5,
      `2026-01-${10 + (i % 20)}`,
      i % 4 ? 'no' : 'yes',
    ].join(),
  ),
].map((row) => row.split(','))

test('columns are recognised: numbers, dates, words, missing cells, and how many values there are', (t) => {
  const columns = columnsOf(customers, true)
  t.deepEqual(
    columns.map(({ name, type, missing, distinct }) => [name, type, missing, distinct]),
    [
      ['id', 'number', 0, 40],
      ['name', 'word', 0, 40],
      ['plan', 'word', 0, 2],
      ['visits', 'number', 0, 9],
      ['spent', 'number', 4, 36],
      ['since', 'date', 0, 20],
      ['churned', 'word', 0, 2],
    ],
  )
  t.like(columns[4], { min: 0, max: 58.5, isWhole: false })
  t.deepEqual(columns[6]?.values, [
    ['no', 30],
    ['yes', 10],
  ])
  t.deepEqual(
    columns.filter(looksLikeKey).map(({ name }) => name),
    ['id', 'name'],
  )
})

test('a column of words keeps - and none as words, one of numbers has them missing', (t) => {
  const [words, numbers] = columnsOf(
    [
      ['-', '-'],
      ['none', '1'],
      ['x', '2'],
    ],
    false,
  )
  t.like(words, { name: 'column_1', type: 'word', missing: 0, distinct: 3 })
  t.like(numbers, { name: 'column_2', type: 'number', missing: 1, distinct: 2 })
})

test('95 of 100 numbers make a column of numbers, 94 one of words', (t) => {
  const column = (numbers: number) =>
    columnsOf(
      Array.from({ length: 100 }, (_, i) => [i < numbers ? String(i) : 'bad']),
      false,
    )[0]
  t.is(column(95)?.type, 'number')
  t.is(column(94)?.type, 'word')
})

test('the target that is suggested is called like one, else the last column that may be', (t) => {
  const columns = columnsOf(customers, true)
  t.is(suggestedTarget(columns)?.name, 'churned')
  t.is(suggestedTarget(columns.slice(0, 6))?.name, 'spent')
  t.is(suggestedTarget(columnsOf([['a'], ['1'], ['1']], true)), undefined)
})

test('a column that tells rows apart alone, or has one value, is said to be no target', (t) => {
  const faults = columnsOf(customers, true).map((column) => [column.name, targetFault(column) !== undefined])
  t.deepEqual(Object.fromEntries(faults), {
    id: false,
    name: true,
    plan: false,
    visits: false,
    spent: false,
    since: true,
    churned: false,
  })
})

test('words and few whole numbers are classes, other numbers are numbers', (t) => {
  const tasks = columnsOf(customers, true).map((column) => taskOf(column))
  t.deepEqual(tasks, ['numbers', 'classes', 'classes', 'classes', 'numbers', 'numbers', 'classes'])
})
