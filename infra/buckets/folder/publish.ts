import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hasCode } from './faults.ts'

/** Moves a synced file to its place under `folder`, which must exist. Once this returns, the place survives a power cut. */
export async function publish(file: string, folder: string, pieces: readonly string[]): Promise<void> {
  let parent = folder
  for (const piece of pieces.slice(0, -1)) {
    const next = join(parent, piece)
    if (await madeFolder(next)) await syncFolder(parent)
    parent = next
  }
  await rename(file, join(folder, ...pieces))
  await syncFolder(parent)
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder, and those above it. Returns the folders that have a new one in them, each of which is to be synced. */
export async function makeFolders(folder: string): Promise<string[]> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return []
  const parents: string[] = []
  const first = dirname(resolve(made))
  for (let parent = dirname(resolve(folder)); parent.length >= first.length; parent = dirname(parent)) {
    parents.push(parent)
    if (parent === first) break
  }
  return parents
}

async function madeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}
