import { folderSize } from './folder-size.ts'
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
