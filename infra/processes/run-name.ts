import { readFileSync } from 'node:fs'

/**
 * Tells a process from every other one that has had its number on this machine: the boot, and the tick of it at which the
 * process started, as the kernel keeps it. Undefined where no process has the number, or the system has no /proc.
 */
export function runName(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    // `pid (name) state ...`; a name may hold brackets and blanks. proc_pid_stat(5): starttime is field 22, state is 3.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    const started = fields[22 - 3]
    return started === undefined ? undefined : `${boot} ${started}`
  } catch {
    return undefined
  }
}
