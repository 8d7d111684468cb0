export type Cell = string | number

const shown = (cell: Cell): string =>
  typeof cell === 'string' ? cell : cell.toLocaleString('en', { maximumFractionDigits: 2, useGrouping: false })

/** Rows as text in columns, numbers to the right. */
export function tableText(names: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const widths = names.map((name, i) => Math.max(name.length, ...rows.map((row) => shown(row[i] ?? '').length)))
  const toTheRight = names.map((_, i) => typeof rows[0]?.[i] === 'number')
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (toTheRight[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('  ')
  return [line(names), line(widths.map((width) => '─'.repeat(width))), ...rows.map((row) => line(row.map(shown)))]
    .map((text) => text.trimEnd())
    .join('\n')
}
