import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'

type Writer = { readonly pid: number; readonly host: string }

const beat_ms = 500
/** A writer on another machine, whose process cannot be asked, is dead when its file has not moved for so long. */
const patience_ms = 3_000

/** Makes this process the one writer of a log's folder; an Error where another one is. */
export async function takeSoleWriter(folder: string): Promise<{ release(): void }> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'writer.json')
  const other = read(path)
  if (other && (await isAlive(path, other))) {
    throw new Error(
      `another process (${other.host === hostname() ? '' : `${other.host}: `}${other.pid}) uses the data folder ${folder}; stop it, or set DATA_DIR to another folder`,
    )
  }
  writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Writer))
  const timer = setInterval(() => {
    const now = new Date()
    try {
      utimesSync(path, now, now)
    } catch {} // a folder that is gone is told of by the log
  }, beat_ms)
  timer.unref()
  return {
    release() {
      clearInterval(timer)
      rmSync(path, { force: true })
    },
  }
}

function read(path: string): Writer | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** A process of the same number is this one, or one in another container. */
async function isAlive(path: string, { pid, host }: Writer): Promise<boolean> {
  if (host === hostname() && pid !== process.pid) return isRunning(pid)
  const before = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  for (let waited_ms = 0; waited_ms < patience_ms; waited_ms += beat_ms) {
    await after(beat_ms)
    if (statSync(path, { throwIfNoEntry: false })?.mtimeMs !== before) return true
  }
  return false
}

/** Whether a process of this machine has the number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
