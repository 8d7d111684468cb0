import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { readMark, syncFolder, writeMark } from './mark.ts'

/**
 * The name of DATA_DIR for a part of the service: its log remembers the batches that the part's process brings. The name is on the
 * disk before any of them is.
 */
export function homeIn(dataFolder: string, part: 'imports' | 'sources'): string {
  const folder = join(dataFolder, part)
  const known = readMark(folder)
  const id = known?.id ?? randomUUID()
  writeMark(folder, { id }, known)
  syncFolder(dataFolder)
  return id
}
