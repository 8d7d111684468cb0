import { mkdir, readdir } from 'node:fs/promises'

/**
 * Makes a folder that only its owner reads, unless it is there and empty; `refusal` gets the names of the entries in
 * it.
 */
export async function needEmptyFolder(folder: string, refusal: (names: readonly string[]) => Error): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = await readdir(folder)
  if (names.length > 0) throw refusal(names)
}
