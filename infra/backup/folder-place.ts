import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../buckets/folder/faults.ts'
import { syncFolder } from '../buckets/folder/publish.ts'
import type { BackupPlace } from './place.ts'

/** Files that are not whole. */
const partial = '.part'

/** A folder, on a disk of its own as a rule. A file that is there is synced, and so is its name. */
export function createFolderPlace(path: string): BackupPlace {
  const root = resolve(path)

  async function* below(folder: string): AsyncGenerator<string> {
    for await (const entry of await opendir(folder)) {
      const inside = join(folder, entry.name)
      if (entry.isDirectory()) yield* below(inside)
      else if (entry.isFile() && !entry.name.endsWith(partial)) yield relative(root, inside)
    }
  }

  return {
    async put(name, content) {
      const to = join(root, name)
      const made = await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      const part = `${to}${partial}`
      try {
        const file = createWriteStream(part, { mode: 0o600, flush: true })
        await pipeline(content, file)
        await rename(part, to)
        await syncFolder(dirname(to))
        // A folder that is new is in the one above it, and so on.
        for (let folder = dirname(to); made !== undefined && folder !== dirname(made); folder = dirname(folder))
          await syncFolder(dirname(folder))
        return { size: file.bytesWritten }
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(name) {
      try {
        const file = await open(join(root, name), 'r')
        return file.createReadStream({ highWaterMark: 1024 * 1024 })
      } catch (error) {
        if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
        throw error
      }
    },
    async list(prefix) {
      const found: string[] = []
      // The folder that all of them are in.
      const folder = join(root, prefix.slice(0, prefix.lastIndexOf('/') + 1))
      try {
        for await (const name of below(folder)) if (name.startsWith(prefix)) found.push(name)
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error
      }
      return found.sort()
    },
    async remove(name) {
      await rm(join(root, name), { force: true })
      // Folders that are empty go as well; one that is not stays.
      for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) {
        const isGone = await rmEmpty(join(root, folder))
        if (!isGone) return
      }
    },
    close: async () => {},
  }
}

const rmEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  )
