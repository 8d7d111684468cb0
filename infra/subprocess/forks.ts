import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const look_ms = 20

/** Every process and thread of the machine, in one cheap read (proc(5)); 0 where the system does not show it. */
export function tasksOfMachine(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').split('/')[1]?.split(' ')[0] ?? 0)
  } catch {
    return 0
  }
}

/**
 * Looks often whether the machine has gained more than `processes` tasks. If so the group is frozen while `count` finds
 * out whether the gain is its own, since a program that forks without end outruns any slower look.
 */
export async function watchForks(
  group: number,
  processes: number,
  count: () => Promise<number>,
  done: AbortSignal,
): Promise<void> {
  let known = tasksOfMachine()
  for (;;) {
    await pause(look_ms, done)
    if (done.aborted) return
    const now = tasksOfMachine()
    known = Math.min(known, now)
    if (now - known <= processes) continue
    signalGroup(group, 'SIGSTOP')
    if ((await count()) > processes) return
    if (!done.aborted) signalGroup(group, 'SIGCONT')
    known = now
  }
}

/** Ends early, and silently, when `done` is aborted. */
export const pause = (ms: number, done: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: done }).catch(() => {})

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // The group has ended by itself.
  }
}
