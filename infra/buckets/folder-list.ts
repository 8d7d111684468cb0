import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { filePath, keyOf } from './file-names.ts'
import { hasCode, onDisk } from './folder-faults.ts'
import type { ObjectEntry } from './store.ts'

const filesAtOnce = 64

/** The objects in a bucket's folder whose key starts with `prefix`. */
export async function* listFolder(folder: string, prefix: string): AsyncGenerator<ObjectEntry> {
  const found: Buffer[] = []
  for await (const key of keysBelow(folder)) if (key.startsWith(prefix)) found.push(Buffer.from(key))
  const keys = found.sort(Buffer.compare).map(String)
  for (let i = 0; i < keys.length; i += filesAtOnce) {
    const entries = await Promise.all(keys.slice(i, i + filesAtOnce).map((key) => entryOf(folder, key)))
    for (const entry of entries) if (entry) yield entry
  }
}

async function* keysBelow(folder: string, pieces: readonly string[] = []): AsyncGenerator<string> {
  for (const entry of await onDisk(() => readdir(join(folder, ...pieces), { withFileTypes: true }))) {
    const inside = [...pieces, entry.name]
    if (entry.isDirectory()) yield* keysBelow(folder, inside)
    const key = entry.isFile() ? keyOf(inside) : undefined
    if (key !== undefined) yield key
  }
}

/** Undefined where it was removed meanwhile. */
async function entryOf(folder: string, key: string): Promise<ObjectEntry | undefined> {
  try {
    return { key, size: (await lstat(filePath(folder, key))).size }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
