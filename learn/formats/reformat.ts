import { Refusal } from '../../base/refusal.ts'
import type { Layout } from '../layout.ts'
import type { ReadOptions } from './format.ts'
import { type FormatName, formats } from './index.ts'
import { readRows, type Source } from './read-rows.ts'
import { isBroken, placeOf } from './row.ts'

/** From one format into another, a piece for each chunk; throws a `Refusal` at the first row that cannot be taken over. */
export async function* reformat(
  source: Source,
  from: FormatName,
  to: FormatName,
  layout: Layout,
  options: ReadOptions,
): AsyncGenerator<string> {
  const { write } = formats[to]
  for await (const rows of readRows(source, from, layout, options)) {
    const lines = rows.map((row) => {
      if (isBroken(row)) throw new Refusal(placeOf(row))
      return `${write(row, layout)}\n`
    })
    yield lines.join('')
  }
}
