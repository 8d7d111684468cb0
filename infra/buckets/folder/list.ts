import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectEntry } from '../store.ts'
import { hasCode, onDisk } from './faults.ts'
import { filePath, keyOf } from './file-names.ts'
import { inOrder } from './in-order.ts'

const filesAtOnce = 64
const entriesAtOnce = 1_000

/** The objects in a bucket's folder whose key starts with `prefix`. */
export async function* listFolder(folder: string, prefix: string): AsyncGenerator<ObjectEntry> {
  let keys: string[] = []
  for await (const key of inOrder(keysBelow(folder, prefix))) {
    if (keys.push(key) < filesAtOnce) continue
    yield* await entriesOf(folder, keys)
    keys = []
  }
  yield* await entriesOf(folder, keys)
}

async function* keysBelow(folder: string, prefix: string, pieces: readonly string[] = []): AsyncGenerator<string> {
  const entries = await onDisk(() => opendir(join(folder, ...pieces), { bufferSize: entriesAtOnce }))
  for await (const entry of entries) {
    const inside = [...pieces, entry.name]
    if (entry.isDirectory()) yield* keysBelow(folder, prefix, inside)
    const key = entry.isFile() ? keyOf(inside) : undefined
    if (key?.startsWith(prefix)) yield key
  }
}

async function entriesOf(folder: string, keys: readonly string[]): Promise<ObjectEntry[]> {
  const entries = await Promise.all(keys.map((key) => entryOf(folder, key)))
  return entries.filter((entry) => entry !== undefined)
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
