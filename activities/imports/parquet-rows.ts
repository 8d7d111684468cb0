/** The rows of a Parquet file, a part of a row group at a time. */
import type { AsyncBuffer, ColumnData, FileMetaData } from 'hyparquet'
import { isoText } from '../../base/instant.ts'
import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import type { FileRow } from './file-rows.ts'

/** Bytes that are decoded at once, as the file counts them, and packed bytes of a row group that are read at once. */
const decodedBytes = 32 * 1024 * 1024
/** Values that are decoded at once: a page of equal ones takes hardly a byte each. */
const decodedValues = 2_000_000
const maxGroupBytes = 256 * 1024 * 1024
const maxColumns = 10_000
const rowsAtOnce = 1_000

/** Reads bytes of the file from `start` to `end`. */
export type Slice = (start: number, end: number) => Promise<ArrayBuffer>

type Column = readonly [name: string, values: readonly (Json | undefined)[]]

/**
 * Rows behind each other, of which `first` counts from 1, as columns: they go from thread to thread in half the time that objects
 * take. `total` counts all rows of the file.
 */
export type ParquetPart = {
  readonly first: number
  readonly count: number
  readonly columns: readonly Column[]
  readonly total: number
}

export type ParquetSource = { readonly bytes: number; readonly slice: Slice }

/**
 * The rows behind the first `after`; `wanted` names the columns that are read, where not all are. Throws a `Refusal` for a file that
 * cannot be read.
 */
export async function* partsOfParquet(
  source: ParquetSource,
  wanted: ReadonlySet<string> | undefined,
  after: number,
): AsyncGenerator<ParquetPart> {
  const [{ parquetMetadataAsync, parquetRead, parquetSchema }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ])
  const file: AsyncBuffer = {
    byteLength: source.bytes,
    slice: (start, end = source.bytes) => source.slice(start < 0 ? source.bytes + start : start, end),
  }
  const metadata = await readable(() => parquetMetadataAsync(file, { parsers, geoparquet: false }))
  const names = parquetSchema(metadata).children.map(({ element }) => element.name)
  if (names.length > maxColumns) throw new Refusal(`the file has over ${maxColumns} columns`)
  const columns = new Set(names.filter((name) => wanted === undefined || wanted.has(name)))
  const total = Number(metadata.num_rows)
  let first = 0
  for (const group of metadata.row_groups) {
    const groupRows = Number(group.num_rows)
    const end = first + groupRows
    const { packed, plain } = sizesOf(group, columns)
    if (packed > maxGroupBytes && end > after)
      throw new Refusal(
        `a row group has ${packed} bytes in the columns that are read, and ${maxGroupBytes} may be: write smaller row groups, or name fewer columns in map`,
      )
    const byBytes = Math.floor((groupRows * decodedBytes) / Math.max(plain, 1))
    const step = Math.max(1, Math.min(byBytes, Math.floor(decodedValues / Math.max(columns.size, 1))))
    for (let start = first; start < end; start += step) {
      const rowStart = Math.max(start, after)
      const rowEnd = Math.min(start + step, end)
      if (rowStart >= rowEnd) continue
      const chunks: ColumnData[] = []
      await readable(() =>
        parquetRead({
          ...{ file, metadata, columns: [...columns], rowStart, rowEnd, compressors, parsers },
          ...{ geoparquet: false, useOffsetIndex: true, onChunk: (chunk) => void chunks.push(chunk) },
        }),
      )
      yield* partsOf(chunks, columns, rowStart, rowEnd, total)
    }
    first = end
  }
}

function* partsOf(
  chunks: readonly ColumnData[],
  columns: ReadonlySet<string>,
  rowStart: number,
  rowEnd: number,
  total: number,
): Generator<ParquetPart> {
  const runs = new Map([...columns].map((name) => [name, [] as ColumnData[]]))
  for (const chunk of chunks) runs.get(chunk.columnName)?.push(chunk)
  const cursors = [...runs].map(([name, runs]) => ({ name, at: 0, runs }))
  for (let start = rowStart; start < rowEnd; start += rowsAtOnce) {
    const end = Math.min(start + rowsAtOnce, rowEnd)
    const values = cursors.map((cursor): Column => {
      const column: (Json | undefined)[] = []
      for (let row = start; row < end; row++) {
        while ((cursor.runs[cursor.at]?.rowEnd ?? rowEnd) <= row) cursor.at++
        const run = cursor.runs[cursor.at]
        column.push(run && jsonOf(run.columnData[row - run.rowStart]))
      }
      return [cursor.name, column]
    })
    yield { first: start + 1, count: end - start, columns: values, total }
  }
}

/** The rows of a part, without the members that have no value. */
export function rowsOf({ first, count, columns }: ParquetPart): FileRow[] {
  return Array.from({ length: count }, (_, at) => {
    const value: { [name: string]: Json } = {}
    for (const [name, values] of columns) {
      const json = values[at]
      if (json !== undefined) value[name] = json
    }
    return { row: first + at, value }
  })
}

function sizesOf({ columns }: FileMetaData['row_groups'][number], wanted: ReadonlySet<string>) {
  let [packed, plain] = [0, 0]
  for (const { meta_data } of columns) {
    if (!meta_data || !wanted.has(meta_data.path_in_schema[0] ?? '')) continue
    packed += Number(meta_data.total_compressed_size)
    plain += Number(meta_data.total_uncompressed_size)
  }
  return { packed, plain }
}

/** Times as texts of ISO 8601, to the microsecond. */
const parsers = {
  timestampFromMilliseconds: (millis: bigint) => micros(millis, 1_000n),
  timestampFromMicroseconds: (value: bigint) => micros(value, 1n),
  timestampFromNanoseconds: (nanos: bigint) => (typeof nanos === 'bigint' ? micros(nanos / 1_000n, 1n) : undefined),
  dateFromDays: (days: number) =>
    typeof days === 'number' ? isoText(BigInt(days) * 86_400_000_000n)?.slice(0, 10) : undefined,
}

const micros = (value: bigint, unit: bigint): string | undefined =>
  typeof value === 'bigint' ? isoText(value * unit) : undefined

/** A value of a column as JSON; undefined where there is none. */
function jsonOf(value: unknown): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value
    case 'number':
      return Number.isFinite(value) ? value : undefined
    case 'object':
      if (value === null) return undefined
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
      if (value instanceof Date) return value.toISOString()
      if (Array.isArray(value)) return value.map((each) => jsonOf(each) ?? null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonOf(each) ?? null]))
    default:
      return undefined
  }
}

/** The reader's own errors are about the file; those of the store stay as they are. */
async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const isOfReader =
      error instanceof RangeError ||
      error instanceof TypeError ||
      (error instanceof Error && error.constructor === Error && !('code' in error && typeof error.code === 'string'))
    if (!isOfReader) throw error
    throw new Refusal(`the Parquet cannot be read: ${error.message}`)
  }
}
