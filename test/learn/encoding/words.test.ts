import test from 'ava'
import { copyRow } from '../../../learn/algorithms/copy-row.ts'
import { type Features, isSparse, type Target } from '../../../learn/dataset.ts'
import { describeTable } from '../../../learn/encoding/describe-table.ts'
import { encodeLearnt, encodeTable, fitEncoding, type WordColumns } from '../../../learn/encoding/encoding.ts'
import { murmur3 } from '../../../learn/encoding/murmur.ts'
import { type Table, type TableOptions, tableOf } from '../../../learn/encoding/table.ts'
import { createWordColumn, narrowed } from '../../../learn/encoding/words.ts'
import { createLayout } from '../../../learn/layout.ts'

const layout = createLayout({
  attributes: [
    { name: 'word', position: 0, type: 'STRING' },
    { name: 'target', position: 1 },
  ],
  attributeKind: 'hybrid',
  targetIndex: 1,
})

const tableWith = (rows: readonly (readonly [word: string, target: string | number])[], options: TableOptions = {}) =>
  tableOf(
    layout,
    rows.map(([word, target], i) => ({ line: i + 1, cells: [word], target })),
    options,
  )

const distinct = (count: number) => Array.from({ length: count }, (_, i) => [`w${i}`, i / 8] as const)
const ofItsOwn = "attribute 'word': each row has a word of its own, such as 'w0', which tells nothing of other rows"
const linesOf = (table: Table, manyWords: WordColumns = 'places') =>
  describeTable(table, { takesMissing: false, manyWords })

test('up to 10,000 different words have a place each, more are hashed, and the log says which and why', (t) => {
  const most = tableWith(distinct(10_000))
  t.deepEqual(linesOf(most), [ofItsOwn, "attribute 'word': 10,000 categories"])
  t.deepEqual(linesOf(most, 'statistics'), [
    ofItsOwn,
    "attribute 'word': 10,000 categories, split by the mean of the target",
  ])
  const more = tableWith([...distinct(10_001), ['', 0]])
  t.deepEqual(linesOf(more), [
    "attribute 'word': words hashed into 16,384 buckets, as there are more than 10,000 different ones, 1 of 10,002 missing, taken as a category",
  ])
  const features = encodeTable(more, fitEncoding(more, false))
  t.deepEqual(
    [0, 1, 10_000, 10_001].map((row) => (isSparse(features) ? features.indices[row] : undefined)),
    ['w0', 'w1', 'w10000'].map((word) => murmur3(word) % 16_384).concat(16_384),
  )
})

test('with buckets words are hashed into so many, however few they are', (t) => {
  const table = tableWith([...distinct(3), ['', 1]], { buckets: 5 })
  t.deepEqual(linesOf(table), [
    "attribute 'word': words hashed into 5 buckets, as the request asks, 1 of 4 missing, taken as a category",
  ])
  t.deepEqual(
    rowsOf(encodeTable(table, fitEncoding(table, false))).map((row) => row.indexOf(1)),
    [...['w0', 'w1', 'w2'].map((word) => murmur3(word) % 5), 5],
  )
})

test('words that are too long to keep are hashed, and the room that they took is free again', (t) => {
  const room = { left: 100 * (80 + 2 * 3) }
  const column = createWordColumn('word', { room })
  for (let i = 100; i < 200; i += 1) column.add(String(i))
  t.is(room.left, 0)
  const other = createWordColumn('other', { room })
  for (let i = 100; i < 164; i += 1) other.add(String(i))
  t.true('categories' in other.finish().encoding)
  other.add('200')
  const { encoding, why } = other.finish()
  t.deepEqual([encoding, why], [{ name: 'other', buckets: 16_384 }, 'long'])
  column.add('200')
  t.is(column.finish().why, 'long')
  t.is(room.left, 100 * (80 + 2 * 3))
})

test('for want of memory words are hashed into half as many places and less, but not against the request', (t) => {
  const table = tableWith([...distinct(200), ['', 0]])
  const [word] = table.columns
  if (word?.kind !== 'word') return t.fail()
  const fewer = narrowed(word)
  t.deepEqual(fewer?.encoding, { name: 'word', buckets: 64 })
  t.deepEqual(
    [...(fewer?.codes ?? [])].slice(0, 3),
    ['w0', 'w1', 'w2'].map((text) => murmur3(text) % 64),
  )
  t.is(fewer?.codes[200], 64)
  const fewest = fewer && narrowed(fewer)
  t.deepEqual(
    [...(fewest?.codes ?? [])].slice(0, 3),
    ['w0', 'w1', 'w2'].map((text) => murmur3(text) % 32),
  )
  t.deepEqual(linesOf({ ...table, columns: fewest === undefined ? [] : [fewest] }), [
    ofItsOwn,
    "attribute 'word': words hashed into 32 buckets, as more columns would take more memory than trainings may, 1 of 201 missing, taken as a category",
  ])
  const [asked] = tableWith(distinct(200), { buckets: 128 }).columns
  t.is(asked?.kind === 'word' ? narrowed(asked) : 'no word', undefined)
})

test('up to 64 words are columns of their own to all, as they were', (t) => {
  const table = tableWith(distinct(64))
  t.deepEqual(fitEncoding(table, false, { many: 'statistics' }), fitEncoding(table, false))
})

function rowsOf(features: Features): number[][] {
  const row = new Float64Array(features.columns)
  return Array.from({ length: features.rows }, (_, at) => {
    copyRow(features, at, row)
    return [...row]
  })
}

/** Rows of 70 words, three each, whose targets follow the word. */
const threeEach = (target: (word: number, row: number) => string | number) =>
  Array.from({ length: 210 }, (_, row) => [`w${row % 70}`, target(row % 70, row)] as const)

