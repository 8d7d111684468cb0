/** The rows of a Parquet file, a part of a row group at a time. */
import type { AsyncBuffer, ColumnData, FileMetaData } from 'hyparquet'
import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import type { FileRow } from './file-rows.ts'
import { parsers, type ReadValue, valueReader } from './parquet-values.ts'

/** Bytes that are decoded at once, as the file counts them, and packed bytes of a row group that are read at once. */
const decodedBytes = 32 * 1024 * 1024
/** Values that are decoded at once: a page of equal ones takes hardly a byte each. */
const decodedValues = 2_000_000
const maxGroupBytes = 256 * 1024 * 1024
const maxColumns = 10_000
const rowsAtOnce = 1_000
const shownCharacters = 100

/** Reads bytes of the file from `start` to `end`. */
export type Slice = (start: number, end: number) => Promise<ArrayBuffer>

type Column = readonly [name: string, values: readonly (Json | undefined)[]]
/** A row with a value that is refused, and why: once a row. */
type Refused = readonly [row: number, reason: string]

/**
 * Rows behind each other, of which `first` counts from 1, as columns: they go from thread to thread in half the time that objects
 * take. `total` counts all rows of the file.
 */
export type ParquetPart = {
  readonly first: number
  readonly count: number
  readonly columns: readonly Column[]
  readonly refused: readonly Refused[]
  readonly total: number
}

export type ParquetSource = { readonly bytes: number; readonly slice: Slice }

/** The columns of a file that are read: all without `columns`. A file that lacks all columns of `needed` is refused. */
export type Wanted = { readonly columns?: ReadonlySet<string>; readonly needed?: readonly string[] }

/** The rows behind the first `after`. Throws a `Refusal` for a file that cannot be read. */
export async function* partsOfParquet(
  source: ParquetSource,
  { columns: wanted, needed }: Wanted,
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
  const schema = parquetSchema(metadata).children
  const names = schema.map(({ element }) => element.name)
  if (names.length > maxColumns) throw new Refusal(`the file has over ${maxColumns} columns`)
  if (needed && !needed.some((name) => names.includes(name)))
    throw new Refusal(
      `the file has no column ${shown(needed[0] ?? '')}, which time names; its columns are ${names.slice(0, 20).map(shown).join(', ')}`,
    )
  const read = new Map(
    schema
      .filter(({ element: { name } }) => wanted === undefined || wanted.has(name))
      .map((node) => [node.element.name, valueReader(node)]),
  )
  const columns = new Set(read.keys())
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
          ...{ geoparquet: false, utf8: false, useOffsetIndex: true, onChunk: (chunk) => void chunks.push(chunk) },
        }),
      )
      yield* partsOf(chunks, read, rowStart, rowEnd, total)
    }
    first = end
  }
}

function* partsOf(
  chunks: readonly ColumnData[],
  columns: ReadonlyMap<string, ReadValue>,
  rowStart: number,
  rowEnd: number,
  total: number,
): Generator<ParquetPart> {
  const cursors = [...columns].map(([name, read]) => ({ name, read, at: 0, runs: [] as ColumnData[] }))
  const runs = new Map(cursors.map(({ name, runs }) => [name, runs]))
  for (const chunk of chunks) runs.get(chunk.columnName)?.push(chunk)
  for (let start = rowStart; start < rowEnd; start += rowsAtOnce) {
    const end = Math.min(start + rowsAtOnce, rowEnd)
    const refused = new Map<number, string>()
    const values = cursors.map((cursor): Column => {
      const column: (Json | undefined)[] = []
      for (let row = start; row < end; row++) {
        while ((cursor.runs[cursor.at]?.rowEnd ?? rowEnd) <= row) cursor.at++
        const run = cursor.runs[cursor.at]
        try {
          column.push(run && cursor.read(run.columnData[row - run.rowStart]))
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          column.push(undefined)
          if (!refused.has(row + 1)) refused.set(row + 1, `column ${shown(cursor.name)}: ${error.message}`)
        }
      }
      return [cursor.name, column]
    })
    yield { first: start + 1, count: end - start, columns: values, refused: [...refused], total }
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, shownCharacters))

/** The rows of a part, without the members that have no value. */
export function rowsOf({ first, count, columns, refused }: ParquetPart): FileRow[] {
  const reasons = new Map(refused)
  return Array.from({ length: count }, (_, at) => {
    const reason = reasons.get(first + at)
    if (reason !== undefined) return { row: first + at, reason }
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
