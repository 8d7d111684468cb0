import test from 'ava'
import fc from 'fast-check'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { copyRow } from '../../../learn/algorithms/copy-row.ts'
import { describeTable as describe, type Ways } from '../../../learn/encoding/describe-table.ts'
import { encodeTable, fitEncoding } from '../../../learn/encoding/encoding.ts'
import { addEncoding } from '../../../learn/encoding/graph.ts'
import { murmur3 } from '../../../learn/encoding/murmur.ts'
import { type Table, type TableOptions, tableOf as tableOfRows } from '../../../learn/encoding/table.ts'
import type { Task } from '../../../learn/encoding/target.ts'
import { readText } from '../../../learn/formats/read-rows.ts'
import { createLayout } from '../../../learn/layout.ts'
import { createGraph } from '../../../learn/onnx/graph.ts'

const layout = createLayout({
  attributes: ['a', 'b', 'c', 't'].map((name, position) => ({ name, position })),
  attributeKind: 'hybrid',
  targetIndex: 3,
})

const places: Ways = { takesMissing: false, manyWords: 'places' }
const describeTable = (table: Table, takesMissing: boolean, manyWords = places.manyWords) =>
  describe(table, { takesMissing, manyWords })

function tableOf(csv: string, task?: Task) {
  return tableOfRows(layout, readText(csv, 'CSV', layout, { purpose: 'training', target: true }), { task })
}

test('numbers are scaled to [-1, 1] by their range, words become columns, missing ones the mean and a category', (t) => {
  const table = tableOf('1,red,5,yes\n3,blue,5,no\n,,5,yes\n5,red,5,yes\n')
  const { rows, columns, values } = encodeTable(table, fitEncoding(table, true))
  t.deepEqual([rows, columns], [4, 5])
  t.deepEqual(
    [...values],
    [
      [-1, 0, 1, 0, 0],
      [0, 0, 0, 1, 0],
      [0, 0, 0, 0, 1],
      [1, 0, 1, 0, 0],
    ].flat(),
  )
  t.deepEqual(table.target, { kind: 'classes', labels: ['yes', 'no'], classes: Int32Array.of(0, 1, 0, 0) })
  t.deepEqual(describeTable(table, false), [
    "attribute 'a': 1 of 4 missing, taken as the mean 3",
    "attribute 'b': 3 categories, 1 of 4 missing, taken as a category",
  ])
})

test('standard scaling makes the mean 0 and the deviation 1; an attribute that never changes becomes 0', (t) => {
  const table = tableOf('1e8,3,5,yes\n100000002,3,5,no\n,3,7,yes\n')
  const { values } = encodeTable(table, fitEncoding(table, 'standard'))
  const expected = [-1, 0, -Math.SQRT1_2, 1, 0, -Math.SQRT1_2, 0, 0, Math.SQRT2]
  for (const [cell, value] of values.entries()) t.true(Math.abs(value - (expected[cell] ?? 0)) < 1e-12, `${cell}`)
})

test('without scaling numbers stay as they are', (t) => {
  const table = tableOf('1,2,3,0.5\n4,5,6,1\n')
  t.deepEqual([...encodeTable(table, fitEncoding(table, false)).values], [1, 2, 3, 4, 5, 6])
  t.deepEqual(table.target, { kind: 'numbers', values: Float64Array.of(0.5, 1) })
})

test('the target follows what is asked for, then its type, then its values', (t) => {
  const kindOf = (csv: string, task?: Task) => tableOf(csv, task).target.kind
  t.deepEqual(
    [
      kindOf('1,2,3,1\n'),
      kindOf('1,2,3,1.5\n'),
      kindOf('1,2,3,yes\n'),
      kindOf('1,2,3,1\n', 'numbers'),
      kindOf('1,2,3,1.5\n', 'classes'),
      kindOf('1,2,3,4\n', 'none'),
    ],
    ['classes', 'numbers', 'classes', 'numbers', 'classes', 'none'],
  )
})

test('labels are kept in the order of their first appearance, numbers as numbers', (t) => {
  t.deepEqual(tableOf('1,1,1,7\n1,1,1,-1\n1,1,1,7\n').target, {
    kind: 'classes',
    labels: [7, -1],
    classes: Int32Array.of(0, 1, 0),
  })
})

