import test from 'ava'
import { partedRows, restOfRows } from '../../../../activities/training/script/held-rows.ts'
import { createScriptData, readScriptFacts } from '../../../../activities/training/script/script-data.ts'
import type { FormatName } from '../../../../learn/formats/index.ts'
import { readRows } from '../../../../learn/formats/read-rows.ts'
import type { Layout } from '../../../../learn/layout.ts'

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  for (const piece of text.match(/[\s\S]{1,37}/g) ?? []) yield Buffer.from(piece)
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all).toString()
}

const csv = Array.from({ length: 53 }, (_, i) => `${i},skipped,${i % 7 === 0 ? '' : i / 4},${i % 2}\n`).join('')
const [a, b] = [
  { name: 'a', position: 0, kind: 'number' },
  { name: 'b', position: 2, kind: 'number' },
] as const
const layoutOf = (columns: Layout['columns']): Layout => ({
  columns,
  target: { name: 'target', position: 3, unnamed: true },
  separator: ',',
})

const formats = ['CSV', 'JSON', 'KV', 'SVM'] as const satisfies readonly FormatName[]
const cases = formats.flatMap((expected) => [
  { expected, listed: 'listed as they stand', layout: layoutOf([a, b]) },
  { expected, listed: 'listed in another order', layout: layoutOf([b, a]) },
])
for (const { expected, listed, layout } of cases) {
  test(`of a script's data in ${expected}, ${listed}, a fifth is held out, and the rest is what it was`, async (t) => {
    const [atA, atB] = [layout.columns.indexOf(a), layout.columns.indexOf(b)]
    const data = createScriptData({ input: 'CSV', expected, layout, reading: { badRows: 'fail', maxBadShare: 0.05 } })
    const given = await textOf(data.pieces([async () => piecesOf(csv)], new AbortController().signal))
    const rows = () => ({ source: piecesOf(given), format: expected, layout })
    const held = []
    for await (const some of partedRows(rows())) held.push(...some.held)
    const rest = await textOf(restOfRows(rows()))

    const lines = given.trimEnd().split('\n')
    const kept = rest.trimEnd().split('\n')
    t.is(lines.length, 53)
    t.true(held.length === 10 || held.length === 11)
    t.is(held.length + kept.length, 53)
    t.true(kept.every((line) => lines.includes(line)))
    const numbers = held.map(({ cells }) => Number(cells[atA]))
    t.deepEqual(
      held.map(({ cells, target }) => [cells[atB] === undefined ? '' : Number(cells[atB]), Number(target)]),
      numbers.map((i) => [i % 7 === 0 ? '' : i / 4, i % 2]),
    )
    const left = []
    const options = { purpose: 'prediction', target: true, gaps: true } as const
    const named = { ...layoutOf([a, b]), target: { name: 'target', position: 3 } }
    for await (const some of readRows(piecesOf(rest), expected, named, options)) left.push(...some)
    t.deepEqual(
      [...numbers, ...left.map((row) => ('cells' in row ? Number(row.cells[0]) : -1))].toSorted((a, b) => a - b),
      Array.from({ length: 53 }, (_, i) => i),
    )
  })
}

test('a script is given data without their bad rows where a request says so, and missing numbers as it names them', async (t) => {
  const layout = { ...layoutOf([a, b]), missing: ['-1'] }
  const reading = { badRows: 'skip', maxBadShare: 0.5 } as const
  const data = createScriptData({ input: 'CSV', expected: 'CSV', layout, reading })
  const text = '1,s,4,1\n2,s\n3,s,-1,0\n'
  t.is((await textOf(data.pieces([async () => piecesOf(text)], new AbortController().signal))).split('\n').length, 3)
  t.regex(data.left() ?? '', /bad rows left out, 1 of 3 rows: line 2: the row has 2 cells/)
  t.deepEqual(
    [...readScriptFacts(data.facts()).means],
    [
      ['a', 2],
      ['b', 4],
    ],
  )
})
