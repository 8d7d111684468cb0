import { setTimeout as after } from 'node:timers/promises'
import { signalGroup } from './forks.ts'
import { processesWith } from './members.ts'

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/**
 * Ends a process group and everything that carries its mark in the environment, until nothing of it is left: the
 * group at once, so that a program that forks without end cannot outrun it, then what left the group.
 */
export async function endMembers(group: number, mark: string): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    signalGroup(group, 'SIGKILL')
    const left = await processesWith(mark)
    if (left.length === 0) return
    for (const pid of left) kill(pid)
    await after(20)
  }
}
