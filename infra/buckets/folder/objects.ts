import type { DiskReserve } from '../disk-reserve.ts'
import type { Scratch } from '../scratch.ts'
import type { ObjectStore } from '../store.ts'
import { mustHaveFolder, onDisk } from './faults.ts'
import { listFolder } from './list.ts'
import { createFolderReads } from './reads.ts'
import { createFolderWrites } from './writes.ts'

type FolderObjectsDeps = {
  readonly scratch: Scratch
  /** The folder of a bucket; checks the bucket's name. */
  readonly folderOf: (bucket: string) => string
  /** Room that they leave on the disk, if any. */
  readonly reserve?: DiskReserve
}

/** Objects as files in their bucket's folder. */
export function createFolderObjects({ scratch, folderOf, reserve }: FolderObjectsDeps): ObjectStore {
  const { get, stat } = createFolderReads(folderOf)
  const { put, remove } = createFolderWrites(scratch, folderOf, reserve)
  return {
    put: (...args) => onDisk(() => put(...args)),
    get: (...args) => onDisk(() => get(...args)),
    stat: (...args) => onDisk(() => stat(...args)),
    async *list(bucket, prefix = '') {
      const folder = folderOf(bucket)
      await onDisk(() => mustHaveFolder(folder, bucket))
      yield* listFolder(folder, prefix)
    },
    remove: (...args) => onDisk(() => remove(...args)),
  }
}
