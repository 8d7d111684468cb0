/** Rows that a client sends to be predicted are read between other requests. */
import test from 'ava'
import { headerOf } from '../../../learn/formats/csv.ts'
import { type FormatName, formats } from '../../../learn/formats/index.ts'
import { namesInKv } from '../../../learn/formats/kv.ts'
import { readText } from '../../../learn/formats/read-rows.ts'
import { splitSvm } from '../../../learn/formats/svm.ts'
import { createLayout } from '../../../learn/layout.ts'
import { staysQuick } from '../../support/stays-quick.ts'

const layout = createLayout({
  attributes: [
    { name: 'a', position: 1 },
    { name: 'b', position: 2 },
  ],
  attributeKind: 'hybrid',
  targetIndex: 2,
})
const options = { purpose: 'prediction', target: false, header: 'named' } as const

const rows: readonly (readonly [name: string, format: FormatName, row: (pieces: number) => string])[] = [
  ['commas', 'KV', (n) => ','.repeat(n)],
  ['commas without a colon', 'KV', (n) => `${',a'.repeat(n)}`],
  ['names', 'KV', (n) => Array.from({ length: n }, (_, i) => `n${i}:1`).join(' ')],
  ['blanks behind pairs', 'KV', (n) => `${Array.from({ length: n }, (_, i) => `n${i}:1`).join(' ')}${' '.repeat(n)}`],
  ['quotes', 'KV', (n) => `a:"${'""'.repeat(n)}x`],
  ['commas in a value', 'KV', (n) => `a:${',b'.repeat(n)}`],
  ['features', 'SVM', (n) => Array.from({ length: n }, (_, i) => `${i + 1}:1`).join(' ')],
  [
    'features of which the last is wrong',
    'SVM',
    (n) => `${Array.from({ length: n }, (_, i) => `${i + 1}:1`).join(' ')} x`,
  ],
  ['lines of quotes in an open cell', 'CSV', (n) => `"\n${'""\n'.repeat(n)}`],
  ['cells before an open cell', 'CSV', (n) => `${'a,'.repeat(n)}"\n${'""\n'.repeat(n)}`],
  ['quotes', 'CSV', (n) => '"'.repeat(n)],
  ['commas', 'CSV', (n) => ','.repeat(n)],
  ['braces', 'JSON', (n) => '{"a":'.repeat(n)],
  ['brackets', 'JSON', (n) => '['.repeat(n)],
  ['blanks', 'TEXT', (n) => ' '.repeat(n)],
]

for (const [name, format, row] of rows)
  test(`a row to predict is read in time: ${format}, ${name}`, (t) =>
    staysQuick(t, name, (pieces) => readText(row(pieces), format, layout, options), 512 * 1024))

test('a header and the names of a row are found in time', (t) => {
  staysQuick(t, 'header', (n) => headerOf(`"\n${'""\n'.repeat(n)}`, layout, options), 256 * 1024)
  staysQuick(t, 'names', (n) => namesInKv(','.repeat(n)), 256 * 1024)
})

test('a line that comes in many pieces is put together in time', (t) => {
  staysQuick(
    t,
    'pieces',
    (n) => {
      const reader = formats.CSV.createReader(layout, options, () => {})
      for (let i = 0; i < n; i++) reader.push('a'.repeat(64))
      reader.end()
    },
    128 * 1024,
  )
})

test('the place of a broken feature is that of its own text', (t) => {
  t.deepEqual(splitSvm('1 2:1  1:1 3:1', 7), { line: 7, column: 8, reason: 'index 1 follows 2; indices must ascend' })
  t.deepEqual(splitSvm(' 1:1 1:1', 7), { line: 7, column: 6, reason: 'index 1 follows 1; indices must ascend' })
})

test('a cell that goes on over lines is one cell, with the cells before and behind it', (t) => {
  const one = createLayout({
    attributes: [0, 1, 2].map((position) => ({ name: `c${position}`, position })),
    attributeKind: 'hybrid',
  })
  const [row, next] = readText('a,"b ""\n\n"" c\r\nd",e\n1,2,3', 'CSV', one, { ...options, header: 'absent' })
  t.deepEqual(row && 'cells' in row && row.cells, ['a', 'b "\n\n" c\nd', 'e'])
  t.deepEqual(next && 'cells' in next && next.cells, ['1', '2', '3'])
})
