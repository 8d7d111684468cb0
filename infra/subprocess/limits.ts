import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { pause, watchForks } from './forks.ts'
import { type Members, membersOfSession } from './members.ts'
import type { End, Limits, Run } from './run.ts'

const look_ms = 200

/** Looks at a running program until it breaks a limit or `done` is aborted; then it is silent for ever. */
export async function watchLimits(run: Run, session: number, done: AbortSignal): Promise<End> {
  const { limits } = run
  const members = () => membersOfSession(session, limits.memory_mb)
  const forks = watchForks(session, limits.processes, async () => (await members()).pids.length, done)
  const reason = await Promise.race([forks.then(() => tooMany(limits)), watch(run, members, done)])
  return done.aborted ? new Promise(() => {}) : { kind: 'limit', reason }
}

async function watch(
  { limits, folder, beat }: Run,
  members: () => Promise<Members>,
  done: AbortSignal,
): Promise<string> {
  const start = performance.now()
  for (;;) {
    const elapsed = performance.now() - start
    beat?.(elapsed)
    if (elapsed > limits.time_ms) return `it ran longer than ${limits.time_ms / 1000} s`
    const { pids, memory_mb } = await members()
    if (pids.length > limits.processes) return tooMany(limits)
    if (memory_mb > limits.memory_mb) return `it took more than ${limits.memory_mb} MB of memory`
    if ((await folderSize(folder)) > limits.folder_mb * 2 ** 20) return `it wrote more than ${limits.folder_mb} MB`
    if (done.aborted) return ''
    await pause(Math.min(look_ms, Math.max(1, limits.time_ms - elapsed)), done)
  }
}

const tooMany = ({ processes }: Limits): string => `it started more than ${processes} processes`

/** More files than these are not counted out: a folder that has them is over any limit. */
const maxFiles = 20_000

/** Bytes that the files of a folder occupy, links not followed; Infinity where there are too many to count. */
async function folderSize(folder: string): Promise<number> {
  let [bytes, files] = [0, 0]
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    // A folder that vanishes while it is counted occupies nothing.
    const entries = await opendir(next).catch(() => undefined)
    if (entries === undefined) continue
    for await (const entry of entries) {
      const path = join(next, entry.name)
      files += 1
      if (files > maxFiles) {
        await entries.close().catch(() => {})
        return Number.POSITIVE_INFINITY
      }
      if (entry.isDirectory()) folders.push(path)
      else bytes += await lstat(path).then(occupied, () => 0)
    }
  }
  return bytes
}

/** A sparse file occupies less than its length; a block is 512 bytes wherever stat counts blocks. */
const occupied = ({ size, blocks }: { readonly size: number; readonly blocks: number }): number =>
  Math.min(size, blocks * 512)
