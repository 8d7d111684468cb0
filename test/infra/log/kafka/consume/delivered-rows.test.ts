import test from 'ava'
import { deliveredRows, refusedRow } from '../../../../../infra/log/kafka/consume/delivered-rows.ts'

const foreign = "none of Weir's lines, it has no _seq"
const rejected = (line: string) => ({
  _lane: 2,
  _position: 1008,
  _line: line,
  _reason: `partition 2, offset 7: ${foreign}`,
})

const table: readonly (readonly [title: string, value: string | null, rows: readonly object[]])[] = [
  [
    "Weir's lines",
    '{"_pk":-5,"_seq":9007199254740993,"n":1}\n{"_pk":1700000000000000,"_seq":2}\n',
    [
      { _lane: 2, _position: 1008, _pk: -5, n: 1 },
      { _lane: 2, _position: 1008, _pk: 1700000000000000, _seq: 2 },
    ],
  ],
  [
    'a last line without its end',
    '{"_pk":1,"_seq":2,"t":"ü🙂"}',
    [{ _lane: 2, _position: 1008, _pk: 1, _seq: 2, t: 'ü🙂' }],
  ],
  ['blank lines', '\n  \n{"_pk":1,"_seq":2}\n\n', [{ _lane: 2, _position: 1008, _pk: 1, _seq: 2 }]],
  ['a line of another writer', '{"n":"ü"}', [rejected('{"n":"ü"}')]],
  ['one without a number', '{"_pk":1,"_seq":0}', [rejected('{"_pk":1,"_seq":0}')]],
  [
    'one among others',
    '{"_pk":1,"_seq":2}\nnonsense "\\\n{"_pk":3,"_seq":4}\n',
    [
      { _lane: 2, _position: 1008, _pk: 1, _seq: 2 },
      { _lane: 2, _position: 1008, _pk: 3, _seq: 4 },
      rejected('nonsense "\\'),
    ],
  ],
  ['several of another writer: one row', 'a\n{"_pk":1,"_seq":2}\nb', [{ _pk: 1, _seq: 2 }, rejected('a\nb')]],
  ['a record without a value', null, []],
  ['an empty one', '', []],
]

for (const [title, value, rows] of table) {
  test(`a record becomes rows of its place: ${title}`, (t) => {
    const made = deliveredRows({ offset: 7, value: value === null ? null : Buffer.from(value) }, 2, 1008)
    const read = made.lines
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    t.is(made.rows, rows.length)
    t.is(read.length, rows.length)
    for (const [index, row] of rows.entries()) t.like(read[index], row)
    t.is(made.rejected, rows.filter((row) => '_reason' in row).length)
  })
}

test('digits beyond 2^53 and bytes that are no UTF-8 stand as they came', (t) => {
  const value = Buffer.concat([
    Buffer.from('{"_pk":1,"_seq":9007199254740993,"t":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}\n'),
  ])
  const { lines } = deliveredRows({ offset: 0, value }, 0, 1)
  t.true(lines.includes('9007199254740993'))
  t.true(lines.includes(Buffer.from([0xff, 0xfe])))
})

test('a record that ClickHouse refuses is one row, with what it said', (t) => {
  const value = Buffer.from('{"_pk":1,"_seq":2,"n":"x"}\n{"_pk":3,"_seq":4}\n')
  const row = refusedRow(deliveredRows({ offset: 7, value }, 2, 1008), 1008, 'cannot parse "x"')
  t.deepEqual(JSON.parse(row.toString('utf8')), {
    ...{ _lane: 2, _position: 1008, _line: value.toString('utf8') },
    _reason: 'partition 2, offset 7: cannot parse "x"',
  })
})
