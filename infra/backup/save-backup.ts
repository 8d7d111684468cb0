import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { syncFolder } from '../buckets/folder/publish.ts'
import { needEmptyFolder } from './empty-folder.ts'
import { archiveName, FolderError, type Manifest, manifestName } from './manifest.ts'
import { readArchive } from './read-archive.ts'

/**
 * Writes the archive that `ask` brings into an empty folder, reading on the way that all of it is there; the manifest comes
 * last, so that a folder without it is no backup.
 */
export async function saveBackup(
  folder: string,
  ask: () => Promise<Readable>,
): Promise<{ readonly manifest: Manifest; readonly bytes: number }> {
  await needEmptyFolder(folder, () => new FolderError(`${folder} is not empty; nothing was written there`))
  const archive = join(folder, archiveName)
  const list = join(folder, `${manifestName}.part`)
  // Before the service is asked: of two commands on one folder the second ends here.
  const file = await open(archive, 'wx', 0o600)
  try {
    const source = await ask()
    let bytes = 0
    const written = async function* () {
      for await (const chunk of source) {
        await file.appendFile(chunk)
        bytes += chunk.length
        yield chunk
      }
    }
    const { manifest, text } = await readArchive(Readable.from(written(), { objectMode: false }))
    await file.sync()
    await writeSynced(list, text)
    await rename(list, join(folder, manifestName))
    await syncFolder(folder)
    return { manifest, bytes }
  } catch (error) {
    for (const left of [archive, list]) await rm(left, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
