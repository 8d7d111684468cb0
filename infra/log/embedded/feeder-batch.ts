import type { Batch, Chunk, LogSource } from '../port.ts'

/** A batch is one block in ClickHouse, far below the size at which an insert is cut in two. */
const batchBytes = 8 * 1024 * 1024
const batchRows = 100_000

export type NextBatch = {
  readonly batch: Batch
  readonly lines: Buffer
  readonly rows: number
  /** Chunks of the batch that are not as they were written: their lines are in no batch. */
  readonly damaged: readonly Chunk[]
  /** Whether more lines wait behind the batch. */
  readonly isFull: boolean
}

/** The batch that was begun, else as much as one takes; undefined where there is nothing. */
export function nextBatch(source: LogSource, queue: string): NextBatch | undefined {
  const begun = source.begun(queue)
  const parts: Buffer[] = []
  const damaged: Chunk[] = []
  let chunks = 0
  let isFull = false
  let bytes = 0
  let rows = 0
  let first = 0
  let last = 0
  for (const chunk of source.chunks(queue, begun?.last)) {
    isFull = chunks > 0 && (bytes + chunk.lines.length > batchBytes || rows + chunk.rows > batchRows)
    if (isFull && !begun) break
    if (chunks === 0) first = chunk.position
    chunks++
    bytes += chunk.lines.length
    if (chunk.damage !== undefined) damaged.push(chunk)
    else {
      parts.push(chunk.lines)
      rows += chunk.rows
    }
    last = chunk.position
  }
  return chunks === 0
    ? undefined
    : { batch: { ...begun, first, last }, lines: Buffer.concat(parts), rows, damaged, isFull }
}

/** Lines in two, the first not the shorter by more than a line; undefined where they are but one. */
export function halves(lines: Buffer): [Buffer, Buffer] | undefined {
  const middle = lines.lastIndexOf(10, lines.length / 2) + 1 || lines.indexOf(10) + 1
  return middle === 0 || middle >= lines.length ? undefined : [lines.subarray(0, middle), lines.subarray(middle)]
}

/** The pieces of lines that are halved `cuts` times, in order: the same at each repeat. */
export const piecesOf = (lines: Buffer, cuts: number): Buffer[] =>
  cuts === 0 ? [lines] : (halves(lines)?.flatMap((half) => piecesOf(half, cuts - 1)) ?? [lines])

/** The least `_pk` of lines, which stands at the begin of each; undefined where they are no events. */
export function oldestEvent(lines: Buffer): number | undefined {
  let oldest: number | undefined
  for (const [, pk] of lines.toString('latin1').matchAll(/^\{"_pk":(-?\d+)/gm)) {
    if (oldest === undefined || Number(pk) < oldest) oldest = Number(pk)
  }
  return oldest
}