const statisticsOf = (table: Table, rows?: Int32Array) => {
  const encoding = fitEncoding(table, false, { rows, many: 'statistics' })
  const { statistics } = encoding.words[0] ?? {}
  if (statistics === undefined) throw new Error('there are no statistics')
  return { encoding, statistics }
}

/** By the textbook: variances within and between the groups of one-way analysis, and means drawn by their ratio. */
function drawnMeans(groups: readonly (readonly number[])[]): { readonly means: number[]; readonly overall: number } {
  const all = groups.flat()
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const overall = mean(all)
  const within =
    groups.reduce((sum, own) => sum + own.reduce((part, value) => part + (value - mean(own)) ** 2, 0), 0) /
    (all.length - groups.length)
  const between = groups.reduce((sum, own) => sum + own.length * (mean(own) - overall) ** 2, 0) / (groups.length - 1)
  const size = (all.length - groups.reduce((sum, own) => sum + own.length ** 2, 0) / all.length) / (groups.length - 1)
  const weight = within / ((between - within) / size)
  return {
    overall,
    means: groups.map((own) => (own.length * mean(own) + weight * overall) / (own.length + weight)),
  }
}

test('a word of many is the mean of its targets, drawn to that of all by the variances of both', (t) => {
  const target = (word: number, row: number) => Math.sin(word) + Math.cos(17 * row) / 2
  const table = tableWith([...threeEach(target), ['w0', 3.25], ['', 1.5]])
  const groups = Array.from({ length: 70 }, (_, word) => [word, word + 70, word + 140].map((row) => target(word, row)))
  groups[0]?.push(3.25)
  groups.push([1.5])
  const { means, overall } = drawnMeans(groups)
  const { statistics, encoding } = statisticsOf(table)
  t.is(statistics.width, 1)
  for (const [place, mean] of means.entries()) t.true(Math.abs((statistics.values[place] ?? 0) - mean) < 1e-12)
  t.true(Math.abs((statistics.others[0] ?? 0) - overall) < 1e-12)
  const [first] = rowsOf(encodeTable(table, encoding))
  t.is(first?.[0], statistics.values[0])
})

test('of two classes a word is the share of the first, of more the share of each', (t) => {
  const two = statisticsOf(tableWith(threeEach((word, row) => (row < 70 || word < 35 ? 'yes' : 'no'))))
  t.is(two.statistics.width, 1)
  const [first = 0, last = 1] = [two.statistics.values[0], two.statistics.values[69]]
  t.true(first > 0.75 && last < 0.6, `${first}, ${last}`)
  const labels = ['a', 'b', 'c']
  const three = statisticsOf(tableWith(threeEach((word) => labels[word % 3] ?? '')))
  t.is(three.statistics.width, 3)
  t.deepEqual([...three.statistics.values.subarray(0, 6)].map(Math.round), [1, 0, 0, 0, 1, 0])
  const many = tableWith(threeEach((word) => `label ${word % 40}`))
  t.is(statisticsOf(many).statistics.width, 32)
  t.deepEqual(linesOf(many, 'statistics'), [
    "attribute 'word': 70 categories, split by the shares of the 32 most frequent labels",
  ])
})

test('a row that is learnt from does not have its own target in its columns', (t) => {
  const table = tableWith(threeEach((word, row) => word + row / 1000 + 0.5))
  const { encoding } = statisticsOf(table)
  const before = rowsOf(encodeLearnt(table, encoding))
  for (const row of [0, 3, 77, 209]) {
    const { target } = table
    if (target.kind !== 'numbers') return t.fail()
    const other: Target = { ...target, values: target.values.with(row, 1e6) }
    t.deepEqual(rowsOf(encodeLearnt({ ...table, target: other }, encoding))[row], before[row])
  }
  const single = tableWith(distinct(100))
  const alone = statisticsOf(single)
  for (const [value] of rowsOf(encodeLearnt(single, alone.encoding))) t.is(value, alone.statistics.others[0])
})

test('rows that are held out are in no statistic, and are seen as a model sees them', (t) => {
  const table = tableWith(threeEach((word, row) => word + row / 1000 + 0.5))
  const learnt = Int32Array.from({ length: 140 }, (_, row) => row)
  const { encoding } = statisticsOf(table, learnt)
  const { target } = table
  if (target.kind !== 'numbers') return t.fail()
  const other: Target = { ...target, values: target.values.map((value, row) => (row < 140 ? value : 1e6 + row)) }
  const changed = statisticsOf({ ...table, target: other }, learnt)
  t.deepEqual(changed.encoding, encoding)
  const all = Int32Array.from({ length: 210 }, (_, row) => row)
  const together = rowsOf(encodeLearnt(table, encoding, learnt, all))
  t.deepEqual(together, rowsOf(encodeLearnt({ ...table, target: other }, changed.encoding, learnt, all)))
  t.deepEqual(together.slice(0, 140), rowsOf(encodeLearnt(table, encoding, learnt)))
  t.deepEqual(together.slice(140), rowsOf(encodeTable(table, encoding, all.slice(140))))
})

test('words that training does not know, and words without a difference, are as all are', (t) => {
  const table = tableWith([...threeEach((word) => word + 0.5), ['later', 7.5]])
  const learnt = Int32Array.from({ length: 210 }, (_, row) => row)
  const { encoding, statistics } = statisticsOf(table, learnt)
  t.deepEqual(rowsOf(encodeTable(table, encoding, Int32Array.of(210))), [[statistics.others[0] ?? 0]])
  const same = statisticsOf(tableWith(threeEach((_, row) => (row % 3 === 0 ? 'yes' : 'no'))))
  const values = [...same.statistics.values]
  t.true(Math.max(...values) - Math.min(...values) < 0.02, `${Math.max(...values) - Math.min(...values)}`)
})
