/** Reads the first rows of a CSV as the service does: cells between separators, quoted as RFC 4180 has it. */

const separators = [',', ';', '\t', '|'] as const
type Separator = (typeof separators)[number]

/** The rows of a text. The last one is left out where the text may go on behind it. */
export function readCsv(text: string, separator: string, isWhole: boolean): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  let at = text.startsWith('\ufeff') ? 1 : 0
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  while (at < text.length) {
    const character = text[at] ?? ''
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === separator) endCell()
    else if (character === '\n') endRow()
    else if (character !== '\r' || text[at + 1] !== '\n') cell += character
    at += 1
  }
  if (isWhole && (cell !== '' || row.length > 0)) endRow()
  return rows
}

/** The separator by which the first rows have the most cells, of one number each. */
export function separatorOf(text: string): Separator {
  const sample = text.slice(0, 20_000)
  const scored = separators.map((separator) => {
    const widths = readCsv(sample, separator, true)
      .slice(0, 30)
      .map((row) => row.length)
    const usual = widths[0] ?? 1
    const same = widths.filter((width) => width === usual).length / Math.max(1, widths.length)
    return { separator, score: usual > 1 ? same * 1000 + usual : 0 }
  })
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).separator
}
