import { partitionOf } from './partition-of.ts'

/** Lines of one partition. Short ones stay a string, to be joined with others. */
export type Part = { readonly part: string | Buffer; readonly bytes: number }

const lineFeed = 10

/** Cuts lines into parts of at most `most` bytes; a line that is longer is a part of its own. */
export function* cutLines(lines: string, most: number): Iterable<Part> {
  const bytes = Buffer.byteLength(lines)
  if (bytes <= most) {
    yield { part: lines, bytes }
    return
  }
  const whole = Buffer.from(lines)
  for (let start = 0; start < whole.length; ) {
    const end = endOfPart(whole, start, most)
    yield { part: whole.subarray(start, end), bytes: end - start }
    start = end
  }
}

function endOfPart(lines: Buffer, start: number, most: number): number {
  if (lines.length - start <= most) return lines.length
  const last = lines.lastIndexOf(lineFeed, start + most - 1)
  if (last >= start) return last + 1
  const next = lines.indexOf(lineFeed, start + most)
  return next === -1 ? lines.length : next + 1
}

/** The lines of each partition, in their order; `keys` has one for each line. */
export function byPartition(lines: string, keys: readonly string[], partitions: number): Map<number, string> {
  const parts = new Map<number, string>()
  let start = 0
  for (const key of keys) {
    const end = lines.indexOf('\n', start) + 1
    const partition = partitionOf(key, partitions)
    parts.set(partition, (parts.get(partition) ?? '') + lines.slice(start, end))
    start = end
  }
  return parts
}
