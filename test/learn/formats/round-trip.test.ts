import test from 'ava'
import fc from 'fast-check'
import { type FormatName, formats } from '../../../learn/formats/index.ts'
import { readRows } from '../../../learn/formats/read-rows.ts'
import { reformat } from '../../../learn/formats/reformat.ts'
import type { ReadRow, Row } from '../../../learn/formats/row.ts'
import { createLayout, type Layout } from '../../../learn/layout.ts'

const wide = createLayout({
  attributes: ['a', 'b', 'label', 'c'].map((name, position) => ({ name, position })),
  attributeKind: 'hybrid',
  targetIndex: 2,
})
const narrow = createLayout({
  attributes: ['label', 'a'].map((name, position) => ({ name, position })),
  attributeKind: 'hybrid',
  targetIndex: 0,
})

const training = { purpose: 'training', target: true, header: 'absent' } as const
/** Integers beyond 2^53 come as texts, so that words made of digits stay exact. */
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
  .map((value) => value + 0)
const word = (extra: string) =>
  fc
    .string({ unit: fc.constantFrom(...`ab,;:ü😀"' {}[]\\#${extra}`), minLength: 1 })
    .filter((text) => text.trim() !== '')

/** The cells that each format can hold, as the rows that reading its text must give back. */
const held: Readonly<
  Record<FormatName, { readonly layout: Layout; readonly cell: fc.Arbitrary<number | string | undefined> }>
> = {
  CSV: { layout: wide, cell: fc.oneof(number.map(String), word('\n\t'), fc.constant(undefined)) },
  JSON: { layout: wide, cell: fc.oneof(number, word('\n\t\r'), fc.constant(undefined)) },
  KV: { layout: wide, cell: fc.oneof(number.map(String), word('\t'), fc.constant(undefined)) },
  SVM: { layout: wide, cell: number.map((value) => (value === 0 ? 0 : String(value))) },
  TEXT: { layout: narrow, cell: word('') },
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const gathered: Item[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

async function rowsOf(source: AsyncIterable<Uint8Array>, format: FormatName, layout: Layout): Promise<ReadRow[]> {
  return (await gather(readRows(source, format, layout, training))).flat()
}

for (const format of Object.keys(held) as FormatName[]) {
  test(`${format}: what is written is read again, however its bytes are cut`, async (t) => {
    const { layout, cell } = held[format]
    const row = fc.record({
      cells: fc.array(cell, { minLength: layout.columns.length, maxLength: layout.columns.length }),
      target: cell,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        async (rows, size) => {
          const texts = rows.map((each) => formats[format].write({ ...each, line: 1 }, layout))
          const bytes = new TextEncoder().encode(`${texts.join('\n')}\n`)
          const read = await rowsOf(cut(bytes, size), format, layout)
          const plain = (each: Omit<Row, 'line'>) => ({
            cells: each.cells,
            target: format === 'SVM' ? String(each.target) : each.target,
          })
          t.deepEqual(
            read.map((each) => ('cells' in each ? plain(each) : each)),
            rows
              .filter((each) => format !== 'KV' || [...each.cells, each.target].some((c) => c !== undefined))
              .map(plain),
          )
        },
      ),
      { numRuns: 100 },
    )
  })
}

test('a JSON array is read alike, however its bytes are cut', async (t) => {
  const bytes = new TextEncoder().encode('[ {"a":"x]\\\\\\"},{","b":2},\r\n\n  {"a":3,"c":{}}, {"a":\n"ü"}]\n')
  const whole = await rowsOf(cut(bytes, 1000), 'JSON', wide)
  t.is(whole.length, 3)
  for (let size = 1; size < 30; size += 1) t.deepEqual(await rowsOf(cut(bytes, size), 'JSON', wide), whole)
})

test('every format turns into every other one that can hold its rows', async (t) => {
  const rows = {
    CSV: '1,2.5,yes,3\n',
    JSON: '{"a":1,"b":2.5,"label":"yes","c":3}\n',
    KV: 'a:1 b:2.5 label:yes c:3\n',
    SVM: 'yes 0:1 1:2.5 3:3\n',
  }
  for (const [from, text] of Object.entries(rows) as [keyof typeof rows, string][]) {
    for (const to of Object.keys(rows) as (keyof typeof rows)[]) {
      const pieces = await gather(reformat(cut(new TextEncoder().encode(text), 7), from, to, wide, training))
      const unquoted = pieces.join('').replace(/"(1|2\.5|3)"/g, '$1')
      t.is(unquoted, rows[to], `${from} to ${to}`)
    }
  }
})

test('a word is refused where the format holds numbers alone, by line and attribute', async (t) => {
  const words = cut(new TextEncoder().encode('1,2,yes,3\n1,Rome,no,3\n'), 100)
  await t.throwsAsync(async () => void (await gather(reformat(words, 'CSV', 'SVM', wide, training))), {
    message: "line 2, attribute 'b': 'Rome' is a word, and SVM holds numbers",
  })
})
