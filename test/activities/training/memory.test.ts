import test from 'ava'
import { fitInto } from '../../../activities/training/memory.ts'
import { TooLarge } from '../../../activities/training/refusals.ts'
import { copyRow } from '../../../learn/algorithms/copy-row.ts'
import { algorithmOf } from '../../../learn/algorithms/index.ts'
import { encodedWidth, encodeTable, fitEncoding } from '../../../learn/encoding/encoding.ts'
import { murmur3 } from '../../../learn/encoding/murmur.ts'
import { tableOf } from '../../../learn/encoding/table.ts'
import { createLayout } from '../../../learn/layout.ts'
import { decodeParameters } from '../../../learn/parameters.ts'

const megabyte = 1024 * 1024
const rows = 2_000

/** Rows with an id of their own each, and one without. */
function idsOf(attributes: number) {
  const names = Array.from({ length: attributes }, (_, i) => `id${i}`)
  const layout = createLayout({
    attributes: [...names, 'label'].map((name, position) => ({ name, position })),
    attributeKind: 'hybrid',
    targetIndex: attributes,
  })
  const words = Array.from({ length: rows }, (_, row) => (row === 7 ? '' : `id-${row}`))
  const table = tableOf(
    layout,
    words.map((word, row) => ({ line: row + 1, cells: names.map(() => word), target: row % 2 === 0 ? 'yes' : 'no' })),
  )
  return { words, prepared: { kind: 'table', table, sample: [] } as const }
}

const request = {
  algorithm: 'LIN' as const,
  parameters: decodeParameters(algorithmOf('LIN').parameters, {}),
  scale: false,
  tune: false,
}

const fitWithin = (most_mb: number, prepared: ReturnType<typeof idsOf>['prepared']) => {
  const lines: string[] = []
  const watch = { log: (line: string) => lines.push(line), beat: () => {} }
  return { ...fitInto(most_mb * megabyte, request, prepared, watch), lines }
}

test('what there is memory for is trained on as it is', (t) => {
  const { prepared } = idsOf(4)
  const { prepared: same, needs, lines } = fitWithin(1_000, prepared)
  t.is(same, prepared)
  t.deepEqual(lines, [])
  // 2,000 rows of 4 cells, 8,000 words and as many weights, beside what a thread takes.
  t.true(needs.fit > 32 * megabyte + rows * 4 * (12 + 80 + 48))
  t.true(needs.fit < 36 * megabyte)
  t.true(needs.tune < needs.fit)
})

test('words are hashed into fewer columns where all of them do not fit, as the model hashes them, and the log says so', (t) => {
  const { prepared, words } = idsOf(4)
  const { prepared: smaller, needs, lines } = fitWithin(33, prepared)
  if (smaller.kind !== 'table') return t.fail()
  t.true(needs.fit <= 33 * megabyte)
  const encoding = fitEncoding(smaller.table, false)
  t.is(encodedWidth(encoding), 4 * 513)
  const features = encodeTable(smaller.table, encoding)
  const cells = new Float64Array(features.columns)
  for (const [row, word] of words.entries()) {
    copyRow(features, row, cells)
    t.is(cells[word === '' ? 512 : murmur3(word) % 512], 1)
  }
  t.regex(
    lines[0] ?? '',
    /^words are hashed into fewer columns: training would take \d+ MB \(2,000 rows x 8,000 columns\), and MAX_TRAINING_MB is 33; now it takes \d+ MB \(2,000 rows x 2,052 columns\)$/,
  )
})

test('what does not fit whatever is done is refused with the figure and the setting', (t) => {
  const { prepared } = idsOf(40)
  const { message } = t.throws(() => fitWithin(33, prepared), { instanceOf: TooLarge }) ?? {}
  t.regex(
    String(message),
    /^training LIN would take 5\d MB of memory \(2,000 rows x 80,000 columns\), and MAX_TRAINING_MB is 33: /,
  )
})

test('a training that holds all its words falls back to fewer places in the memory that they would not fit, whatever learns', (t) => {
  const { prepared } = idsOf(40)
  for (const algorithm of ['LIN', 'KMEANS', 'TREE'] as const) {
    const parameters = decodeParameters(algorithmOf(algorithm).parameters, {})
    const lines: string[] = []
    const watch = { log: (line: string) => lines.push(line), beat: () => {} }
    const { needs } = fitInto(42 * megabyte, { ...request, algorithm, parameters }, prepared, watch)
    t.true(Math.max(needs.tune, needs.fit, needs.measure) <= 42 * megabyte, algorithm)
    t.is(lines.length, 1, algorithm)
  }
})

test('sparse data of a million attributes take what was measured of them, and not more', (t) => {
  const columns = 1_000_000
  const features = {
    rows: 2,
    columns,
    offsets: Int32Array.of(0, 1, 2),
    indices: Int32Array.of(0, columns - 1),
    values: Float64Array.of(1, 1),
  }
  const target = { kind: 'classes', labels: ['a', 'b'], classes: Int32Array.of(0, 1) } as const
  const layout = createLayout({ attributes: [], attributeKind: 'number', targetIndex: undefined })
  const watch = { log: () => {}, beat: () => {} }
  // 912 MB were measured for LIN, its own vectors among them.
  const { needs } = fitInto(2_000 * megabyte, request, { kind: 'sparse', features, target, layout }, watch)
  t.true(needs.fit > 950 * megabyte && needs.fit < 1_600 * megabyte, `${needs.fit / megabyte} MB`)
})
