/** Rows as files. */
import { printJson } from '../../api/json.ts'
import { numberOf, plainText, timeOf } from './cells.ts'
import type { Rows } from './rows.ts'

export type FileFormat = 'csv' | 'ndjson' | 'parquet'

export const fileFormats: Readonly<Record<FileFormat, { readonly title: string; readonly type: string }>> = {
  csv: { title: 'CSV', type: 'text/csv' },
  ndjson: { title: 'JSON lines', type: 'application/x-ndjson' },
  parquet: { title: 'Parquet', type: 'application/vnd.apache.parquet' },
}

/** By RFC 4180, with a line of names. */
export function csvOf({ columns, rows }: Rows): string {
  const lines = [
    columns.map(({ name }) => field(name)),
    ...rows.map((row) => columns.map((_, at) => field(plainText(row[at])))),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** An object a line; members that a row lacks are left out. */
export const ndjsonOf = ({ columns, rows }: Rows): string =>
  rows
    .map((row) => {
      const members = columns.flatMap(({ name }, at) => (row[at] === undefined ? [] : [[name, row[at]] as const]))
      return `${printJson(Object.fromEntries(members))}\n`
    })
    .join('')

export async function fileOf(format: FileFormat, rows: Rows): Promise<Blob> {
  const { type } = fileFormats[format]
  const content = format === 'parquet' ? await parquetOf(rows) : format === 'csv' ? csvOf(rows) : ndjsonOf(rows)
  return new Blob([content], { type })
}

/** The page has not got its Parquet writer: the service is away, or after an update has another. */
export class WriterMissing extends Error {
  constructor(cause: unknown) {
    super('The Parquet writer could not be loaded; reload the page', { cause })
    this.name = 'WriterMissing'
  }
}

type ParquetType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'STRING'

/** Columns of whole numbers, numbers, truths, times or texts; of mixed ones all are texts. */
async function parquetOf({ columns, rows }: Rows): Promise<ArrayBuffer> {
  const { parquetWriteBuffer } = await import('hyparquet-writer').catch((cause: unknown) => {
    throw new WriterMissing(cause)
  })
  return parquetWriteBuffer({
    columnData: columns.map(({ name, kind }, at) => {
      const cells = rows.map((row) => row[at] ?? null)
      const isTime = kind === 'time' && cells.every((cell) => cell === null || timeOf(cell) !== undefined)
      const type = isTime ? 'INT64' : typeOf(cells)
      return { name, type, data: cells.map((cell) => (cell === null ? null : valueOf(type, isTime, cell))) }
    }),
    createdBy: 'Weir',
  })
}

function valueOf(type: ParquetType, isTime: boolean, cell: unknown): bigint | number | boolean | string | null {
  if (isTime) return typeof cell === 'bigint' ? cell : BigInt(Math.round(timeOf(cell) ?? 0))
  if (type === 'INT64' && (typeof cell === 'bigint' || typeof cell === 'number')) return BigInt(cell)
  if (type === 'DOUBLE') return numberOf(cell) ?? null
  return type === 'BOOLEAN' ? cell === true : plainText(cell)
}

function typeOf(cells: readonly unknown[]): ParquetType {
  let type: Exclude<ParquetType, 'STRING'> | undefined
  for (const cell of cells) {
    if (cell === null) continue
    // A whole number beyond 64 bits with a sign is a text, as are those beside it.
    const isWhole = typeof cell === 'bigint' ? BigInt.asIntN(64, cell) === cell : Number.isSafeInteger(cell)
    const own = isWhole
      ? 'INT64'
      : typeof cell === 'number'
        ? 'DOUBLE'
        : typeof cell === 'boolean'
          ? 'BOOLEAN'
          : undefined
    if (own === undefined) return 'STRING'
    if (type === undefined || type === own) type = own
    else if (type === 'BOOLEAN' || own === 'BOOLEAN') return 'STRING'
    else type = 'DOUBLE'
  }
  return type ?? 'STRING'
}
