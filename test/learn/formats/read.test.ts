import test from 'ava'
import { Refusal } from '../../../base/refusal.ts'
import { createUtf8Decoder, invalid } from '../../../learn/formats/decode-utf8.ts'
import type { ReadOptions } from '../../../learn/formats/format.ts'
import { type FormatName, formats } from '../../../learn/formats/index.ts'
import { maxRowLength } from '../../../learn/formats/lines.ts'
import { readText } from '../../../learn/formats/read-rows.ts'
import { isBroken, placeOf, type ReadRow } from '../../../learn/formats/row.ts'
import { createLayout } from '../../../learn/layout.ts'

const layout = createLayout({
  attributes: [
    { name: 'age', position: 0, type: 'LONG' },
    { name: 'city', position: 1, type: 5 },
    { name: 'height', position: 2, type: 11 },
    { name: 'label', position: 3, type: 'STRING' },
  ],
  attributeKind: 'hybrid',
  targetIndex: 3,
})
const numbersOnly = createLayout({
  attributes: [1, 2, 5].map((position) => ({ name: `f${position}`, position })),
  attributeKind: 'number',
  targetIndex: 0,
})
const onlyText = createLayout({
  attributes: [
    { name: 'label', position: 0 },
    { name: 'text', position: 1 },
  ],
  attributeKind: 'word',
  targetIndex: 0,
})

const layoutOf = (names: readonly string[]) =>
  createLayout({
    attributes: names.map((name, position) => ({ name, position })),
    attributeKind: 'hybrid',
    targetIndex: names.length - 1,
  })

type Options = {
  readonly target?: boolean
  readonly purpose?: 'training' | 'prediction'
  readonly of?: typeof layout
  readonly header?: ReadOptions['header']
}

/** One line a row: its number, its cells with `-` for missing, and its target. */
function shown(text: string, format: FormatName, options: Options = {}) {
  const { target = true, purpose = 'training', of = layout, header } = options
  try {
    return readText(text, format, of, { target, purpose, header }).map((row) =>
      isBroken(row)
        ? placeOf(row)
        : `${row.line}: ${row.cells.map((cell) => cell ?? '-').join(' ')} > ${row.target ?? '-'}`,
    )
  } catch (error) {
    if (error instanceof Refusal && error.message.startsWith('the first row is a header')) return [error.message]
    throw error
  }
}

