import { buffer } from 'node:stream/consumers'
import { BackupError, type BackupFile, type Manifest, manifestName, parseManifest } from './manifest.ts'
import type { CopyName } from './names.ts'
import type { BackupPlace } from './place.ts'

export type CopiedFile = {
  readonly file: BackupFile
  /** The copy that has its bytes. */
  readonly copy: CopyName
}

async function readManifest(place: BackupPlace, { name }: CopyName): Promise<Manifest> {
  const content = await place.get(`${name}/${manifestName}`)
  if (!content) throw new BackupError(`${name}/${manifestName} is not there`)
  try {
    return parseManifest((await buffer(content)).toString('utf8'))
  } catch (error) {
    if (error instanceof BackupError) throw new BackupError(`${name}: ${error.message}`, { cause: error })
    throw error
  }
}

/**
 * All files of a copy, and the full copy that it goes on from, over increments between the two. Throws a `BackupError` that names what is not there.
 */
export async function readCopy(
  place: BackupPlace,
  copy: CopyName,
  copies: readonly CopyName[],
): Promise<{ readonly files: ReadonlyMap<string, CopiedFile>; readonly full: CopyName; readonly manifest: Manifest }> {
  const chain: { readonly copy: CopyName; readonly manifest: Manifest }[] = []
  for (let next: CopyName | undefined = copy; next; ) {
    const manifest: Manifest = await readManifest(place, next)
    chain.unshift({ copy: next, manifest })
    const { since } = manifest
    if (since === undefined) break
    next = copies.find(({ name }) => name === since)
    if (!next) throw new BackupError(`${copy.name} goes on from ${since}, which is not there`)
  }
  const files = new Map<string, CopiedFile>()
  for (const each of chain) {
    for (const path of each.manifest.gone ?? []) files.delete(path)
    for (const file of each.manifest.files) files.set(file.path, { file, copy: each.copy })
  }
  const [first, last] = [chain[0], chain.at(-1)]
  if (!first || !last) throw new BackupError(`${copy.name} is not there`)
  return { files, full: first.copy, manifest: last.manifest }
}
