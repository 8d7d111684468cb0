import { createWriteStream } from 'node:fs'
import { access, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hasCode } from '../buckets/folder/faults.ts'
import { makeFolders, syncFolder } from '../buckets/folder/publish.ts'
import { BackupError } from './manifest.ts'
import type { BackupPlace } from './place.ts'

/** Files that are not whole. */
const partial = '.part'

/**
 * A folder, on a disk of its own as a rule. A file that is there is synced, and so is its name. The folder itself is made by `make`
 * alone: where its disk is not mounted any more, copies would fill the disk that they are to outlive.
 */
export function createFolderPlace(path: string): BackupPlace {
  const root = resolve(path)

  async function needRoot(): Promise<void> {
    const found = await stat(root).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw error
    })
    if (!found) throw new BackupError(`the folder ${root} is not there: mount its disk, or make the folder`)
    if (!found.isDirectory()) throw new BackupError(`${root} is a file: backups need a folder`)
  }

  async function* below(folder: string, isWanted: (name: string) => boolean): AsyncGenerator<string> {
    for await (const entry of await opendir(folder)) {
      const inside = join(folder, entry.name)
      if (entry.isDirectory()) yield* below(inside, isWanted)
      else if (entry.isFile() && isWanted(entry.name)) yield relative(root, inside)
    }
  }

  /** Names that begin so; the folder they are in is known by the prefix. */
  async function* named(prefix: string, isWanted: (name: string) => boolean): AsyncGenerator<string> {
    await needRoot()
    const folder = join(root, prefix.slice(0, prefix.lastIndexOf('/') + 1))
    try {
      for await (const name of below(folder, isWanted)) if (name.startsWith(prefix)) yield name
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }

  return {
    async make() {
      for (const parent of await makeFolders(root)) await syncFolder(parent)
      await needRoot()
    },
    async put(name, content) {
      await needRoot()
      const to = join(root, name)
      const parents = await makeFolders(dirname(to))
      const part = `${to}${partial}`
      try {
        const file = createWriteStream(part, { mode: 0o600, flush: true })
        await pipeline(content, file)
        await rename(part, to)
        for (const folder of [dirname(to), ...parents]) await syncFolder(folder)
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
      for await (const name of named(prefix, (file) => !file.endsWith(partial))) found.push(name)
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
    async has(folder) {
      await needRoot()
      return access(join(root, folder)).then(
        () => true,
        (error: unknown) => {
          if (hasCode(error, 'ENOENT')) return false
          throw error
        },
      )
    },
    async sweep(prefix, before_us) {
      for await (const name of named(prefix, (file) => file.endsWith(partial))) {
        const found = await stat(join(root, name)).catch((error: unknown) => {
          if (hasCode(error, 'ENOENT')) return undefined // Whole by now.
          throw error
        })
        if (found && found.mtimeMs * 1000 < before_us) await rm(join(root, name), { force: true })
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
