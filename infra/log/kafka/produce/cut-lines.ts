import { partitionOf } from './partition-of.ts'

const lineFeed = 10

/** Cuts lines into parts of at most `most` bytes; a line that is longer is a part of its own. */
export function* cutLines(lines: Buffer, most: number): Iterable<Buffer> {
  for (let start = 0; start < lines.length; ) {
    const end = endOfPart(lines, start, most)
    yield lines.subarray(start, end)
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
export function byPartition(lines: Buffer, keys: readonly string[], partitions: number): Map<number, Buffer> {
  const parts = new Map<number, Buffer[]>()
  let start = 0
  for (const key of keys) {
    const end = lines.indexOf(lineFeed, start) + 1
    const partition = partitionOf(key, partitions)
    const line = lines.subarray(start, end)
    const part = parts.get(partition)
    if (part) part.push(line)
    else parts.set(partition, [line])
    start = end
  }
  return new Map([...parts].map(([partition, part]) => [partition, Buffer.concat(part)]))
}
