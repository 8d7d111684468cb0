import { readCsv, separatorOf } from './read-csv.ts'

/** A file, and its first rows. */
export type Sheet = {
  readonly file: File
  readonly text: string
  readonly isWhole: boolean
  readonly separator: string
  readonly rows: readonly (readonly string[])[]
}

const sampled_bytes = 1_000_000

/** Reads the beginning of a file: columns are recognised before it is uploaded, however large it is. */
export async function readSheet(file: File): Promise<Sheet> {
  const isWhole = file.size <= sampled_bytes
  const text = await file.slice(0, sampled_bytes).text()
  const separator = separatorOf(text)
  return { file, text, isWhole, separator, rows: readCsv(text, separator, isWhole) }
}

/** How many rows the file has: all of them, or about as many. */
export const rowsIn = ({ file, isWhole, rows }: Sheet, isHeader: boolean): number =>
  isWhole ? rows.length - (isHeader ? 1 : 0) : Math.round((rows.length * file.size) / sampled_bytes)
