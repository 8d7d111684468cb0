// A server as a child process. It never outlives its parent, even one that is killed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFree } from './ports.js'
import { suspend } from './suspend.js'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {Awaited<ReturnType<typeof startProgram>>} RunningProgram */
/** @typedef {object} Program
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {number[]} ports that it will listen on
 * @property {string} [log] the file that takes its output; without one the output goes where this process prints
 * @property {NodeJS.ProcessEnv} [env]
 * @property {() => Promise<boolean>} [answers] whether it serves; without it no caller waits until it does
 * @property {((how: string) => void) | undefined} [onDeath] called when it ended and this process had not asked it to */

const longestStart_ms = 120_000
const longestStop_ms = 30_000

/** Resolves once it answers.
 * @param {Program} program */
export async function startProgram(program) {
  let child = await launch(program, 'w')
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    asked.add(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const exited = once(child, 'exit')
    child.kill(signal)
    child.kill('SIGCONT') // a paused one sees no signal before
    const escalation = setTimeout(() => child.kill('SIGKILL'), longestStop_ms)
    await exited
    clearTimeout(escalation)
  }
  const stop = () => end('SIGTERM')
  return {
    get pid() {
      return child.pid
    },
    stop,
    kill: () => end('SIGKILL'),
    /** Resolves once it does nothing any more. */
    pause: () => suspend(child),
    resume: () => child.kill('SIGCONT'),
    /** Stops it if it still runs, and starts it again where it was. */
    async restart() {
      await stop()
      child = await launch(program, 'a')
    },
  }
}

/** Programs that this process has asked to end.
 * @type {WeakSet<ChildProcess>} */
const asked = new WeakSet()

/** @param {Program} program
 * @param {'w' | 'a'} mode how the log is opened */
async function launch(program, mode) {
  // Otherwise another server that listens there would answer for it.
  for (const port of program.ports) {
    if (!(await isFree(port))) throw new Error(`${program.name} cannot start: port ${port} is in use`)
  }
  const child = spawnGuarded(program, mode)
  /** @type {string | undefined} */
  let ended
  child.once('error', (error) => {
    ended = error.message
  })
  child.once('exit', (code, signal) => {
    ended = signal ? `was ended by ${signal}` : `ended with code ${code}`
  })
  const giveUp = Date.now() + longestStart_ms
  while (program.answers && !(await program.answers())) {
    if (ended === undefined && Date.now() < giveUp) await sleep(50)
    else {
      child.kill('SIGKILL')
      throw new Error(`${program.name} ${ended ?? 'does not answer'}${lastWords(program.log)}`)
    }
  }
  child.once('exit', () => {
    if (!asked.has(child)) program.onDeath?.(`${program.name} ${ended}${lastWords(program.log)}`)
  })
  return child
}

/** @param {Program} program
 * @param {'w' | 'a'} mode */
function spawnGuarded({ command, args, env = process.env, log }, mode) {
  const output = log === undefined ? 'inherit' : openSync(log, mode)
  // A session of its own: Ctrl-C in the terminal is its parent's to hand on, in order.
  const child = spawn(command, args, { env, stdio: ['ignore', output, output], detached: true })
  if (typeof output === 'number') closeSync(output)
  child.unref()
  if (child.pid !== undefined) guard(child, child.pid)
  return child
}

/** Kills it, and the processes that it started, when this process is gone: only then the pipe ends that a shell waits
 * on.
 * @param {ChildProcess} child
 * @param {number} pid */
function guard(child, pid) {
  const shell = spawn('sh', ['-c', `read -r _; kill -9 -${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.once('exit', () => shell.kill('SIGKILL'))
  shell.unref()
  const { stdin } = shell
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
}

/** @param {string | undefined} log */
function lastWords(log) {
  return log === undefined ? '' : `; ${log} ends with:\n${readFileSync(log, 'utf8').slice(-2000)}`
}