test('a row without a target is left out, and counted', (t) => {
  const table = tableOf('1,2,3,\n4,5,6,yes\n')
  t.deepEqual([table.rows, table.dropped], [1, 1])
  t.deepEqual(describeTable(table, false), ['1 rows without a target left out'])
})

test('a cell that is no number is refused with its line, column and attribute', (t) => {
  const rows = `${'1,2,3,0\n'.repeat(10_000)}1,2,x,0\n`
  t.throws(() => tableOf(rows), { message: "line 10001, column 3, attribute 'c': 'x' is no number" })
  t.throws(() => tableOf('1,2,3,yes\n', 'numbers'), { message: "line 1, column 4, attribute 't': 'yes' is no number" })
  t.throws(() => tableOf('1,2\n1,2,3,4'), { message: /attribute 't' has position 3, but the first row has 2 cells/ })
})

const counted = (values: number) => Array.from({ length: 2 * values }, (_, i) => `1,2,3,${i % values}\n`).join('')

test('whole numbers are classes up to 20 different ones, and the log says so', (t) => {
  const [few, many] = [tableOf(counted(20)), tableOf(counted(21))]
  t.deepEqual([few.target.kind, many.target.kind], ['classes', 'numbers'])
  t.deepEqual(describeTable(few, false), [
    `target 't': whole numbers with 20 different values, taken as classes; task "regress" takes them as numbers`,
  ])
  t.deepEqual(describeTable(many, false), [
    `target 't': whole numbers with more than 20 different values, taken as numbers; task "classify" takes them as classes`,
  ])
  t.deepEqual(
    [tableOf(counted(20), 'numbers'), tableOf(counted(21), 'classes')].map(({ target }) => target.kind),
    ['numbers', 'classes'],
  )
})

const csvOf = (cells: readonly string[]) =>
  cells.map((cell, i) => `"${cell}",2,${i},${i % 2 ? 'yes' : 'no'}\n`).join('')
const notesOf = (cells: readonly string[]) => tableOf(csvOf(cells)).notes

test('a column of numbers that are written in another way is one of words, which the log tells', (t) => {
  const made = (write: (i: number) => string) => notesOf(Array.from({ length: 100 }, (_, i) => write(i)))
  t.deepEqual(
    made((i) => `${i}%`),
    [
      "attribute 'a': 100 of 100 cells look like percentages, such as '0%'; all are taken as words, and as numbers only where they are written without the sign",
    ],
  )
  t.regex(
    made((i) => (i % 2 ? `${i},500` : `${i}`))[0] ?? '',
    /50 of 100 cells look like numbers with marks between thousands, such as '1,500', and 50 are plain numbers/,
  )
  t.regex(made((i) => `${i},5`)[0] ?? '', /look like numbers with a decimal comma, such as '0,5'/)
  t.regex(made((i) => `$${i}.50`)[0] ?? '', /look like amounts of money/)
  t.regex(made((i) => `${(i % 28) + 1}/03/2024`)[0] ?? '', /look like dates, such as '1\/03\/2024'/)
  t.regex(
    made((i) => (i % 5 ? `${i}` : 'bad'))[0] ?? '',
    /80 of 100 cells are numbers, and neither are 95 of 100, .* the first that is neither is 'bad'/,
  )
  t.regex(
    made((i) => `${i}`.padStart(5, '0'))[0] ?? '',
    /100 of 100 cells have zeros in front, such as '00000', and are taken as numbers/,
  )
  t.deepEqual(
    made((i) => `word ${i % 10}`),
    [],
  )
  t.regex(made((i) => `${i}kg`)[0] ?? '', /look like numbers with a unit, such as '0kg'/)
  t.regex(made((i) => `0x${i}`)[0] ?? '', /look like hexadecimal numbers, such as '0x0'/)
  t.regex(made((i) => `${i % 24}:30`)[0] ?? '', /look like times of day, such as '0:30'/)
})

