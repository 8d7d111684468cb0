import { once } from 'node:events'
import { mkdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** `place` sets machines and containers apart: within one the kernel knows which process is alive. */
type Writer = { readonly pid: number; readonly place: string }

const beat_ms = 500
/** A writer elsewhere, which the kernel here does not know, is dead when its file has not moved for this time. */
const patience_ms = 3_000
/** A process that was killed needs a moment to die, all its threads with it. */
const dying_ms = 2_000

/**
 * Makes this process the one writer of a log's folder; an Error where another one is.
 *
 * In one place the lock is a socket under a name of the folder, which the kernel takes back the moment its process
 * ends: neither a killed process that was not reaped nor a number that was given out again keeps the folder. A writer
 * in another container or on another machine shows that it lives by touching its file.
 */
export async function takeSoleWriter(folder: string): Promise<{ release(): void }> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'writer.json')
  const place = placeOf()
  const other = read(path)
  const lock = await lockWithin(folder, dying_ms)
  if (!lock) throw inUse(folder, other, place)
  if (other && other.place !== place && (await isBeating(path))) {
    lock.close()
    throw inUse(folder, other, place)
  }
  writeFileSync(path, JSON.stringify({ pid: process.pid, place } satisfies Writer))
  const timer = setInterval(() => {
    const now = new Date()
    try {
      utimesSync(path, now, now)
    } catch {} // the log reports a folder that is gone
  }, beat_ms)
  timer.unref()
  return {
    release() {
      clearInterval(timer)
      rmSync(path, { force: true })
      lock.close()
    },
  }
}

async function lockWithin(folder: string, time_ms: number): Promise<Server | undefined> {
  for (const end = performance.now() + time_ms; ; ) {
    const lock = await lockOf(folder)
    if (lock || performance.now() > end) return lock
    await sleep(50)
  }
}

/** Undefined where another process of this place has it. Abstract sockets (a name that begins with NUL) are Linux's. */
async function lockOf(folder: string): Promise<Server | undefined> {
  const { dev, ino } = statSync(folder)
  const server = createServer((socket) => socket.destroy())
  server.listen(process.platform === 'linux' ? `\0weir-log-${dev}-${ino}` : { host: '127.0.0.1', port: portOf(ino) })
  try {
    await once(server, 'listening')
    return server.unref()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
}

/** Elsewhere a port stands for the name: two folders that meet on one refuse each other, and do no harm. */
const portOf = (ino: number): number => 49_152 + (ino % 16_384)

/** Abstract sockets are known within a network namespace. */
function placeOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/net')}`
  } catch {
    return hostname()
  }
}

function read(path: string): Writer | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function isBeating(path: string): Promise<boolean> {
  const before = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  for (let waited_ms = 0; waited_ms < patience_ms; waited_ms += beat_ms) {
    await sleep(beat_ms)
    if (statSync(path, { throwIfNoEntry: false })?.mtimeMs !== before) return true
  }
  return false
}

function inUse(folder: string, other: Writer | undefined, place: string): Error {
  const who = other === undefined ? '' : ` (${other.place === place ? '' : `${other.place}: `}${other.pid})`
  return new Error(`another process${who} uses the data folder ${folder}; stop it, or set DATA_DIR to another folder`)
}
