import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '../buckets/folder/faults.ts'
import { release } from '../version.ts'

/** The format of the files under DATA_DIR: it counts up with each change that an earlier version cannot read. */
const folderFormat = 1

export const markName = 'weir.json'

/** A part of the service that keeps its data under DATA_DIR. */
export type Part = 'clickhouse' | 'log'

const mark = z.object({
  format: z.int().min(0),
  /** Log and ClickHouse that belong together have the same one; absent where there is no embedded log. */
  id: z.string().min(1).optional(),
  /** The version that wrote it. */
  by: z.string().optional(),
  /** On DATA_DIR itself: the parts that were in it. */
  parts: z.array(z.enum(['clickhouse', 'log'])).optional(),
})

export type Mark = z.infer<typeof mark>

/** The mark of a folder, undefined where it has none. Throws where a newer version made the folder. */
export function readMark(folder: string): Mark | undefined {
  const file = join(folder, markName)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
  const found = mark.safeParse(jsonOf(text))
  if (!found.success) {
    throw new Error(`${file} is damaged; if the rest of the folder is whole, remove this file and start again`)
  }
  const { format, by = 'a newer version' } = found.data
  if (format > folderFormat) {
    throw new Error(
      `${folder} was made by Weir ${by} (format ${format}), this is Weir ${release()} (format ${folderFormat}), which cannot read it: start that version or a newer one, or restore a backup of this version; nothing was changed`,
    )
  }
  return found.data
}

/** Writes a mark where it differs from the one that is there; it is on the disk when this returns. */
export function writeMark(folder: string, wanted: Omit<Mark, 'format' | 'by'>, known: Mark | undefined): void {
  const next: Mark = { format: folderFormat, ...wanted, by: release() }
  const text = JSON.stringify(next)
  if (known && text === JSON.stringify(known)) return
  mkdirSync(folder, { recursive: true })
  const aside = join(folder, `.${markName}`)
  const file = openSync(aside, 'w')
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(aside, join(folder, markName))
  syncFolder(folder)
}

export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
