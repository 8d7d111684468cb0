/** The rows of a file, one after the other, in bounded memory. */
import type { Event } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { noLines, type OpenRow, splitCsv } from '../../learn/formats/csv-cells.ts'
import { createUtf8Decoder } from '../../learn/formats/decode-utf8.ts'
import type { Reader } from '../../learn/formats/format.ts'
import { createObjectReader } from '../../learn/formats/json/json-values.ts'
import { cutLines, maxRowLength, tooLong } from '../../learn/formats/lines.ts'
import { type BrokenRow, placeOf } from '../../learn/formats/row.ts'
import type { FileFormat } from '../../sql/import/definition.ts'

/** `row` counts from 1 and only grows: lines of CSV and NDJSON, objects of JSON, rows of Parquet. */
export type FileRow = { readonly row: number } & (
  | { readonly text: string }
  | { readonly value: Event }
  /** Values by the names of columns, each as text: their types are those of the attributes. */
  | { readonly cells: ReadonlyMap<string, string> }
  | { readonly reason: string }
)

export type TextFormat = Exclude<FileFormat, 'Parquet'>

const maxColumns = 10_000

type Emit = (row: FileRow) => void

const readers: Readonly<Record<TextFormat, (emit: Emit, separator: string) => Reader>> = {
  CSV: createCsvReader,
  JSON: createJsonReader,
  NDJSON: (emit) =>
    cutLines(broken(emit), (text, row) => {
      if (text.trim() !== '') emit({ row, text })
    }),
}

const broken = (emit: Emit) => (row: BrokenRow) => emit({ row: row.line, reason: row.reason })

/**
 * Rows in lists, one for each piece of the file, also where no row ends in it. Throws a `Refusal` for a file that is none of its
 * format.
 */
export async function* rowsOfText(
  source: AsyncIterable<Uint8Array>,
  format: TextFormat,
  separator = ',',
): AsyncGenerator<readonly FileRow[]> {
  let rows: FileRow[] = []
  const reader = readers[format]((row) => rows.push(row), separator)
  const decoder = createUtf8Decoder()
  for await (const chunk of source) {
    reader.push(decoder.push(chunk))
    yield rows
    rows = []
  }
  reader.push(decoder.end())
  reader.end()
  if (rows.length > 0) yield rows
}

function createJsonReader(emit: Emit): Reader {
  let row = 0
  return createObjectReader(
    (value) => emit({ row: ++row, value }),
    (place) => emit({ row: ++row, reason: placeOf(place) }),
  )
}

/** The first row names the columns. */
function createCsvReader(emit: Emit, separator: string): Reader {
  let header: readonly string[] | undefined
  /** A row that goes on in the next line; its `reason` says why it is refused at its end. */
  let open:
    | { readonly row: OpenRow; readonly line: number; readonly length: number; readonly reason: string | undefined }
    | undefined

  function takeCells(cells: readonly string[], row: number): void {
    if (header === undefined) {
      header = headerOf(cells)
      return
    }
    if (cells.length === header.length)
      emit({ row, cells: new Map(header.map((name, place) => [name, cells[place] ?? ''])) })
    else emit({ row, reason: `the row has ${cells.length} cells, and the header has ${header.length}` })
  }

  /** Without its header no row can be read. */
  function refuse(row: number, reason: string): void {
    if (header === undefined) throw new Refusal(`the header of the CSV cannot be read: ${reason}`)
    emit({ row, reason })
  }

  /** A row with a line that is broken is refused as a whole: its lines are read on to its closing quote, and not kept. */
  function takeLine(text: string, number: number, broken?: string): void {
    if (open === undefined && broken === undefined && text.trim() === '') return
    const before = open
    const line = before?.line ?? number
    const length = before === undefined ? text.length : before.length + 1 + text.length
    const reason = before?.reason ?? broken ?? (length > maxRowLength ? tooLong : undefined)
    open = undefined
    const split = splitCsv(text, separator, before?.row)
    if ('open' in split) open = { row: reason === undefined ? split.open : noLines(), line, length, reason }
    else if (reason !== undefined) refuse(line, reason)
    else if ('reason' in split) refuse(line, split.reason)
    else takeCells(split.cells, line)
  }

  const lines = cutLines(({ line, reason }, kept) => takeLine(kept, line, reason), takeLine)
  return {
    push: lines.push,
    end: () => {
      lines.end()
      if (open === undefined) return
      const { line, reason } = open
      refuse(line, reason === undefined ? unclosed : `${reason}: ${unclosed}`)
    },
  }
}

const unclosed = 'a quoted cell of the row has no closing quote'

function headerOf(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  if (names.length > maxColumns) throw new Refusal(`the header has over ${maxColumns} columns`)
  const known = new Set<string>()
  for (const name of names) {
    if (known.has(name))
      throw new Refusal(`two columns of the header are called ${JSON.stringify(name.slice(0, 100))}: name them apart`)
    known.add(name)
  }
  return names
}
