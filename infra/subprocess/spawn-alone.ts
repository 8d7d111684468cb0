import { type ChildProcess, type IOType, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

export type Spawned = {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdio: readonly IOType[]
}

const closeOnExec = 0o2000000

/**
 * Descriptors that a child would inherit besides: from the process that started this one, or from a library that opens
 * files without close-on-exec.
 */
function leaking(): number[] {
  const numbers = (): string[] => {
    try {
      return readdirSync('/proc/self/fdinfo')
    } catch {
      return []
    }
  }
  return numbers().flatMap((name) => {
    try {
      const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, 'latin1'))?.[1]
      return (Number.parseInt(flags ?? '0', 8) & closeOnExec) === 0 ? [Number(name)] : []
    } catch {
      return [] // It is closed by now: that of the listing.
    }
  })
}

/**
 * A child in a session of its own, with no descriptors beside `stdio`: an open folder would lead out of any cage. Node
 * cannot close the others in the child, but it can put others in their places.
 */
export function spawnAlone({ file, args, cwd, env, stdio }: Spawned): ChildProcess {
  const nothing = openSync('/dev/null', 'r')
  try {
    const places: (IOType | number)[] = [...stdio]
    for (const fd of leaking()) {
      if (fd < stdio.length) continue
      while (places.length < fd) places.push('ignore')
      places[fd] = nothing
    }
    return spawn(file, args, { cwd, env, detached: true, stdio: places })
  } finally {
    closeSync(nothing)
  }
}