test('words that differ in blanks or case alone, words of one row each, and a column without a value are told', (t) => {
  const made = (write: (i: number) => string) => notesOf(Array.from({ length: 100 }, (_, i) => write(i)))
  const cases: readonly (readonly [(i: number) => string, readonly string[]])[] = [
    [(i) => (i % 2 ? 'red' : 'red '), ["'red ' and 'red' are two words, though they differ in blanks alone"]],
    [(i) => (i % 2 ? 'red' : 'Red'), ["'Red' and 'red' are two words, though they differ in case alone"]],
    [(i) => (i % 2 ? 'red' : ' blue'), ["1 word has blanks at an end, such as ' blue', which are a part of them"]],
    [(i) => `u${i}`, ["each row has a word of its own, such as 'u0', which tells nothing of other rows"]],
    [(i) => (i % 10 ? `${i}` : 'TRUE'), ['10 of 100 cells are true or false, taken as 1 and 0 among numbers']],
    [(i) => (i % 2 ? 'true' : 'false'), []],
    [() => 'NA', ['no row has a value']],
  ]
  for (const [write, expected] of cases) {
    t.deepEqual(
      made(write),
      expected.map((note) => `attribute 'a': ${note}`),
    )
  }
})

test('truth values in a column that is typed as numbers are told as in one without a type, and the model knows of them', (t) => {
  const layout = createLayout({
    attributes: [
      { name: 'a', position: 0, type: 'DOUBLE' },
      { name: 'b', position: 1, type: 'BOOL' },
      { name: 'c', position: 2 },
      { name: 'y', position: 3 },
    ],
    attributeKind: 'hybrid',
    targetIndex: 3,
  })
  const rows = Array.from({ length: 100 }, (_, i) => ({
    line: i + 1,
    cells: [i % 10 ? i : 'TRUE', i % 2 ? 'true' : 'false', i],
    target: i % 3 ? 'x' : 'y',
  }))
  const table = tableOfRows(layout, rows)
  t.deepEqual(table.notes, ["attribute 'a': 10 of 100 cells are true or false, taken as 1 and 0 among numbers"])
  t.deepEqual(
    table.layout.columns.map(({ booleans = false }) => booleans),
    [true, true, false],
  )
})

test('labels that may be meant as missing, or as one, and numbers of few values that are not whole are told', (t) => {
  const notesOfTarget = (write: (i: number) => string) => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ line: i + 1, cells: [i], target: write(i) }))
    const layout = createLayout({
      attributes: ['a', 'y'].map((name, position) => ({ name, position })),
      attributeKind: 'hybrid',
      targetIndex: 1,
    })
    return tableOfRows(layout, rows).notes
  }
  t.deepEqual(
    notesOfTarget((i) => ['NA', 'yes', 'no'][i % 3] ?? ''),
    ["target 'y': 'NA' is a label as others are; a row without a target has an empty cell there"],
  )
  t.deepEqual(
    notesOfTarget((i) => (i % 3 ? 'yes' : 'yes ')),
    ["target 'y': 'yes ' and 'yes' are two words, though they differ in blanks alone"],
  )
  t.deepEqual(
    notesOfTarget((i) => (i % 3 ? '0.5' : '1.5')),
    [
      'target \'y\': numbers with 2 different values, of which not all are whole, taken as numbers; task "classify" takes them as classes',
    ],
  )
  t.deepEqual(
    notesOfTarget((i) => `${i}.5`),
    [],
  )
})

test('a date in a column of numbers is a bad cell, and numbers and dates half and half are words', (t) => {
  const numbers = Array.from({ length: 100 }, (_, i) => `${i}`)
  t.throws(() => tableOf(csvOf(numbers.with(49, '2024-01-05'))), {
    message: /^line 50, .*attribute 'a': '2024-01-05' is a date among numbers$/,
  })
  const dates = numbers.map((_, i) => `2024-01-${`${(i % 28) + 1}`.padStart(2, '0')}`)
  t.throws(() => tableOf(csvOf(dates.with(49, '17'))), { message: /'17' is a number among dates$/ })
  t.regex(notesOf([...dates, ...numbers])[0] ?? '', /of 200 cells 100 are numbers and 100 are dates/)
})

test('dates are found in all rows, though the first ones have none', (t) => {
  const rows = Array.from({ length: 200_000 }, (_, i) => `${i < 9_000 ? 'none at all' : '2024-01-05'},2,3,${i % 2}\n`)
  const read = readText(rows.slice(0, 200_000).join(''), 'CSV', layout, { purpose: 'training', target: true })
  const table = tableOfRows(layout, read, { badRows: 'skip' })
  t.true(table.layout.columns[0]?.dates)
  t.true(table.notes.includes("attribute 'a': dates, taken as microseconds since 1970"))
})

