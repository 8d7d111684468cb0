import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { z } from 'zod'
import type { Logger } from '../../logger.ts'
import { needRoom } from '../shared/disk-room.ts'
import { treeStatistics } from '../shared/tree-statistics.ts'
import { fileName } from './copy-log.ts'

const megabyte = 1024 * 1024
/** Less than that is not worth a copy, and a start waits for no larger one. */
const minFree = 256 * megabyte
const maxUsed = 512 * megabyte

const file = z.object({ ...treeStatistics.shape, pageSize: z.number(), free: treeStatistics })

const pagesOf = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: z.infer<typeof treeStatistics>): number =>
  treeBranchPageCount + treeLeafPageCount + overflowPages

/** Bytes that a file's trees take. */
function usedBytes(root: RootDatabase): number {
  const whole = file.parse(root.getStats())
  let pages = pagesOf(whole) + pagesOf(whole.free)
  for (const name of root.getKeys()) {
    if (typeof name === 'string') {
      pages += pagesOf(treeStatistics.parse(root.openDB({ name, encoding: 'binary' }).getStats()))
    }
  }
  return pages * whole.pageSize
}

/**
 * LMDB never shrinks a file: before a log is opened whose file is mostly free space, the file is copied without that
 * space. The copy takes the file's place once it is on the disk.
 */
export async function giveSpaceBack(folder: string, logger: Logger, least = minFree): Promise<void> {
  const path = join(folder, fileName)
  const copy = join(folder, 'compact.mdb')
  rmSync(copy, { force: true })
  const size = existsSync(path) ? statSync(path).size : 0
  if (size < least) return
  const root = open({ path, maxDbs: 16, overlappingSync: false })
  try {
    const used = usedBytes(root)
    if (size - used < Math.max(least, size / 2) || used > maxUsed) return
    needRoom(folder, 2 * used)
    await root.backup(copy, true)
    await sync(copy)
    logger.info({ size, used }, 'most of the log is free, giving its space back')
  } catch (error) {
    logger.warn({ err: error }, 'the log could not be made smaller')
    rmSync(copy, { force: true })
  } finally {
    await root.close()
  }
  if (!existsSync(copy)) return
  renameSync(copy, path)
  await sync(folder)
}

async function sync(path: string): Promise<void> {
  const handle = await openFile(path, 'r')
  await handle.sync().finally(() => handle.close())
}
