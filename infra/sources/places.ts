import { existsSync, mkdirSync } from 'node:fs'
import { open, type RootDatabase } from 'lmdb'
import { syncFolder } from '../data-folder/mark.ts'

/**
 * By source a text that is on the disk before a batch goes to the log of this folder: a repeat is cut in the same place. The file is
 * made for the first source.
 */
export function openPlaces(path: string) {
  const file = `${path}/places.mdb`
  let opened: RootDatabase<string, string> | undefined

  function places(): RootDatabase<string, string> {
    if (opened) return opened
    mkdirSync(path, { recursive: true })
    opened = open<string, string>({ path: file, overlappingSync: false })
    // Writes sync the file, and not its name.
    syncFolder(path)
    return opened
  }

  return {
    get: (source: string): string | undefined => places().get(source),
    async put(source: string, place: string): Promise<void> {
      await places().put(source, place)
    },
    async forget(source: string): Promise<void> {
      if (opened || existsSync(file)) await places().remove(source)
    },
    close: async (): Promise<void> => opened?.close(),
  }
}

export type Places = ReturnType<typeof openPlaces>