const cases: readonly (readonly [string, FormatName, string, readonly string[], Options?])[] = [
  ['cells stand at the positions of their attributes', 'CSV', '7,Rome,1.5,yes\n', ['1: 7 Rome 1.5 > yes']],
  ['a last line needs no end, and blank lines are no rows', 'CSV', '\n7,Rome,1.5,yes', ['2: 7 Rome 1.5 > yes']],
  ['an empty cell is missing', 'CSV', ',,1.5,\r\n', ['1: - - 1.5 > -']],
  ['a cell of blanks alone is empty', 'CSV', '  ,\t," ", \n', ['1: - - - > -']],
  ['a header is no row', 'CSV', 'age,city,height,label\n7,Rome,1.5,yes', ['2: 7 Rome 1.5 > yes']],
  [
    'blanks round the names of a header are none of them',
    'CSV',
    'age, city, height ,label\n7,Rome,1.5,yes',
    ['2: 7 Rome 1.5 > yes'],
  ],
  ['the order of a header counts', 'CSV', 'label,id,height,city,age\nyes,1,1.5,Rome,7', ['2: 7 Rome 1.5 > yes']],
  [
    'quotes hold separators, quotes and line feeds, and lines still count',
    'CSV',
    '7,"Rome, ""IT""\nLazio",1.5,yes\n8,Oslo,2,no',
    ['1: 7 Rome, "IT"\nLazio 1.5 > yes', '3: 8 Oslo 2 > no'],
  ],
  ['a quote inside of a plain cell is a character', 'CSV', '7,5" pipe,1.5,yes', ['1: 7 5" pipe 1.5 > yes']],
  [
    'ragged rows are broken, and the ones after them are not',
    'CSV',
    '7,Rome,1.5,yes\n7,Rome\n8,Oslo,2,no',
    [
      '1: 7 Rome 1.5 > yes',
      'line 2: the row has 2 cells in place of 4; the attributes are age, city, height',
      '3: 8 Oslo 2 > no',
    ],
  ],
  [
    'text after a closing quote is broken',
    'CSV',
    '7,"Rome"x,1.5,yes',
    ['line 1, column 2: text follows the closing quote of a cell'],
  ],
  [
    'a quote that never closes is told',
    'CSV',
    '7,"Rome\nx,y',
    ['line 1: a quoted cell of the row has no closing quote'],
  ],
  ['bytes that are no UTF-8 are told', 'CSV', `7,R${invalid}me,1.5,yes`, ['line 1: the row is no UTF-8']],
  [
    'a row of several lines of which one is no UTF-8 is refused as a whole, and the row after it is not',
    'CSV',
    [
      `7,"x\n${invalid} mid\nend",1.5,yes`,
      `8,"x\nend${invalid}",1.5,yes`,
      `9,"x${invalid}\nmid\nend",1.5,yes`,
      `3,"x${invalid}"y,1.5,yes`,
      '4,Oslo,2,no',
    ].join('\n'),
    [
      'line 1: the row is no UTF-8',
      'line 4: the row is no UTF-8',
      'line 6: the row is no UTF-8',
      'line 9: the row is no UTF-8',
      '10: 4 Oslo 2 > no',
    ],
  ],
  [
    'a row with a line that is no UTF-8 and a quote that never closes is told by both',
    'CSV',
    `7,"x\n${invalid}\n8,Oslo,2,no`,
    ['line 1: the row is no UTF-8: a quoted cell of the row has no closing quote'],
  ],
  ['the character U+FFFD is one like others', 'CSV', '7,R\ufffdme,1.5,yes', ['1: 7 R\ufffdme 1.5 > yes']],
  [
    'a header with another word in a name names another column',
    'CSV',
    'LABEL,City (name?),Height,AGE\nyes,Rome,1.5,7',
    [
      'the first row is a header that names other columns: it has LABEL, City (name?), Height, AGE; the attributes are age, city, height, label; header 0 takes it for a row',
    ],
  ],
  [
    'case, blanks and punctuation of a header do not count',
    'CSV',
    'La-bel, CITY ,He_ight,Age\nyes,Rome,1.5,7',
    ['2: 7 Rome 1.5 > yes'],
  ],
  [
    'a row of texts above a column of numbers is a header, and one of other columns is refused',
    'CSV',
    'years,town,metres,class\n7,Rome,1.5,yes',
    [
      'the first row is a header that names other columns: it has years, town, metres, class; the attributes are age, city, height, label; header 0 takes it for a row',
    ],
  ],
  [
    'a first row that may be none is a row where the request says so',
    'CSV',
    'years,Rome,metres,class\n7,Rome,1.5,yes',
    ['1: years Rome metres > class', '2: 7 Rome 1.5 > yes'],
    { header: 'absent' },
  ],
  [
    'a first row that names the attributes is a row where the request says so',
    'CSV',
    'age,city,height,label\n7,Rome,1.5,yes',
    ['1: age city height > label', '2: 7 Rome 1.5 > yes'],
    { header: 'absent' },
  ],
  [
    'a header that the request promises is there',
    'CSV',
    '7,Rome,1.5,yes\n8,Oslo,2,no',
    [
      'the first row is a header that names other columns: it has 7, Rome, 1.5, yes; the attributes are age, city, height, label; header 0 takes it for a row',
    ],
    { header: 'present' },
  ],
  [
    'a missing number in the first row makes no header of it',
    'CSV',
    'NA,Rome,,yes\n7,Oslo,2,no',
    ['1: NA Rome - > yes', '2: 7 Oslo 2 > no'],
  ],
  [
    'a row to predict whose numbers are none is a header, which has to fit the model',
    'CSV',
    'years,town,metres\n7,Rome,1.5',
    [
      'the first row is a header that names other columns: it has years, town, metres; the attributes are age, city, height; header 0 takes it for a row',
    ],
    { purpose: 'prediction', target: false },
  ],
  [
    'a row to predict has the attributes in order',
    'CSV',
    '7,Rome,1.5',
    ['1: 7 Rome 1.5 > -'],
    { purpose: 'prediction', target: false },
  ],
  [
    'a row to predict may be asked to bring its target',
    'CSV',
    '7,Rome,1.5,no',
    ['1: 7 Rome 1.5 > no'],
    { purpose: 'prediction' },
  ],
  [
    'a target that comes first is asked for first',
    'CSV',
    '1,7,8,9',
    ['1: 7 8 9 > 1'],
    { purpose: 'prediction', of: numbersOnly },
  ],
  ['positions may leave columns out', 'CSV', '1,7,8,x,x,9', ['1: 7 8 9 > 1'], { of: numbersOnly }],
  [
    'positions may count from 1',
    'CSV',
    '7,8,1',
    ['1: 7 8 > 1'],
    {
      of: createLayout({
        attributes: ['a', 'b', 'c'].map((name, i) => ({ name, position: i + 1 })),
        attributeKind: 'number',
        targetIndex: 3,
      }),
    },
  ],

  ['members are found by name', 'JSON', '{"city":"Rome","x":1,"age":7,"label":"yes"}', ['1: 7 Rome - > yes']],
  [
    'a dotted name is a path',
    'JSON',
    '{"p":{"a":4},"t":1}',
    ['1: 4 > 1'],
    {
      of: createLayout({
        attributes: [
          { name: 'p.a', position: 0 },
          { name: 't', position: 1 },
        ],
        attributeKind: 'number',
        targetIndex: 1,
      }),
    },
  ],
  [
    'integers beyond a double stay exact as words',
    'JSON',
    '{"city":9007199254740993}',
    ['1: - 9007199254740993 - > -'],
  ],
  ['a first line of labels is no row', 'JSON', '{"labels":["yes"]}\n{"age":7}', ['2: 7 - - > -']],
  [
    'an array is rows, whatever its line feeds',
    'JSON',
    ' \n[\n{"age":7,\n"city":"a]},["},\n{"age":8}]\n',
    ['3: 7 a]},[ - > -', '5: 8 - - > -'],
  ],
  ['an empty array has no rows', 'JSON', '[]', []],
  [
    'a broken element of an array is told, and the ones after it are read',
    'JSON',
    '[{"age":7},\n{"age":1}, {"age"},5,{"age":8}]',
    [
      '1: 7 - - > -',
      '2: 1 - - > -',
      "line 2, column 18: the row is no JSON: Expected ':' after property name",
      'line 2: the row is no JSON object',
      '2: 8 - - > -',
    ],
  ],
  [
    'an array that does not end is told',
    'JSON',
    '[{"age":7},\n',
    ['1: 7 - - > -', 'line 2: the array has no closing bracket'],
  ],
  [
    'text after an array is told',
    'JSON',
    '[{"age":7}]\n{"age":8}',
    ['1: 7 - - > -', 'line 2: text follows the end of the array'],
  ],
  [
    'an object in place of a cell is told',
    'JSON',
    '{"city":{"a":1}}',
    ["line 1, attribute 'city': an object or an array, in place of a number or a text"],
  ],

  [
    'features stand at the positions of their attributes, absent ones are 0',
    'SVM',
    '+1 1:7 5:9 # note',
    ['1: 7 0 9 > +1'],
    { of: numbersOnly },
  ],
  [
    'a line to predict needs no label',
    'SVM',
    '1:7',
    ['1: 7 0 0 > -'],
    { of: numbersOnly, purpose: 'prediction', target: false },
  ],
  ['nan is missing', 'SVM', '1 1:nan', ['1: - 0 0 > 1'], { of: numbersOnly }],
  [
    'what no LIBSVM line holds is told with its place',
    'SVM',
    '1:7\n1 2:3 1:7\n1 1:7 x\n1 4:2\n1 1:\n1 -1:2',
    [
      'line 1: the row has no label before its features',
      'line 2, column 7: index 1 follows 2; indices must ascend',
      "line 3, column 7: 'x' is no index:value",
      'line 4: no attribute has position 4',
      "line 5, column 3: '1:' is no index:value",
      "line 6, column 3: '-1:2' is no index:value",
    ],
    { of: numbersOnly },
  ],

  [
    'names find values, quoted ones with blanks',
    'KV',
    'label:yes city:"New ""York""" age:7 other:x',
    ['1: 7 New "York" - > yes'],
  ],
  ['an empty value is missing', 'KV', 'age: city:a:b', ['1: - a:b - > -']],
  [
    'a comma or semicolon before the name of an attribute parts values, and any other is part of one',
    'KV',
    [
      'age:7,city:Rome,IT,height:1.5,label:yes',
      'age:7, city:"a, age:8", height:,label:no',
      'city:a;b;age:8;label:yes',
      'city:http://x,other:y age:9',
    ].join('\n'),
    ['1: 7 Rome,IT 1.5 > yes', '2: 7 a, age:8 - > no', '3: 8 a;b - > yes', '4: 9 http://x,other:y - > -'],
  ],
  [
    'what is no pair is told with its place',
    'KV',
    'age:7 oops city:x\nage:7 age:8\nage:"7',
    [
      'line 1, column 7: no name:value stands here',
      "line 2, attribute 'age': the row names it twice",
      'line 3, column 5: no name:value stands here',
    ],
  ],

  ['a label, a tab and the text', 'TEXT', 'good\tall\twell\n', ['1: all\twell > good'], { of: onlyText }],
  [
    'a text to predict has no label',
    'TEXT',
    'all\twell',
    ['1: all\twell > -'],
    { of: onlyText, purpose: 'prediction', target: false },
  ],
  [
    'a line without a tab is told',
    'TEXT',
    'all well',
    ['line 1: no tab stands between the label and the text'],
    { of: onlyText },
  ],
]

