import { mkdirSync } from 'node:fs'
import { open, type RootDatabase } from 'lmdb'

/** By source a text that is on the disk before a batch goes to the log of this folder: a repeat is cut in the same place. */
export function openPlaces(path: string) {
  mkdirSync(path, { recursive: true })
  const places: RootDatabase<string, string> = open({ path: `${path}/places.mdb`, overlappingSync: false })
  return {
    get: (source: string): string | undefined => places.get(source),
    async put(source: string, place: string): Promise<void> {
      await places.put(source, place)
    },
    async forget(source: string): Promise<void> {
      await places.remove(source)
    },
    close: (): Promise<void> => places.close(),
  }
}

export type Places = ReturnType<typeof openPlaces>
