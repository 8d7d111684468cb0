import { type FormatName, formats } from '../../formats/index.ts'
import { readRows, type Source } from '../../formats/read-rows.ts'
import { isBroken, type Row } from '../../formats/row.ts'
import type { Layout } from '../../layout.ts'
import { createRandom } from '../../random.ts'

/** The data that a script was given, in the format that it expects: each row with its target. */
export type ScriptRows = { readonly source: Source; readonly format: FormatName; readonly layout: Layout }

const fold = 5

/** Of each five rows one, chosen by chance; the same at each call. */
function createChoice(): () => boolean {
  const random = createRandom(1)
  let [row, held] = [0, 0]
  return () => {
    if (row % fold === 0) held = random.below(fold)
    return row++ % fold === held
  }
}

async function* rowsWhere({ source, format, layout }: ScriptRows, wanted: boolean): AsyncGenerator<readonly Row[]> {
  const isHeld = createChoice()
  // Written without a header, in the order of the attributes: as rows to predict are that bring their target.
  const options = { purpose: 'prediction', target: true } as const
  for await (const rows of readRows(source, format, named(layout), options)) {
    yield rows.flatMap((row) => (isHeld() === wanted && !isBroken(row) ? [row] : []))
  }
}

/** The fifth that is held out. */
export const heldRows = (rows: ScriptRows): AsyncGenerator<readonly Row[]> => rowsWhere(rows, true)

/** The other four fifths, as they came. */
export async function* restOfRows(rows: ScriptRows): AsyncGenerator<Buffer> {
  const { write } = formats[rows.format]
  for await (const rest of rowsWhere(rows, false)) {
    yield Buffer.from(rest.map((row) => `${write(row, rows.layout)}\n`).join(''))
  }
}

/** A target without a name was written by the one that it got. */
function named({ columns, target, separator }: Layout): Layout {
  if (target === undefined) return { columns, separator }
  const { unnamed: _, ...known } = target
  return { columns, target: known, separator }
}