for (const [title, format, text, expected, options] of cases) {
  test(`${format}: ${title}`, (t) => {
    t.deepEqual(shown(text, format, options), [...expected])
  })
}

test('an attribute that the rows do not reach is refused by name', (t) => {
  t.throws(() => shown('1,2', 'CSV'), { message: /attribute 'label' has position 3, but the first row has 2 cells/ })
})

test('formats that find attributes by name need the name of the target', (t) => {
  const unnamed = createLayout({ attributes: [{ name: 'a', position: 0 }], attributeKind: 'number', targetIndex: 4 })
  t.throws(() => shown('{"a":1}', 'JSON', { of: unnamed }), { message: /target_idx is 4.*JSON needs its name/ })
})

test('a first row above columns of words, none of which comes again, is told to be taken for data', (t) => {
  const words = layoutOf(['island', 'sex', 'species'])
  const rows = Array.from(
    { length: 20 },
    (_, i) => `${i % 2 ? 'Biscoe' : 'Dream'},${i % 3 ? 'f' : 'm'},${i % 2 ? 'x' : 'y'}\n`,
  ).join('')
  const doubtsOf = (header: string) => {
    const doubts: string[] = []
    const options = {
      purpose: 'training',
      target: true,
      doubt: (sentence: string) => void doubts.push(sentence),
    } as const
    readText(`${header}${rows}`, 'CSV', words, options)
    return doubts
  }
  t.regex(
    doubtsOf('isle,gender,kind\n').join(),
    /^the first row \(isle, gender, kind\) is taken for data, and may be a header/,
  )
  t.deepEqual([doubtsOf(''), doubtsOf('island,sex,species\n')], [[], []])
})

