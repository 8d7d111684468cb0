import { existsSync } from 'node:fs'
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { fault } from '../../../base/faults.ts'
import { markName } from '../../data-folder/mark.ts'
import { needRoom } from '../shared/disk-room.ts'

export const fileName = 'log.mdb'
export const clockName = 'clock'

/** The room that a copy leaves free, so that events still find room in the log. */
const spare = 256 * 1024 * 1024

/** The clock is copied last: its values are then beyond every position in the copy. */
export async function copyLog(root: RootDatabase, from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  const { size } = await stat(join(from, fileName))
  try {
    needRoom(to, size + spare)
  } catch (error) {
    throw fault(
      'unavailable',
      `the disk has no room for a copy of the log: ${error instanceof Error ? error.message : ''}`,
    )
  }
  await root.backup(join(to, fileName), true)
  await copyFile(join(from, clockName), join(to, clockName))
  const mark = join(from, markName)
  if (existsSync(mark)) await copyFile(mark, join(to, markName))
}
