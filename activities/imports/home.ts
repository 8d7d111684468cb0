import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A name of DATA_DIR, whose log remembers the batches that this process brings, also after a restart. */
export function homeOf(folder: string): string {
  const path = join(folder, 'home')
  try {
    const kept = readFileSync(path, 'utf8')
    if (kept.length === 36) return kept
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const name = randomUUID()
  mkdirSync(folder, { recursive: true })
  const file = openSync(path, 'w')
  writeSync(file, name)
  fsyncSync(file)
  closeSync(file)
  return name
}
