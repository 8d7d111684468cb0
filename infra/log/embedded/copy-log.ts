import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'

export const fileName = 'log.mdb'
export const clockName = 'clock'

/** The clock is copied last: its values are then beyond every position in the copy. */
export async function copyLog(root: RootDatabase, from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await root.backup(join(to, fileName), true)
  await copyFile(join(from, clockName), join(to, clockName))
}
