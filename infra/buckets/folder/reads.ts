import { type FileHandle, open } from 'node:fs/promises'
import { lastByte } from '../byte-range.ts'
import { objectKey } from '../names.ts'
import type { ByteRange, ObjectInfo, StoredObject } from '../store.ts'
import { hasCode, mustHaveFolder } from './faults.ts'
import { filePath } from './file-names.ts'

const chunkBytes = 1024 * 1024

/** An open file stays the object that it was, whatever is renamed over it. */
export function createFolderReads(folderOf: (bucket: string) => string) {
  async function openFile(bucket: string, key: string): Promise<FileHandle | undefined> {
    try {
      return await open(filePath(folderOf(bucket), objectKey(key)), 'r')
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
      await mustHaveFolder(folderOf(bucket), bucket)
      return undefined
    }
  }

  return {
    async get(bucket: string, key: string, range?: ByteRange): Promise<StoredObject | undefined> {
      const file = await openFile(bucket, key)
      if (!file) return undefined
      try {
        const info = await infoOf(file)
        const bounds = range ? { start: range.offset, end: lastByte(range, info.size) } : {}
        return { ...info, stream: file.createReadStream({ ...bounds, highWaterMark: chunkBytes }) }
      } catch (error) {
        await file.close()
        throw error
      }
    },
    async stat(bucket: string, key: string): Promise<ObjectInfo | undefined> {
      const file = await openFile(bucket, key)
      try {
        return file && (await infoOf(file))
      } finally {
        await file?.close()
      }
    },
  }
}

async function infoOf(file: FileHandle): Promise<ObjectInfo> {
  const { size, ino, mtimeNs } = await file.stat({ bigint: true })
  return { size: Number(size), version: `${ino.toString(36)}-${mtimeNs.toString(36)}-${size.toString(36)}` }
}
