// A process that stands still, as one does whose machine is frozen: its connections stay, and nothing answers.

import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Resolves once none of its threads runs any more. The signal alone is no sign of that: it takes effect in one thread
 * after the other, as each gets a processor, and on a busy machine others go on for milliseconds. Where the system has
 * no /proc it resolves once the signal is sent.
 * @param {ChildProcess} child
 * @returns {Promise<void>} */
export async function suspend(child) {
  child.kill('SIGSTOP')
  while (!isSuspended(child)) await sleep(1)
}

/** Whether it stands, or has ended.
 * @param {ChildProcess} child */
function isSuspended({ pid, exitCode, signalCode }) {
  if (pid === undefined || exitCode !== null || signalCode !== null) return true
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => stateOf(`/proc/${pid}/task/${thread}/stat`) !== 'running')
  } catch {
    return true
  }
}

/** @param {string} file */
function stateOf(file) {
  try {
    // proc_pid_stat(5): `pid (name) state ...`; a name may hold brackets and blanks. T: stopped, Z and X: ended.
    return /^.*\) [TtZXx] /s.test(readFileSync(file, 'latin1')) ? 'standing' : 'running'
  } catch {
    return 'standing' // the thread has ended meanwhile
  }
}
