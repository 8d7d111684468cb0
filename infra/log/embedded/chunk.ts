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

export function encodeChunk(lines: readonly Buffer[], rows: number): Buffer {
  const value = Buffer.allocUnsafe(lines.reduce((sum, { length }) => sum + length, headerBytes))
  value.writeUInt32BE(rows, 0)
  let at = headerBytes
  for (const each of lines) {
    value.set(each, at)
    at += each.length
  }
  return value
}
