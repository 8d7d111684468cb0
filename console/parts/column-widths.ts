type Measured<Row> = { readonly title: string; readonly text: (row: Row) => string; readonly width?: number }

const sampled = 120
const character_px = 7.8
const padding_px = 24
const [narrowest, widest] = [64, 420]

/** The width of each column in pixels: that of the longest text among its title and a sample of the rows. */
export function columnWidths<Row>(columns: readonly Measured<Row>[], rows: readonly Row[]): number[] {
  const step = Math.max(1, Math.floor(rows.length / sampled))
  const sample = rows.filter((_, index) => index % step === 0).slice(0, sampled)
  return columns.map(({ title, text, width }) => {
    if (width !== undefined) return width
    const characters = Math.max(title.length + 2, ...sample.map((row) => text(row).length))
    return Math.round(Math.min(widest, Math.max(narrowest, characters * character_px + padding_px)))
  })
}
