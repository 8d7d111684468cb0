import type { Format } from '../../sql/saved/schedule.ts'

/** ClickHouse's format of each. A table of texts has the names of its columns in its first line. */
export const clickHouseFormat: Readonly<Record<Format, string>> = {
  JSON: 'JSONEachRow',
  JSONEachRow: 'JSONEachRow',
  CSV: 'CSVWithNames',
  Parquet: 'Parquet',
  Arrow: 'Arrow',
}

export const contentTypes: Readonly<Record<Format, string>> = {
  JSON: 'application/json',
  JSONEachRow: 'application/x-ndjson',
  CSV: 'text/csv',
  Parquet: 'application/vnd.apache.parquet',
  Arrow: 'application/vnd.apache.arrow.file',
}

const lineFeed = 0x0a
const comma = 0x2c

export type PageOfLines = {
  /** Rows that are shown; absent for all. */
  readonly limit?: number
  /** Whether they are one JSON object, or a row a line. */
  readonly isObject: boolean
  /** The cursor behind so many rows. */
  readonly cursorBehind: (rows: number) => string
  /** Is told once whether rows remain. */
  readonly ended?: (rows: number, isMore: boolean) => void
}

/** Rows that come a line each, as an answer: one JSON object, or lines, of which the last says where to go on. */
export async function* pageOfLines(
  lines: AsyncIterable<Uint8Array>,
  { limit = Number.POSITIVE_INFINITY, isObject, cursorBehind, ended }: PageOfLines,
): AsyncGenerator<Uint8Array> {
  let rows = 0
  let isMore = false
  /** A line has ended, and it is not known whether another one follows. */
  let isBetween = false
  if (isObject) yield Buffer.from('{"rows":[')
  for await (const chunk of lines) {
    if (chunk.length === 0) continue
    const shown: Uint8Array[] = []
    let from = 0
    while (from < chunk.length) {
      if (isBetween && rows === limit) {
        isMore = true
        break
      }
      if (isBetween && isObject) shown.push(Uint8Array.of(comma))
      isBetween = false
      const end = chunk.indexOf(lineFeed, from)
      shown.push(chunk.subarray(from, end < 0 ? chunk.length : isObject ? end : end + 1))
      if (end < 0) break
      rows++
      isBetween = true
      from = end + 1
    }
    if (shown.length > 0) yield Buffer.concat(shown)
    if (isMore) break
  }
  ended?.(rows, isMore)
  const cursor = isMore ? cursorBehind(rows) : undefined
  const rest = { more_data_to_come: isMore ? 1 : 0, ...(cursor !== undefined && { cursor }) }
  if (isObject) yield Buffer.from(`],"num_items":${rows},${JSON.stringify(rest).slice(1)}`)
  else if (isMore) yield Buffer.from(`${JSON.stringify(rest)}\n`)
}
