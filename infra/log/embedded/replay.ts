import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { fileName } from './copy-log.ts'
import { createLmdbLog } from './log.ts'
import { committedName, leaveLine, type ShippedCommit, shapeName, shippedLine } from './spool.ts'

/** The copy of a log, into which commits that came after it are put again. Nothing else is done with it meanwhile. */
export function openReplay(path: string) {
  const { committed, shape } = readState(path)
  // As no place is named, the log forgets that it was shipped: a service that starts on it begins a line of its own.
  const log = createLmdbLog({ path, maxBytes: Number.MAX_SAFE_INTEGER, maintainRulesEvery_ms: 2 ** 30 })
  return {
    /** All commits up to this position are in the copy. */
    committed,
    shape,
    decode: log.decodeShipped,
    replay: (position: number, commits: readonly ShippedCommit[]): Promise<void> => log.replay(position, commits),
    close: log.log.close,
  }
}

/** Ends the line of a restored folder's log, if there is a log. */
export async function endShippedLine(path: string): Promise<void> {
  const file = join(path, fileName)
  if (!existsSync(file)) return
  const root = open({ path: file, maxDbs: 16, overlappingSync: false })
  try {
    leaveLine(root)
  } finally {
    await root.close()
  }
}

function readState(path: string): { readonly committed: number; readonly shape: number } {
  const root = open({ path: join(path, fileName), maxDbs: 16 })
  const state = root.openDB<number, string>({ name: 'state' })
  const notes = root.openDB<string, string>({ name: 'notes' })
  const [committed = 0, shape = 0] = [state.get(committedName), state.get(shapeName)]
  const shipped = shippedLine(notes)?.shipped ?? 0
  void root.close()
  return { committed: Math.max(committed, shipped), shape }
}