test('a first row above texts that all differ is told by its label, which no other row has', (t) => {
  const texts = layoutOf(['text', 'label'])
  const rows = Array.from({ length: 20 }, (_, i) => `good and bad ${i},${i % 2 ? 'a' : 'b'}\n`).join('')
  const doubtsOf = (header: string) => {
    const doubts: string[] = []
    const doubt = (sentence: string) => void doubts.push(sentence)
    readText(`${header}${rows}`, 'CSV', texts, { purpose: 'training', target: true, doubt })
    return doubts.length
  }
  t.deepEqual(
    [doubtsOf('Nachricht,Art\n'), doubtsOf('another,a\n'), doubtsOf(`${'a text '.repeat(10)},c\n`)],
    [1, 0, 0],
  )
})

test('a header that names an attribute twice is refused, and other names may come twice', (t) => {
  const [twice, beside] = [layoutOf(['a', 'b', 'c']), layoutOf(['a', 'b', 'c'])]
  t.throws(() => shown('a,a,b,c\n1,2,3,4\n', 'CSV', { of: twice }), { message: "the header names 'a' twice" })
  t.deepEqual(shown('a,x,x,b,c\n1,9,9,2,3\n', 'CSV', { of: beside }), ['2: 1 2 > 3'])
})

test('a column without a name in the header is named by its place', (t) => {
  t.deepEqual(shown(',a,b\n0,1,2\n', 'CSV', { of: layoutOf(['column_1', 'a', 'b']) }), ['2: 0 1 > 2'])
})

