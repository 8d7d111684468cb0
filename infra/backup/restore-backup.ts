import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../buckets/folder/faults.ts'
import { makeFolders, syncFolder } from '../buckets/folder/publish.ts'
import { endShippedLine } from '../log/embedded/replay.ts'
import { needEmptyFolder } from './empty-folder.ts'
import { archiveName, BackupError, FolderError, type Manifest, manifestName, parseManifest } from './manifest.ts'
import { type Keep, readArchive } from './read-archive.ts'

/** A data folder with this file in it is not whole. */
const unfinished = '.restoring'

/**
 * Makes a data folder of a backup. Throws a `BackupError` where the backup is not whole or the data folder not empty;
 * then nothing that was there has changed. A restore that is killed leaves a folder that no service starts on.
 */
export async function restoreBackup(folder: string, dataFolder: string): Promise<Manifest> {
  const manifest = parseManifest(await readManifest(folder))
  await restoreInto(dataFolder, (aside) => unpack(join(folder, archiveName), manifest, aside))
  return manifest
}

/**
 * Has `fill` make what a data folder holds in a folder within it, which takes its place once it is whole. A service on the folder
 * ships in a line of its own.
 */
export async function restoreInto<Result>(
  dataFolder: string,
  fill: (aside: string) => Promise<Result>,
): Promise<Result> {
  await needEmptyFolder(dataFolder, (names) =>
    names.includes(unfinished) ? halfRestored(dataFolder) : notEmpty(dataFolder),
  )
  const aside = join(dataFolder, unfinished)
  await mkdir(aside).catch((error: unknown) => {
    throw hasCode(error, 'EEXIST') ? halfRestored(dataFolder) : error
  })
  let result: Result
  try {
    result = await fill(aside)
    await endShippedLine(join(aside, 'log'))
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    throw error
  }
  for (const name of await readdir(aside)) await rename(join(aside, name), join(dataFolder, name))
  await syncFolder(dataFolder)
  await rmdir(aside)
  await syncFolder(dataFolder)
  return result
}

/** Throws where a restore into the folder was killed, or is still under way. */
export async function refuseHalfRestored(dataFolder: string): Promise<void> {
  const isThere = await access(join(dataFolder, unfinished)).then(
    () => true,
    () => false,
  )
  if (isThere) throw halfRestored(dataFolder)
}

const notEmpty = (folder: string) =>
  new FolderError(`${folder} is not empty; a backup is restored into an empty or absent DATA_DIR, nothing was changed`)

const halfRestored = (folder: string) =>
  new FolderError(`a restore into ${folder} is under way or was cut off: empty the folder and restore again`)

async function readManifest(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, manifestName), 'utf8')
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    throw new BackupError(`${folder} is no backup, or one that was cut off: it has no ${manifestName}`)
  }
}

/** Keeps files and folders of an archive below a folder, each synced, and none that is there already; `folders` are to be synced, those of new folders among them. */
export function newFilesIn(to: string): { readonly folders: ReadonlySet<string>; readonly keep: Keep } {
  const folders = new Set<string>()
  const keep: Keep = async (path, content) => {
    const folder = join(to, path.endsWith('/') ? path : dirname(path))
    if (!folders.has(folder)) for (const parent of await makeFolders(folder)) folders.add(parent)
    folders.add(folder)
    if (path.endsWith('/')) {
      for await (const chunk of content) void chunk
      return
    }
    const file = await open(join(to, path), 'wx', 0o600)
    try {
      for await (const chunk of content) await file.appendFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
  }
  return { folders, keep }
}

async function unpack(archive: string, manifest: Manifest, to: string): Promise<void> {
  const expected = new Set(manifest.files.map(({ path }) => path))
  const { folders, keep } = newFilesIn(to)
  const { text } = await readArchive(createReadStream(archive), keep, (path) => expected.has(path))
  if (JSON.stringify(parseManifest(text)) !== JSON.stringify(manifest)) {
    throw new BackupError(`${manifestName} and ${archiveName} are of two different backups`)
  }
  for (const folder of folders) await syncFolder(folder)
}
