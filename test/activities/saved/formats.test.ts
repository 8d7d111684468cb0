import test from 'ava'
import fc from 'fast-check'
import { pageOfLines } from '../../../activities/saved/formats.ts'
import { seed } from '../../support/random/seed.ts'

/** A text in pieces of these lengths, over and over. */
async function* inPieces(text: string, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let [from, i] = [0, 0]; from < bytes.length; i++) {
    const length = lengths[i % lengths.length] ?? 1
    yield bytes.subarray(from, from + length)
    from += length
  }
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all).toString()
}

test('rows that come in any pieces are the same page', async (t) => {
  const row = fc.record({ a: fc.string({ maxLength: 5 }), n: fc.integer() })
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })
  const property = fc.asyncProperty(
    fc.array(row, { maxLength: 12 }),
    lengths,
    fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined }),
    async (rows, pieces, limit) => {
      const text = rows.map((each) => `${JSON.stringify(each)}\n`).join('')
      const of = (isObject: boolean) =>
        textOf(
          pageOfLines(inPieces(text, pieces), {
            ...(limit !== undefined && { limit }),
            isObject,
            cursorBehind: (count) => `behind ${count}`,
          }),
        )
      const shown = rows.slice(0, limit)
      const isMore = shown.length < rows.length
      t.deepEqual(JSON.parse(await of(true)), {
        rows: shown,
        num_items: shown.length,
        more_data_to_come: isMore ? 1 : 0,
        ...(isMore && { cursor: `behind ${shown.length}` }),
      })
      const lines = (await of(false)).split('\n').filter((line) => line !== '')
      t.deepEqual(
        lines.map((line) => JSON.parse(line)),
        [...shown, ...(isMore ? [{ more_data_to_come: 1, cursor: `behind ${shown.length}` }] : [])],
      )
    },
  )
  await fc.assert(property, { seed, numRuns: 500 })
})
