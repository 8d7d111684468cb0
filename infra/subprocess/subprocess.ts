import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import { endMembers } from './end-members.ts'
import { watchLimits } from './limits.ts'
import { createLines } from './lines.ts'
import type { End, Run, RunProgram } from './run.ts'
import { shellCommand } from './shell.ts'

const lineWidth = 1_000

/**
 * Runs a program that is not trusted to behave, in a session of its own: it ends with this process, and when it ends
 * or breaks a limit everything that it started ends too. It runs as the same user, so it is bounded, not caged.
 */
export const runProgram: RunProgram = async (run) => {
  run.signal.throwIfAborted()
  const mark = `WEIR_RUN=${randomBytes(12).toString('hex')}`
  const child = start(run, mark)
  const ended = new Promise<End>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      resolve(code === null ? { kind: 'signal', signal: String(signal) } : { kind: 'exit', code }),
    )
  })
  if (child.pid === undefined) return ended
  const session = child.pid
  const watching = new AbortController()
  const printed = readLines(run, child, watching)
  try {
    const broken = watchLimits(run, session, watching.signal)
    return await Promise.race([ended, broken, printed.tooMuch, aborted(run.signal, watching.signal)])
  } finally {
    watching.abort()
    await endMembers(session, mark)
    await ended.catch(() => {})
    // A pipe stays open as long as any process holds it; one that escaped is not waited for.
    await Promise.race([printed.closed, after(1_000, undefined, { ref: false })])
    child.stdin.destroy()
    child.stdout.destroy()
    child.stderr.destroy()
    printed.flush()
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

function start(run: Run, mark: string): Child {
  const { file, args } = shellCommand(run)
  const [name = '', value = ''] = mark.split('=')
  const child = spawn(file, args, {
    cwd: run.folder,
    env: {
      PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: run.folder,
      TMPDIR: run.folder,
      LANG: 'C.UTF-8',
      ...run.environment,
      [name]: value,
    },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})
  return child
}

function readLines({ limits, line }: Run, child: Child, watching: AbortController) {
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
    child.stdout.on('data', take(out))
    child.stderr.on('data', take(err))
  })
  return {
    tooMuch,
    closed: Promise.all([once(child.stdout, 'close'), once(child.stderr, 'close')]).catch(() => {}),
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
