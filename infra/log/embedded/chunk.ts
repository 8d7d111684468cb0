import { crc32 } from 'node:zlib'
import type { Chunk } from '../port.ts'

/** A chunk on disk: its number of rows and the checksum of that number and its lines, four bytes each, then its lines. */
export const headerBytes = 8
/** A chunk of before the checksums has its number of rows alone. */
const plainHeaderBytes = 4

/** A queue, a position, and the length of the lines. */
export type ChunkKey = [queue: string, position: number, length: number]

export function encodeChunk(lines: readonly Buffer[], rows: number): Buffer {
  const value = Buffer.allocUnsafe(lines.reduce((sum, { length }) => sum + length, headerBytes))
  value.writeUInt32BE(rows, 0)
  let at = headerBytes
  for (const each of lines) {
    value.set(each, at)
    at += each.length
  }
  value.writeUInt32BE(checksumOf(value), 4)
  return value
}

export function decodeChunk([, position, length]: ChunkKey, value: Buffer): Chunk {
  const header = value.length - length
  if (header === plainHeaderBytes) {
    return { position, rows: value.readUInt32BE(0), lines: value.subarray(plainHeaderBytes) }
  }
  const lines = value.subarray(headerBytes)
  if (header !== headerBytes)
    return damaged(position, lines, `it has ${value.length} bytes in place of ${length + headerBytes}`)
  const rows = value.readUInt32BE(0)
  if (value.readUInt32BE(4) === checksumOf(value)) return { position, rows, lines }
  return damaged(position, lines, 'its checksum differs', rows)
}

/** The number of rows in a chunk, as it was written. */
export const rowsOf = (value: Buffer): number => value.readUInt32BE(0)

const checksumOf = (value: Buffer): number => crc32(value.subarray(headerBytes), crc32(value.subarray(0, 4)))

/** The number of rows may be what is damaged: a line has three bytes at least. */
function damaged(position: number, lines: Buffer, damage: string, rows = 0): Chunk {
  const isLikely = rows > 0 && rows <= lines.length / shortestLine
  return { position, rows: isLikely ? rows : Math.max(1, linesIn(lines)), lines, damage }
}

const shortestLine = 3

function linesIn(lines: Buffer): number {
  let count = 0
  for (let at = lines.indexOf(10); at >= 0; at = lines.indexOf(10, at + 1)) count++
  return count
}

/** One line for each row of a damaged chunk: the lines that are left, in order, and empty lines for the others. */
export function leftOf({ lines, rows }: Pick<Chunk, 'lines' | 'rows'>): Buffer[] {
  const left: Buffer[] = []
  let from = 0
  while (left.length < rows - 1 && from < lines.length) {
    const end = lines.indexOf(10, from)
    if (end < 0) break
    left.push(lines.subarray(from, end))
    from = end + 1
  }
  if (left.length < rows) left.push(lines.subarray(from))
  while (left.length < rows) left.push(Buffer.alloc(0))
  return left
}
