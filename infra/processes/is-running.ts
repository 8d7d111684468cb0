import { readFileSync } from 'node:fs'

/** Whether a process of this machine has the number. A process that was killed and not reaped yet does not run. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  try {
    // `pid (name) state ...`; a name may hold brackets and blanks.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true // no /proc on this system
  }
}
