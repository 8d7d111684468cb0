import type { Layout } from '../layout.ts'
import { createUtf8Decoder } from './decode-utf8.ts'
import type { ReadOptions } from './format.ts'
import { type FormatName, formats } from './index.ts'
import type { ReadRow } from './row.ts'

/** The bytes of a source, in chunks of any size. */
export type Source = AsyncIterable<Uint8Array>

/** The rows of a source in batches, one for each chunk: memory holds a chunk, never the file. */
export async function* readRows(
  source: Source,
  format: FormatName,
  layout: Layout,
  options: ReadOptions,
): AsyncGenerator<readonly ReadRow[]> {
  let rows: ReadRow[] = []
  const reader = formats[format].createReader(layout, options, (row) => rows.push(row))
  const decoder = createUtf8Decoder()
  for await (const chunk of source) {
    reader.push(decoder.push(chunk))
    if (rows.length === 0) continue
    yield rows
    rows = []
  }
  reader.push(decoder.end())
  reader.end()
  if (rows.length > 0) yield rows
}

/** The rows of a text that is at hand, such as one line to predict. */
export function readText(text: string, format: FormatName, layout: Layout, options: ReadOptions): readonly ReadRow[] {
  const rows: ReadRow[] = []
  const reader = formats[format].createReader(layout, options, (row) => rows.push(row))
  reader.push(text)
  reader.end()
  return rows
}
