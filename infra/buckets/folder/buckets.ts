import { access, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fault } from '../../../base/faults.ts'
import { isBucketName } from '../names.ts'
import type { BucketStore } from '../store.ts'
import { hasCode, missingBucket, onDisk } from './faults.ts'
import { keyOf } from './file-names.ts'
import { syncFolder } from './publish.ts'

type FolderBucketsDeps = {
  readonly root: string
  /** The folder of buckets that are set aside, on the file system of `root`. */
  readonly aside: string
  readonly folderOf: (bucket: string) => string
}

export function createFolderBuckets({ root, aside, folderOf }: FolderBucketsDeps): BucketStore {
  async function create(bucket: string) {
    try {
      await mkdir(folderOf(bucket))
    } catch (error) {
      throw hasCode(error, 'EEXIST') ? fault('conflict', `there is a bucket ${bucket} already`) : error
    }
    await syncFolder(root)
  }

  async function has(bucket: string) {
    try {
      await access(folderOf(bucket))
      return true
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false
      throw error
    }
  }

  async function list() {
    const entries = await readdir(root, { withFileTypes: true })
    const names = entries.flatMap((entry) => (entry.isDirectory() ? (keyOf([entry.name]) ?? []) : []))
    return names.filter(isBucketName).sort()
  }

  async function remove(bucket: string) {
    try {
      await removeEmpty(folderOf(bucket))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) throw missingBucket(bucket)
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST'))
        throw fault('conflict', `bucket ${bucket} holds objects: remove them first`)
      throw error
    }
    await syncFolder(root)
  }

  /** Durably; a folder that was moved before is left where it is. */
  async function move(from: string, to: string) {
    try {
      await rename(from, to)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
      await access(to)
    }
    await syncFolder(aside)
    await syncFolder(root)
  }

  return {
    setAside: (bucket, id) => onDisk(() => move(folderOf(bucket), join(aside, id))),
    bringBack: (id, bucket) => onDisk(() => move(join(aside, id), folderOf(bucket))),
    removeAside: (id) => onDisk(() => rm(join(aside, id), { recursive: true, force: true })),
    create: (bucket) => onDisk(() => create(bucket)),
    has: (bucket) => onDisk(() => has(bucket)),
    list: () => onDisk(list),
    remove: (bucket) => onDisk(() => remove(bucket)),
  }
}

/** With the folders that long keys left behind. The system refuses to remove one with a file in it, so no object is lost. */
async function removeEmpty(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmpty(join(folder, entry.name))
  }
  await rmdir(folder)
}
