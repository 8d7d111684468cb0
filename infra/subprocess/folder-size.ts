import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** More files than these are not counted out: a folder that has them is over any limit. */
const mostFiles = 20_000

/** Bytes that the files of a folder occupy, links not followed; Infinity where there are too many to count. */
export async function folderSize(folder: string): Promise<number> {
  let [bytes, files] = [0, 0]
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    // What vanishes while it is counted occupies nothing.
    const entries = await opendir(next).catch(() => undefined)
    if (entries === undefined) continue
    for await (const entry of entries) {
      const path = join(next, entry.name)
      files += 1
      if (files > mostFiles) {
        await entries.close().catch(() => {})
        return Number.POSITIVE_INFINITY
      }
      if (entry.isDirectory()) folders.push(path)
      else bytes += await lstat(path).then(occupied, () => 0)
    }
  }
  return bytes
}

/** A sparse file occupies less than its length; a block is 512 bytes wherever stat tells blocks. */
const occupied = ({ size, blocks }: { readonly size: number; readonly blocks: number }): number =>
  Math.min(size, blocks * 512)