test('open labels with zeros in front stay as they are written, and labels that are one number are told', (t) => {
  const of = (...labels: readonly string[]) => {
    const { target, notes } = tableOf(
      Array.from({ length: 60 }, (_, i) => `1,2,3,${labels[i % labels.length]}\n`).join(''),
    )
    return { labels: target.kind === 'classes' ? target.labels : target.kind, notes }
  }
  t.deepEqual(of('007', '7', '8').labels, ['007', '7', '8'])
  t.regex(
    of('007', '7').notes[0] ?? '',
    /target 't': labels have zeros in front, such as '007', and stay as they are written/,
  )
  const merged = of('1e3', '1000', '5')
  t.deepEqual(merged.labels, [1000, 5])
  t.regex(merged.notes[0] ?? '', /target 't': '1e3' and '1000' are one label/)
  const many = Array.from({ length: 40 }, (_, i) => `${i}`.padStart(4, '0'))
  t.is(of(...many).labels, 'numbers')
  t.throws(() => of(...Array.from({ length: 59 }, (_, i) => `${i % 3}`), 'unknown'), {
    message: /'unknown' is no number \(type STRING takes the target's cells as labels\)$/,
  })
})

test('a number that is taken for classes is refused when it has too many values', (t) => {
  t.throws(() => tableOf(counted(1001), 'classes'), { message: /more than 1000 different values.*DOUBLE/ })
})

test('a column is one of numbers where 95 of 100 cells are, wherever in the file the others stand', (t) => {
  const early = Array.from({ length: 12_000 }, (_, i) => `1,2,${i},yes\n${i},x,1,no\n`)
  const kindsOf = (bad: number) => {
    const rows = [...early, ...Array.from({ length: bad }, () => '1,2,one,no\n')].join('')
    return tableOfRows(layout, readText(rows, 'CSV', layout, { purpose: 'training', target: true }), {
      badRows: 'skip',
    })
  }
  t.deepEqual(
    kindsOf(1_200).columns.map(({ kind }) => kind),
    ['number', 'word', 'number'],
  )
  t.deepEqual(
    kindsOf(1_300).columns.map(({ kind }) => kind),
    ['number', 'word', 'word'],
  )
})

test('cells that say that a number is missing are missing in columns of numbers, and words elsewhere', (t) => {
  const table = tableOf('NA,NA,null,yes\n1,x,?,no\nn/a,y,-,no\n4,z,7,yes\n')
  t.deepEqual(
    table.columns.map((column) => [column.kind, column.missing]),
    [
      ['number', 2],
      ['word', 0],
      ['number', 3],
    ],
  )
  const own = tableOfRows(
    { ...layout, missing: ['-999', 'gap'] },
    readText('-999,a,1,x\n1,b,GAP,y\n', 'CSV', layout, { purpose: 'training', target: true }),
  )
  t.deepEqual(
    own.columns.map(({ missing }) => missing),
    [1, 0, 1],
  )
})

test('ISO dates are microseconds where no type is given, and the log says so', (t) => {
  const table = tableOf('2024-01-05,a,1,yes\n2024-01-05T12:00:00.25+01:00,b,2,no\n1970-01-01 00:00Z,c,3,no\n')
  const [first] = table.columns
  t.deepEqual(first?.kind === 'number' && [...first.values], [1_704_412_800_000_000, 1_704_452_400_250_000, 0])
  t.is(table.layout.columns[0]?.dates, true)
  t.deepEqual(describeTable(table, false).slice(0, 1), ["attribute 'a': dates, taken as microseconds since 1970"])
})

test('the first ten bad rows are named, and they may be left out up to a share', (t) => {
  const rows = Array.from({ length: 400 }, (_, i) => `1,2,${i < 12 ? 'x' : 3},yes\n`).join('')
  const typed = { ...layout, columns: layout.columns.map((column) => ({ ...column, kind: 'number' as const })) }
  const read = (options: TableOptions) =>
    tableOfRows(typed, readText(rows, 'CSV', typed, { purpose: 'training', target: true, header: 'absent' }), options)
  const refused = t.throws(() => read({}))
  t.is(refused?.message.split('; ').length, 11)
  t.regex(refused?.message ?? '', /^line 1, column 3, attribute 'c': 'x' is no number; .*; and 2 more$/)
  t.is(read({ badRows: 'skip' }).rows, 388)
  t.regex(read({ badRows: 'skip' }).notes[0] ?? '', /^bad rows left out, 12 of 400 rows: line 1, column 3/)
  t.throws(() => read({ badRows: 'skip', maxBadShare: 0.02 }), {
    message: /^12 of 400 rows are bad, more than max_bad_share 0.02 allows/,
  })
})

test('texts of a target are labels as they are written, and a declared number is one however it is written', (t) => {
  const labels = (csv: string, target = layout.target) => {
    const found = tableOfRows(
      { ...layout, ...(target && { target }) },
      readText(csv, 'CSV', layout, { purpose: 'training', target: true, header: 'absent' }),
    ).target
    return found.kind === 'classes' ? found.labels : found.kind
  }
  const declared = (kind: 'word' | 'number') => layout.target && { ...layout.target, kind, task: 'classes' as const }
  t.deepEqual(labels('1,2,3,007\n1,2,3,7\n', declared('word')), ['007', '7'])
  t.deepEqual(labels('1,2,3,007\n1,2,3,7\n', declared('number')), [7])
  t.deepEqual(labels('1,2,3,True\n1,2,3,False\n'), ['True', 'False'])
})

test('words are hashed as MurmurHash3 does it', (t) => {
  const known = {
    '': 0,
    hello: 613153351,
    'hello, world': 345750399,
    'The quick brown fox jumps over the lazy dog': 776992547,
  }
  for (const [text, hash] of Object.entries(known)) t.is(murmur3(text), hash, text)
})

test('the graph encodes as a table is encoded, bit by bit, whatever the attributes hold', async (t) => {
  const many = Array.from({ length: 200 }, (_, i) => `wörd ${i}`)
  const cell = fc.oneof(fc.constant(''), fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map(String))
  const row = fc.tuple(cell, fc.constantFrom('', 'red', 'blue', '😀'), fc.constantFrom('', ...many))
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 90, maxLength: 120 }),
      fc.constantFrom(false, true, 'standard' as const),
      fc.constantFrom('places' as const, 'statistics' as const),
      async (rows, scale, many) => {
        const table = tableOf(`1,x,y,1.5\n${rows.map((cells, i) => `${cells.join(',')},${i / 8}\n`).join('')}`)
        const learnt = Int32Array.from({ length: 80 }, (_, i) => i)
        const encoding = fitEncoding(table, scale, { rows: learnt, many })
        const graph = createGraph()
        graph.output('features', addEncoding(graph, encoding).all(), 'double', ['N', 'width'])
        const session = await InferenceSession.create(graph.bytes())
        const numbers = Float64Array.from([['1', 'x', 'y'], ...rows], ([a]) => (a === '' ? Number.NaN : Number(a)))
        const words = [['1', 'x', 'y'], ...rows].flatMap(([, b = '', c = '']) => [b, c])
        const { features } = await session.run({
          numbers: new Tensor('float64', numbers, [numbers.length, 1]),
          words: new Tensor('string', words, [numbers.length, 2]),
        })
        const encoded = encodeTable(table, encoding)
        t.deepEqual(features?.dims, [encoded.rows, encoded.columns])
        const row = new Float64Array(encoded.columns)
        for (let at = 0; at < encoded.rows; at += 1) {
          copyRow(encoded, at, row)
          t.true(row.every((value, i) => value === features?.data[at * encoded.columns + i]))
        }
      },
    ),
    { numRuns: 20 },
  )
})

test('a word that training did not see has no column, and one that is hashed has one', async (t) => {
  const rows = Array.from({ length: 10_001 }, (_, i) => `1,red,word ${i},yes\n`).join('')
  const graph = createGraph()
  graph.output('features', addEncoding(graph, fitEncoding(tableOf(rows), true)).all(), 'double', ['N', 'width'])
  const session = await InferenceSession.create(graph.bytes())
  const { features } = await session.run({
    numbers: new Tensor('float64', [1], [1, 1]),
    words: new Tensor('string', ['green', 'never seen'], [1, 2]),
  })
  const values = Array.from(features?.data ?? [], Number)
  t.is(values.length, 1 + 1 + 16_385)
  t.is(values[1], 0)
  t.is(
    values.slice(2).reduce((sum, value) => sum + value, 0),
    1,
  )
})
