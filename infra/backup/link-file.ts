import { constants } from 'node:fs'
import { access, copyFile, link, mkdir, opendir, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../buckets/folder/faults.ts'

/**
 * Gives a file that is never written again a second name, which keeps its bytes whatever becomes of the first; across
 * file systems it is copied. An earlier file of the second name is replaced. False where the file is gone.
 */
export async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    if (hasCode(error, 'EXDEV', 'EPERM', 'EMLINK')) return copied(from, to)
    if (!hasCode(error, 'EEXIST')) throw error
    await unlink(to)
    return linkFile(from, to)
  }
}

async function copied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Links all files below a folder that `takes` their path below it. False where something of it is gone. */
export async function linkTree(
  from: string,
  to: string,
  takes: (path: string) => boolean = () => true,
): Promise<boolean> {
  let isWhole = true
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    await mkdir(join(to, folder), { recursive: true })
    const entries = await opendir(join(from, folder)).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error
      isWhole = false
      return []
    })
    for await (const entry of entries) {
      const path = join(folder, entry.name)
      if (!takes(path)) continue
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile() && !(await linkFile(join(from, path), join(to, path)))) isWhole = false
    }
  }
  return isWhole
}

/** Removes from a linked tree what is not in the other one any more. */
export async function dropGone(from: string, linked: string): Promise<void> {
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const entry of await opendir(join(linked, folder))) {
      const path = join(folder, entry.name)
      if (!(await isThere(join(from, path)))) await rm(join(linked, path), { recursive: true, force: true })
      else if (entry.isDirectory()) folders.push(path)
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}

/** Copies a file that is appended to as far as it has come. False where it is gone. */
export async function copyGrowing(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true })
  return copied(from, to)
}