test('a header that comes again between rows is none of them', (t) => {
  const words = layoutOf(['island', 'sex', 'species'])
  t.deepEqual(shown('island,sex,species\nDream,f,x\nisland,sex,species\nBiscoe,m,y\n', 'CSV', { of: words }), [
    '2: Dream f > x',
    'line 3: the row repeats the header',
    '4: Biscoe m > y',
  ])
})

test('a header that lacks one of two attributes is refused of rows to predict, which have no target', (t) => {
  const options = { of: layoutOf(['a', 'b', 'c']), purpose: 'prediction', target: false } as const
  t.regex(shown('a,x\n1,2\n', 'CSV', options).join(), /has a, x; the attributes are a, b; header 0/)
})

test('a feature at the position of the label is refused, as scikit-learn counts features from 0', (t) => {
  t.deepEqual(shown('1 0:3 1:1\n', 'SVM', { of: numbersOnly }), [
    'line 1: no attribute has position 0; features count from 1, which dump_svmlight_file of scikit-learn writes with zero_based=False',
  ])
})

test('a header that lacks an attribute is refused as one', (t) => {
  const layout = layoutOf(['a', 'b', 'c'])
  t.throws(() => readText('a,b\n1,2\n3,4\n', 'CSV', layout, { purpose: 'training', target: true }), {
    message: /^the first row is a header that names other columns: it has a, b; the attributes are a, b, c/,
  })
})

for (const [what, bytes] of [
  ['packed by gzip', [0x1f, 0x8b, 8, 0]],
  ['a ZIP archive', [0x50, 0x4b, 3, 4]],
  ['text in UTF-16', [0xff, 0xfe, 0x61, 0]],
] as const) {
  test(`${what} is refused with what to do`, (t) => {
    t.throws(() => createUtf8Decoder().push(Uint8Array.from(bytes)), { message: new RegExp(`^the data are ${what}`) })
  })
}

test('a quote too many costs a bounded part of a file', (t) => {
  const rows = shown(`1,"a,1,y\n${'7,Rome,1.5,yes\n'.repeat(100_000)}`, 'CSV')
  t.is(rows[0], 'line 1: a quoted cell of the row has no closing quote')
  t.true(rows.length > 25_000)
  t.is(rows.at(-1), '100001: 7 Rome 1.5 > yes')
})

test('a column that an attribute names exactly is no other attribute, and no column is two', (t) => {
  const of = layoutOf(['price', 'price (€)', 'y'])
  const header = (names: string) => shown(`${names}\n1,2,3\n`, 'CSV', { of, header: 'present' })
  t.deepEqual(header('price (€),price,y'), ['2: 2 1 > 3'])
  t.deepEqual(header('Price,price (€),y'), ['2: 1 2 > 3'])
  const both = /the first row is a header that names other columns: it has .*; the attributes are price, price \(€\), y/
  t.regex(header('price (€),other,y').join(), both)
  t.regex(header('PRICE,other,y').join(), both)
  const target = layoutOf(['income', 'INCOME'])
  t.regex(
    shown('INCOME\n1\n', 'CSV', { of: target, target: false, purpose: 'prediction', header: 'present' }).join(),
    /names other columns/,
  )
})

