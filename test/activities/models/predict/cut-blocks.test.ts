import test from 'ava'
import { cutBlocks } from '../../../../activities/models/predict/cut-blocks.ts'
import { maxRowLength } from '../../../../learn/formats/lines.ts'
import { readText } from '../../../../learn/formats/read-rows.ts'
import { isBroken } from '../../../../learn/formats/row.ts'
import { createLayout } from '../../../../learn/layout.ts'

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
  t.timeout(120_000)
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
