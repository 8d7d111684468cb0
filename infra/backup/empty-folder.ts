import { readdir } from 'node:fs/promises'
import { makeFolders, syncFolder } from '../buckets/folder/publish.ts'

/**
 * Makes a folder that only its owner reads, unless it is there and empty; `refusal` gets the names of the entries in
 * it.
 */
export async function needEmptyFolder(folder: string, refusal: (names: readonly string[]) => Error): Promise<void> {
  for (const parent of await makeFolders(folder)) await syncFolder(parent)
  const names = await readdir(folder)
  if (names.length > 0) throw refusal(names)
}