test('few rows show whether the first is a header where they are long', (t) => {
  const rows: ReadRow[] = []
  const options = { purpose: 'training', target: true } as const
  const reader = formats.CSV.createReader(layout, options, (row) => rows.push(row))
  const line = `7,${'x'.repeat(2 ** 20)},1.5,yes\n`
  for (let i = 0; i < 20; i++) reader.push(line)
  t.is(rows.length, 20)
})

test('a line of blanks alone is no row of a CSV, and one of tabs is a row of empty cells where they part them', (t) => {
  t.deepEqual(shown('7,Rome,1.5,yes\n   \n8,Oslo,2,no\n', 'CSV'), ['1: 7 Rome 1.5 > yes', '3: 8 Oslo 2 > no'])
  const of = { ...layout, separator: '\t' }
  t.deepEqual(shown('7\tRome\t1.5\tyes\n\t\t\t\n', 'CSV', { of }), ['1: 7 Rome 1.5 > yes', '2: - - - > -'])
})

test('a first line of texts that names label and text is a header, or as the request says', (t) => {
  const of = layoutOf(['text', 'label'])
  const lines = 'good\tfine day\nbad\train\n'
  t.deepEqual(shown(`Label\tText\n${lines}`, 'TEXT', { of }), ['2: fine day > good', '3: rain > bad'])
  t.is(shown(`Label\tText\n${lines}`, 'TEXT', { of, header: 'absent' }).length, 3)
  t.is(shown(`kind\tnote\n${lines}`, 'TEXT', { of, header: 'present' }).length, 2)
  t.is(shown(`kind\tnote\n${lines}`, 'TEXT', { of }).length, 3)
})

test('a first line of texts whose label does not come again is told', (t) => {
  const doubts: string[] = []
  const lines = Array.from({ length: 20 }, (_, i) => `${i % 2 ? 'a' : 'b'}\ttext ${i}\n`).join('')
  const options = {
    purpose: 'training',
    target: true,
    doubt: (sentence: string) => void doubts.push(sentence),
  } as const
  readText(`kind\tnote\n${lines}`, 'TEXT', layoutOf(['text', 'label']), options)
  readText(`a\tnote\n${lines}`, 'TEXT', layoutOf(['text', 'label']), options)
  t.is(doubts.length, 1)
  t.regex(doubts.join(), /the first row \(kind, note\) is taken for data, and may be a header/)
})

test('a line of more than 16 Mi characters costs the whole of its row of several lines, and no other', (t) => {
  const long = 'x'.repeat(maxRowLength + 1)
  const tail = '8,Oslo,2,no'
  const told = 'line 1: a row has more than 16 Mi characters'
  const kept = (line: number) => `${line}: 8 Oslo 2 > no`
  t.deepEqual(shown(`7,"x\n${long}\nend",1.5,yes\n${tail}`, 'CSV'), [told, kept(4)])
  t.deepEqual(shown(`7,"x\n${long}",1.5,yes\n${tail}`, 'CSV'), [told, kept(3)])
  t.deepEqual(shown(`7,"${long}\nend",1.5,yes\n${tail}`, 'CSV'), [told, kept(3)])
  t.deepEqual(shown(`7,${long},1.5,yes\n${tail}`, 'CSV'), [told, kept(2)])
})

test('a row of JSON that names a member twice is broken, and the member is named', (t) => {
  const of = layoutOf(['a', 'b'])
  const twice = (member: string) => `line 1, attribute '${member}': the row names it twice`
  const rows: readonly (readonly [string, string])[] = [
    ['{"a":1,"a":2,"b":3}', twice('a')],
    ['[{"a":1,"b":3,"\\u0061":2}]', twice('a')],
    ['{"a":1,"b":3,"c":{"d":[{"e":1}],"d":2}}', twice('c.d')],
    ['{"a":1,"b":3,"c":[{"x":"a:b"},{"x":1}],"d":{"a":":","x":"\\"a\\":"}}', '1: 1 > 3'],
    ['{"a":"10:30:00","b":"{\\"a\\":1,\\"a\\":2}"}', '1: 10:30:00 > {"a":1,"a":2}'],
  ]
  for (const [row, expected] of rows) t.deepEqual(shown(row, 'JSON', { of }), [expected], row)
})
