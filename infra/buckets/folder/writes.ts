import { createWriteStream } from 'node:fs'
import { rm, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createKeyedMutex } from '../../../base/mutex.ts'
import type { DiskReserve } from '../disk-reserve.ts'
import { objectKey } from '../names.ts'
import type { Scratch } from '../scratch.ts'
import { hasCode, mustHaveFolder } from './faults.ts'
import { filePath, piecesOf } from './file-names.ts'
import { publish, syncFolder } from './publish.ts'

const chunkBytes = 1024 * 1024
/** Bytes that are written between two looks at the disk. */
const lookBytes = 8 * chunkBytes

async function* leavingRoom(chunks: AsyncIterable<string | Uint8Array>, reserve: DiskReserve | undefined) {
  await reserve?.need(0)
  let behind = 0
  for await (const chunk of chunks) {
    behind += chunk.length
    if (behind >= lookBytes) {
      await reserve?.need(behind)
      behind = 0
    }
    yield chunk
  }
}

/** An object is written aside, synced and renamed: readers see the one before or this one, never a part of either. */
export function createFolderWrites(scratch: Scratch, folderOf: (bucket: string) => string, reserve?: DiskReserve) {
  // The rename and its sync in one turn: the writer that is answered later is the one whose object stays.
  const exclusively = createKeyedMutex()

  return {
    async put(bucket: string, key: string, content: Readable): Promise<{ size: number }> {
      const folder = folderOf(bucket)
      const pieces = piecesOf(objectKey(key))
      await mustHaveFolder(folder, bucket)
      const part = scratch.path()
      try {
        const file = createWriteStream(part, { flags: 'wx', flush: true, highWaterMark: chunkBytes })
        await pipeline(content, (chunks: AsyncIterable<string | Uint8Array>) => leavingRoom(chunks, reserve), file)
        await exclusively(filePath(folder, key), () => publish(part, folder, pieces))
        return { size: file.bytesWritten }
      } catch (error) {
        if (hasCode(error, 'ENOENT')) await mustHaveFolder(folder, bucket)
        throw error
      } finally {
        await rm(part, { force: true })
      }
    },
    async remove(bucket: string, key: string): Promise<boolean> {
      const folder = folderOf(bucket)
      const path = filePath(folder, objectKey(key))
      try {
        await exclusively(path, () => unlink(path))
        await syncFolder(dirname(path))
        return true
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error
        await mustHaveFolder(folder, bucket)
        return false
      }
    },
  }
}
