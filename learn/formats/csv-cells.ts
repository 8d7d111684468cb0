/** RFC 4180, and a quote inside of an unquoted cell is a plain character. */
export type CsvLine =
  | { readonly cells: readonly string[] }
  /** A quoted cell that goes on in the next line. */
  | { readonly open: true }
  | { readonly column: number; readonly reason: string }

export function splitCsv(line: string, separator: string): CsvLine {
  if (!line.includes('"')) return { cells: line.split(separator) }
  const cells: string[] = []
  for (let at = 0; ; at += 1) {
    if (line[at] !== '"') {
      const end = line.indexOf(separator, at)
      if (end < 0) return { cells: [...cells, line.slice(at)] }
      cells.push(line.slice(at, end))
      at = end
      continue
    }
    const end = closingQuote(line, at + 1)
    if (end < 0) return { open: true }
    cells.push(line.slice(at + 1, end).replaceAll('""', '"'))
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
