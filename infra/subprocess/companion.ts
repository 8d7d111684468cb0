import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { type Cage, insideFolder } from './cage.ts'
import { signalGroup } from './forks.ts'
import { createFrameReader, type Frame, writeFrame } from './frames.ts'
import { createLines } from './lines.ts'
import { shellCommand } from './shell.ts'
import { spawnAlone } from './spawn-alone.ts'

export type CompanionOptions = {
  readonly command: readonly string[]
  /** Its own folder, empty: it may write nowhere else. */
  readonly folder: string
  /** Files and folders that it may read, where it is caged. */
  readonly readable: readonly string[]
  /** Memory that it may write to; an allocation beyond fails inside. */
  readonly data_mb: number
  /** Max size of one answer. */
  readonly answer_mb: number
  readonly cage: Cage | undefined
}

/** The companion has ended, or was ended, before it answered. */
export class CompanionEnded extends Error {
  /** Whether it was at this question: the others only waited. */
  readonly isOver: boolean

  constructor(reason: string, isOver: boolean) {
    super(reason)
    this.name = 'CompanionEnded'
    this.isOver = isOver
  }
}

type Question = {
  readonly frame: Frame
  readonly limit_ms: number
  readonly resolve: (answer: Frame) => void
  readonly reject: (error: Error) => void
}

const megabyte = 2 ** 20
const lineWidth = 300

/**
 * A process beside this one that answers questions, one at a time in their order; it reads frames from its descriptor 3
 * and writes to 4. One that takes longer over a question than it may is ended, and so is one whose output is no frame.
 */
export function startCompanion({ command, folder, readable, data_mb, answer_mb, cage }: CompanionOptions) {
  const enclosed = cage?.enclose(command, { folder, readable, processes: 16 })
  const limits = { time_ms: 0, memory_mb: 0, data_mb, folder_mb: 1, printed_mb: 1, processes: 1 }
  const home = enclosed === undefined ? folder : insideFolder
  const { file, args } = shellCommand(enclosed?.command ?? command, limits)
  const child = spawnAlone({
    file,
    args,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8', ...enclosed?.environment },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const questions: Question[] = []
  let reason: string | undefined
  let lastLine = ''
  let timer: NodeJS.Timeout | undefined

  const [, , errors, asks, answers] = child.stdio
  if (!(errors instanceof Readable && asks instanceof Writable && answers instanceof Readable)) {
    throw new Error('a companion without its pipes')
  }
  const lines = createLines(lineWidth, (line) => {
    if (line !== '') lastLine = line
  })

  let isGone = false
  /** The question at which the companion ended; the others only waited. */
  let over: Question | undefined
  const end = (why: string): void => {
    if (reason === undefined) over = questions[0]
    reason ??= why
    // This thread stays until the child has ended, even with nothing else to do: a child that is not reaped stays a
    // zombie.
    if (!isGone) hold(true)
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
  }
  /** An idle companion keeps this process from ending no more than a closed one. */
  const hold = (isAsked: boolean): void => {
    for (const each of [child, ...child.stdio]) {
      if (!(each === child || each instanceof Socket)) continue
      if (isAsked) each.ref()
      else each.unref()
    }
  }
  const begin = (): void => {
    const [question] = questions
    if (reason !== undefined) return
    hold(question !== undefined)
    if (question === undefined) return
    timer = setTimeout(() => end(`it took longer than ${question.limit_ms / 1000} s`), question.limit_ms)
    asks.cork()
    for (const piece of writeFrame(question.frame)) asks.write(piece)
    asks.uncork()
  }
  const read = createFrameReader(answer_mb * megabyte, (answer) => {
    clearTimeout(timer)
    const question = questions.shift()
    if (question === undefined) throw new Error('it answered without a question')
    begin()
    question.resolve(answer)
  })

  const ended = endOf(child).then((how) => {
    isGone = true
    clearTimeout(timer)
    lines.end()
    if (reason === undefined) over = questions[0]
    const why = reason ?? (lastLine === '' ? how : `${how}: ${lastLine}`)
    reason = why
    // Processes that it started end with it, also without a cage.
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
    for (const stream of child.stdio) stream?.destroy()
    for (const question of questions.splice(0)) question.reject(new CompanionEnded(why, question === over))
  })
  child.stdin?.on('error', () => {})
  hold(false)
  errors.on('data', (chunk: Buffer) => lines.write(chunk))
  asks.on('error', () => {}) // It has ended: `endOf` reports that.
  answers.on('error', () => {})
  answers.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch (error) {
      end(error instanceof Error ? error.message : String(error))
    }
  })

  return {
    /** Rejected with a `CompanionEnded` where it ends before it has answered. */
    ask: (frame: Frame, limit_ms: number): Promise<Frame> =>
      new Promise((resolve, reject) => {
        if (reason !== undefined) return reject(new CompanionEnded(reason, false))
        questions.push({ frame, limit_ms, resolve, reject })
        if (questions.length === 1) begin()
      }),
    /** Questions that are not answered yet. */
    waiting: (): number => questions.length,
    end: (): void => end('it was not needed any more'),
    ended,
  }
}

export type Companion = ReturnType<typeof startCompanion>

/** Its last words are waited for, though not for long: another process may hold its pipes. */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(`it could not be started (${error.message})`))
    child.once('exit', (code, signal) => {
      const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
      child.once('close', () => resolve(how))
      setTimeout(() => resolve(how), 500).unref()
    })
  })
