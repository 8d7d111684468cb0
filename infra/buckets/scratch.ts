import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../processes/is-running.ts'

const run = randomUUID()
/** Counts in the whole process, since it may open a folder twice. */
let count = 0
const abandoned_ms = 24 * 3600 * 1000

/**
 * A folder for files, or folders, that are not complete. Opening it removes the files of processes of this host that
 * have ended, and any file that was not written to for a day (the folder may be shared with other hosts).
 */
export async function openScratch(folder: string) {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    if (await isLeftOver(folder, name)) await rm(join(folder, name), { recursive: true, force: true })
  }
  return {
    path: (): string => join(folder, `${hostname()}@${process.pid}@${run}@${count++}`),
  }
}

export type Scratch = Awaited<ReturnType<typeof openScratch>>

async function isLeftOver(folder: string, name: string): Promise<boolean> {
  const [host, pid, itsRun] = name.split('@')
  if (itsRun === run) return false
  // A file of another run under our own number is of a process before us.
  if (host === hostname() && (Number(pid) === process.pid || !isRunning(Number(pid)))) return true
  const file = await stat(join(folder, name)).catch(() => undefined)
  return file !== undefined && Date.now() - file.mtimeMs > abandoned_ms
}
