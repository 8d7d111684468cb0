import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
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

async function madeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}
