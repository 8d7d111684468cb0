/** The rows of a saved question's answer as cells in columns. */
import { type ColumnKind, createRowTable, type Rows } from '../../parts/result/rows.ts'

/** `2026-11-26 11:04:09.5` and `2026-11-26T11:04:09Z` are times, `2026-11-26` is a day. */
const isTime = (cell: unknown): boolean =>
  typeof cell === 'string' && /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?)?$/.test(cell)
const isDay = (cell: unknown): boolean => typeof cell === 'string' && cell.length === 10

export function answerRows(objects: Iterable<Readonly<Record<string, unknown>>>): Rows {
  const table = createRowTable()
  table.add(objects)
  const { columns, rows } = table.now()
  return {
    rows,
    columns: columns.map((column, at) => {
      const cells = rows.map((row) => row[at]).filter((cell) => cell !== null && cell !== undefined)
      if (column.kind !== 'text' || cells.length === 0 || !cells.every(isTime)) return column
      const kind: ColumnKind = 'time'
      return cells.every(isDay) ? { ...column, kind, zone: '' } : { ...column, kind }
    }),
  }
}
