import type { ReadOptions } from '../formats/format.ts'
import { createNameFinder } from '../formats/header.ts'
import type { FormatName } from '../formats/index.ts'
import { readRows, type Source } from '../formats/read-rows.ts'
import { isBroken, type ReadRow } from '../formats/row.ts'
import type { Layout } from '../layout.ts'
import type { HoldoutRule } from './rule.ts'

/** The rows of a source, each with the mark that its place goes by: its time, its group, or that its file is held out. */
export async function* readMarkedRows(
  source: Source,
  format: FormatName,
  layout: Layout,
  options: ReadOptions,
  rule: HoldoutRule | undefined,
  isHeld = false,
): AsyncGenerator<readonly ReadRow[]> {
  if (rule === undefined || rule.by === 'chance' || (rule.by === 'file' && !isHeld)) {
    yield* readRows(source, format, layout, options)
    return
  }
  if (rule.by === 'file') {
    for await (const rows of readRows(source, format, layout, options)) yield rows.map((row) => marked(row, 'held'))
    return
  }
  const { column } = rule
  if (column === undefined) {
    const place = createNameFinder(layout.columns.map(({ name }) => name))(rule.attribute)
    for await (const rows of readRows(source, format, layout, options)) {
      yield rows.map((row) => (isBroken(row) ? row : marked(row, row.cells[place])))
    }
    return
  }
  const wider = { ...layout, columns: [...layout.columns, column] }
  const width = layout.columns.length
  for await (const rows of readRows(source, format, wider, options)) {
    yield rows.map((row) =>
      isBroken(row) ? row : { ...marked(row, row.cells[width]), cells: row.cells.slice(0, width) },
    )
  }
}

const marked = <Some extends ReadRow>(row: Some, mark: Exclude<ReadRow, { reason: string }>['cells'][number]): Some =>
  isBroken(row) || mark === undefined ? row : { ...row, mark }
