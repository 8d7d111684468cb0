import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { constants } from 'node:os'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cage, insideFolder } from './cage.ts'
import { signalGroup } from './forks.ts'
import { watchLimits } from './limits.ts'
import { createLines } from './lines.ts'
import { processesWith } from './members.ts'
import type { End, Run, RunProgram } from './run.ts'
import { shellCommand } from './shell.ts'
import { spawnAlone } from './spawn-alone.ts'

const lineWidth = 1_000

/**
 * Runs programs that are not trusted to behave, each in a session of its own: one ends with this process, and when it
 * ends or breaks a limit everything that it started ends too. Without a cage it runs as the same user, and so may read
 * this process's environment and files; a process that leaves the session with another environment is not found again.
 */
export const createRunProgram =
  (cage?: Cage): RunProgram =>
  async (run) => {
    run.signal.throwIfAborted()
    const mark = `WEIR_RUN=${randomBytes(12).toString('hex')}`
    const { child, ...pipes } = start(run, mark, cage)
    const ended = new Promise<End>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) =>
        resolve(code === null ? { kind: 'signal', signal: String(signal) } : endOf(code, cage !== undefined)),
      )
    })
    if (child.pid === undefined) return ended
    const session = child.pid
    const watching = new AbortController()
    const printed = readLines(run, pipes, watching)
    try {
      const broken = watchLimits(run, session, watching.signal)
      return await Promise.race([ended, broken, printed.tooMuch, aborted(run.signal, watching.signal)])
    } finally {
      watching.abort()
      await endMembers(session, mark)
      await ended.catch(() => {})
      // A pipe stays open as long as any process holds it; one that escaped is not waited for.
      await Promise.race([printed.closed, sleep(1_000, undefined, { ref: false })])
      for (const pipe of Object.values(pipes)) pipe.destroy()
      printed.flush()
    }
  }

/** The shell of a cage reports a signal as shells do. */
function endOf(code: number, isCaged: boolean): End {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0]
  return isCaged && signal !== undefined ? { kind: 'signal', signal } : { kind: 'exit', code }
}

function start(run: Run, mark: string, cage: Cage | undefined) {
  const { folder, readable = [] } = run
  const plain = [run.command, ...run.arguments]
  const enclosed = cage?.enclose(plain, { folder, readable, processes: run.limits.processes })
  const { file, args } = shellCommand(enclosed?.command ?? plain, run.limits)
  const home = enclosed === undefined ? folder : insideFolder
  const [name = '', value = ''] = mark.split('=')
  const child = spawnAlone({
    file,
    args,
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      TMPDIR: home,
      LANG: 'C.UTF-8',
      ...run.environment,
      ...enclosed?.environment,
      [name]: value,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const { stdin, stdout, stderr } = child
  if (!(stdin instanceof Writable && stdout instanceof Readable && stderr instanceof Readable)) {
    throw new Error('a program without its pipes')
  }
  stdin.on('error', () => {})
  return { child, stdin, stdout, stderr }
}

type Pipes = Pick<ReturnType<typeof start>, 'stdout' | 'stderr'>

function readLines({ limits, line }: Run, { stdout, stderr }: Pipes, watching: AbortController) {
  const [out, err] = [createLines(lineWidth, line), createLines(lineWidth, line)]
  let bytes = 0
  const tooMuch = new Promise<End>((resolve) => {
    const take = (lines: typeof out) => (chunk: Buffer) => {
      if (bytes > limits.printed_mb * 2 ** 20) return
      bytes += chunk.length
      lines.write(chunk)
      if (bytes > limits.printed_mb * 2 ** 20) {
        resolve({ kind: 'limit', reason: `it printed more than ${limits.printed_mb} MB` })
        watching.abort()
      }
    }
    stdout.on('data', take(out))
    stderr.on('data', take(err))
  })
  return {
    tooMuch,
    closed: Promise.all([once(stdout, 'close'), once(stderr, 'close')]).catch(() => {}),
    flush() {
      out.end()
      err.end()
    },
  }
}

/** Rejected with the reason once `signal` is aborted; stops listening when `done` is. */
const aborted = (signal: AbortSignal, done: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { signal: done })
  })

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/**
 * Ends a process group and everything that carries its mark in the environment, until nothing of it is left: the group
 * at once, so that a program that forks without end cannot outrun it, then the processes that left the group.
 */
async function endMembers(group: number, mark: string): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    signalGroup(group, 'SIGKILL')
    const left = await processesWith(mark)
    if (left.length === 0) return
    for (const pid of left) kill(pid)
    await sleep(20)
  }
}
