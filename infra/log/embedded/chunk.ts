/** A chunk on disk: its number of rows in four bytes, then its lines. */
export const headerBytes = 4

/** The keys of a queue's chunks up to a position. */
export const upTo = (
  queue: string,
  position: number,
): { start: [string, number, number]; end: [string, number, number] } => ({
  start: [queue, 0, 0],
  end: [queue, position, Number.MAX_SAFE_INTEGER],
})

export function encodeChunk(lines: readonly string[], rows: number): Buffer {
  const text = lines.length === 1 ? (lines[0] ?? '') : lines.join('')
  const value = Buffer.allocUnsafe(headerBytes + Buffer.byteLength(text))
  value.writeUInt32BE(rows, 0)
  value.write(text, headerBytes)
  return value
}
