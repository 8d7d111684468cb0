import test from 'ava'
import fc from 'fast-check'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { describeTable, encodeTable, fitEncoding } from '../../../learn/encoding/encoding.ts'
import { addEncoding } from '../../../learn/encoding/graph.ts'
import { murmur3 } from '../../../learn/encoding/murmur.ts'
import { createTableBuilder } from '../../../learn/encoding/table.ts'
import type { Task } from '../../../learn/encoding/target.ts'
import { readText } from '../../../learn/formats/read-rows.ts'
import { createLayout } from '../../../learn/layout.ts'
import { createGraph } from '../../../learn/onnx/graph.ts'

const layout = createLayout({
  attributes: ['a', 'b', 'c', 't'].map((name, position) => ({ name, position })),
  attributeKind: 'hybrid',
  targetIndex: 3,
})

function tableOf(csv: string, task?: Task) {
  const builder = createTableBuilder(layout, task)
  builder.add(readText(csv, 'CSV', layout, { purpose: 'training', target: true }))
  return builder.finish()
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

test('a number that is taken for classes is refused when it has too many values', (t) => {
  const rows = Array.from({ length: 1001 }, (_, i) => `1,2,3,${i}\n`).join('')
  t.throws(() => tableOf(rows), { message: /more than 1000 different values.*DOUBLE/ })
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

test('the graph encodes as training does, bit by bit, whatever the attributes hold', async (t) => {
  const many = Array.from({ length: 200 }, (_, i) => `wörd ${i}`)
  const cell = fc.oneof(fc.constant(''), fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map(String))
  const row = fc.tuple(cell, fc.constantFrom('', 'red', 'blue', '😀'), fc.constantFrom('', ...many))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 90, maxLength: 120 }), fc.boolean(), async (rows, scale) => {
      const table = tableOf(`1,x,y,yes\n${rows.map((cells) => `${cells.join(',')},yes\n`).join('')}`)
      const encoding = fitEncoding(table, scale)
      const graph = createGraph()
      graph.output('features', addEncoding(graph, encoding), 'double', ['N', 'width'])
      const session = await InferenceSession.create(graph.bytes())
      const numbers = Float64Array.from([['1', 'x', 'y'], ...rows], ([a]) => (a === '' ? Number.NaN : Number(a)))
      const words = [['1', 'x', 'y'], ...rows].flatMap(([, b = '', c = '']) => [b, c])
      const { features } = await session.run({
        numbers: new Tensor('float64', numbers, [numbers.length, 1]),
        words: new Tensor('string', words, [numbers.length, 2]),
      })
      const encoded = encodeTable(table, encoding)
      t.deepEqual(features?.dims, [encoded.rows, encoded.columns])
      t.true(encoded.values.every((value, i) => value === features?.data[i]))
    }),
    { numRuns: 20 },
  )
})

test('a word that training did not see has no column, and one that is hashed has one', async (t) => {
  const rows = Array.from({ length: 100 }, (_, i) => `1,red,word ${i},yes\n`).join('')
  const graph = createGraph()
  graph.output('features', addEncoding(graph, fitEncoding(tableOf(rows), true)), 'double', ['N', 'width'])
  const session = await InferenceSession.create(graph.bytes())
  const { features } = await session.run({
    numbers: new Tensor('float64', [1], [1, 1]),
    words: new Tensor('string', ['green', 'never seen'], [1, 2]),
  })
  const values = Array.from(features?.data ?? [], Number)
  t.is(values.length, 1 + 1 + 257)
  t.is(values[1], 0)
  t.is(
    values.slice(2).reduce((sum, value) => sum + value, 0),
    1,
  )
})
