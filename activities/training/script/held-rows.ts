import { type FormatName, formats } from '../../../learn/formats/index.ts'
import { readRows, type Source } from '../../../learn/formats/read-rows.ts'
import { isBroken, type Row } from '../../../learn/formats/row.ts'
import type { Layout } from '../../../learn/layout.ts'
import { createRandom } from '../../../learn/random.ts'

/** The data that a script was given, in the format that it expects: each row with its target. */
export type ScriptRows = {
  readonly source: Source
  readonly format: FormatName
  readonly layout: Layout
  /** The rows held out, ascending, or all of a file of its own; absent: one of each five. */
  readonly held?: Int32Array | 'all' | undefined
}

const fold = 5

/** Chooses one of each five rows by chance, where the rows are not named; the same at each call. */
function createChoice(named: ScriptRows['held']): () => boolean {
  if (named === 'all') return () => true
  if (named !== undefined) {
    let [at, next] = [0, 0]
    return () => {
      const isNamed = named[next] === at
      if (isNamed) next += 1
      at += 1
      return isNamed
    }
  }
  const random = createRandom(1)
  let [row, held] = [0, 0]
  return () => {
    if (row % fold === 0) held = random.below(fold)
    return row++ % fold === held
  }
}

/** Rows that are held out, and those between them, in their order. */
type PartedRows = { readonly held: readonly Row[]; readonly rest: readonly Row[] }

/** All rows, in pieces. */
export async function* partedRows({ source, format, layout, held }: ScriptRows): AsyncGenerator<PartedRows> {
  const isHeld = createChoice(held)
  const written = asWritten(layout)
  const places = layout.columns.map((column) => written.columns.indexOf(column))
  // Written without a header, as rows to predict are that bring their target.
  const options = { purpose: 'prediction', target: true, gaps: true } as const
  for await (const rows of readRows(source, format, written, options)) {
    const parted: { held: Row[]; rest: Row[] } = { held: [], rest: [] }
    for (const row of rows) {
      const part = isHeld() ? parted.held : parted.rest
      if (!isBroken(row)) part.push({ ...row, cells: places.map((place) => row.cells[place]) })
    }
    yield parted
  }
}

/** The rows that are not held out, in their order. */
export async function* restOfRows(rows: ScriptRows): AsyncGenerator<Buffer> {
  const { write } = formats[rows.format]
  for await (const { rest } of partedRows(rows)) {
    yield Buffer.from(rest.map((row) => `${write(row, rows.layout)}\n`).join(''))
  }
}

/** The layout of rows as they are written: columns in the order of their positions, the target under the name that it was given. */
function asWritten({ columns, target, separator }: Layout): Layout {
  const sorted = columns.toSorted((a, b) => a.position - b.position)
  if (target === undefined) return { columns: sorted, separator }
  const { unnamed: _, before: __, ...known } = target
  return { columns: sorted, target: known, separator }
}
