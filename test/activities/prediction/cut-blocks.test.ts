import test from 'ava'
import { cutBlocks } from '../../../activities/prediction/cut-blocks.ts'
import { maxRowLength } from '../../../learn/formats/lines.ts'
import { readText } from '../../../learn/formats/read-rows.ts'
import { isBroken } from '../../../learn/formats/row.ts'
import { createLayout } from '../../../learn/layout.ts'

const layout = createLayout({
  attributes: ['a', 'word'].map((name, position) => ({ name, position })),
  attributeKind: 'hybrid',
})
const options = { purpose: 'prediction', target: false } as const

async function* chunksOf(pieces: readonly string[], size: number): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    const bytes = Buffer.from(piece)
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
}

async function blocksOf(pieces: readonly string[], size: number) {
  const blocks = []
  for await (const block of cutBlocks(chunksOf(pieces, size), 'CSV', layout, options)) blocks.push(block)
  return blocks
}

const mebi = 1024 * 1024

test('a line without an end is one row that cannot be read, however long it is, and holds no more than a row may', async (t) => {
  t.timeout(300_000)
  const before = '1,x\n'.repeat(300_000)
  const long = Array.from({ length: 80 }, () => 'y'.repeat(mebi))
  const pieces = [before, '2,', ...long, '\n3,z\n4,z\n']
  const blocks = await blocksOf(pieces, 64 * 1024)
  t.true(Math.max(...blocks.map(({ text }) => text.length)) <= maxRowLength + 2)
  const rows = blocks.flatMap(({ text, linesBefore }) =>
    readText(text, 'CSV', layout, options).map((row) => ({ line: row.line + linesBefore, broken: isBroken(row) })),
  )
  t.is(rows.length, 300_003)
  t.deepEqual(
    rows.filter(({ broken }) => broken),
    [{ line: 300_001, broken: true }],
  )
  t.deepEqual(rows.at(-1), { line: 300_003, broken: false })
  const again = await blocksOf(pieces, 1_000_003)
  t.deepEqual(
    again.map(({ text }) => text.length),
    blocks.map(({ text }) => text.length),
    'the same blocks, whatever the chunks',
  )
})

test('a file that is one line alone ends with the row that it is not', async (t) => {
  const blocks = await blocksOf(
    Array.from({ length: 40 }, () => 'y'.repeat(mebi)),
    64 * 1024,
  )
  const rows = blocks.flatMap(({ text }) => readText(text, 'CSV', layout, options))
  t.deepEqual(rows.map(isBroken), [true])
})

test('blank lines before the first row are handed on as they come, and the header behind them is found', async (t) => {
  const blanks = 3_000_000
  const pieces = ['\n'.repeat(blanks), 'word,a\n', 'x,1\n'.repeat(400_000)]
  const blocks = await blocksOf(pieces, 64 * 1024)
  t.true(Math.max(...blocks.map(({ text }) => text.length)) < 2 * mebi)
  t.is(
    blocks.reduce((lines, { text, hasHeader }) => lines + text.split('\n').length - 1 - Number(hasHeader), 0),
    3_400_000,
  )
  const first = blocks.findIndex(({ hasHeader }) => hasHeader)
  t.true(first > 0 && blocks.slice(first).every(({ hasHeader }) => hasHeader))
  const { text, linesBefore } = blocks.at(-1) ?? { text: '', linesBefore: 0 }
  const [row] = readText(text, 'CSV', layout, { ...options, header: 'present' })
  t.deepEqual(row && 'cells' in row && row.cells, ['1', 'x'])
  t.true(linesBefore > blanks)
})

test('a file of blank lines alone has as many blank lines out, as JSON too', async (t) => {
  for (const format of ['CSV', 'JSON'] as const) {
    for (const lines of [3, 2_500_000]) {
      const found = []
      const source = chunksOf(['\n'.repeat(lines)], 64 * 1024)
      for await (const { text } of cutBlocks(source, format, layout, options)) {
        found.push(readText(text, format, layout, { ...options, blanks: true }).length)
      }
      t.is(
        found.reduce((sum, count) => sum + count, 0),
        lines,
      )
    }
  }
})

test('an array of JSON behind blanks is cut into its elements, whatever the chunks', async (t) => {
  for (const size of [5, 1000]) {
    const texts = []
    for await (const { text } of cutBlocks(
      chunksOf([`${' \n'.repeat(20)}[{"a":1},\n{"a":2}]`], size),
      'JSON',
      layout,
      options,
    )) {
      texts.push(text)
    }
    t.deepEqual(texts, ['{"a":1}\n{"a":2}\n'])
  }
})

test('an open quote costs a file to predict no more than its lines do', (t) => {
  // Each line doubles a quote, so that none of them closes the cell.
  const text = `1,"\n${'""\n'.repeat(300_000)}`
  const begin = process.cpuUsage()
  return blocksOf([text, '\n2,x\n'], 64 * 1024).then((blocks) => {
    const { user, system } = process.cpuUsage(begin)
    t.is(blocks.map((block) => block.text).join(''), `${text}\n2,x\n`)
    t.true((user + system) / 1000 < 4_000, `${user + system} us of the processor`)
  })
})

test('a header of several lines is found, repeated before each block, and counted', async (t) => {
  const rows = Array.from({ length: 1_000 }, (_, row) => `w${row},${row}\n`)
  const blocks = []
  const source = chunksOf(['\n"word","a\n"\n', ...rows], 5_000)
  for await (const block of cutBlocks(source, 'CSV', layout, options, 2_000)) blocks.push(block)
  t.true(blocks.length > 3 && blocks.every(({ hasHeader }) => hasHeader))
  const read = blocks.flatMap(({ text, linesBefore }) =>
    readText(text, 'CSV', layout, { ...options, header: 'present' }).map((row) => [
      row.line + linesBefore,
      isBroken(row) ? row.reason : row.cells.join(),
    ]),
  )
  t.deepEqual(
    read,
    rows.map((_, row) => [row + 4, `${row},w${row}`]),
  )
})
