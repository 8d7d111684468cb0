/** RFC 4180, and a quote inside of an unquoted cell is a plain character. */
export type CsvLine =
  | { readonly cells: readonly string[] }
  /** A quoted cell that goes on in the next line. */
  | { readonly open: OpenRow }
  | { readonly column: number; readonly reason: string }

/** The cells before the one that is open, and the lines that this one has so far; the next line is added to both. */
export type OpenRow = { readonly cells: string[]; readonly lines: string[] }

/** In place of the lines of a row that will be refused at its closing quote. */
export const noLines = (): OpenRow => ({ cells: [], lines: [] })

/** @param row the row that the line goes on with */
export function splitCsv(line: string, separator: string, row?: OpenRow): CsvLine {
  if (row === undefined && !line.includes('"')) return { cells: line.split(separator) }
  const cells = row?.cells ?? []
  for (let at = 0, within = row; ; at += 1, within = undefined) {
    if (within === undefined && line[at] !== '"') {
      const end = line.indexOf(separator, at)
      if (end < 0) {
        cells.push(line.slice(at))
        return { cells }
      }
      cells.push(line.slice(at, end))
      at = end
      continue
    }
    const start = within === undefined ? at + 1 : at
    const lines = within?.lines ?? []
    const end = closingQuote(line, start)
    lines.push(line.slice(start, end < 0 ? undefined : end))
    if (end < 0) return { open: { cells, lines } }
    cells.push(lines.join('\n').replaceAll('""', '"'))
    at = end + 1
    if (at === line.length) return { cells }
    if (line[at] !== separator) return { column: cells.length, reason: 'text follows the closing quote of a cell' }
  }
}

function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at
  }
  return -1
}

export function joinCsv(cells: readonly string[], separator: string): string {
  return cells
    .map((cell) => (/["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(separator)
}
