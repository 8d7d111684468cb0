// Test files one after the other, in as few processes as they allow.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../processes/run.js'
import { createOutcomes } from './outcome.js'

/** Files that neither end nor report anything for this long are stuck. */
const silence_ms = 12 * 60_000
const grace_ms = 10_000

/** @typedef {import('./outcome.js').Outcome} Outcome */
/** @typedef {import('./outcome.js').Told} Told */

/** @param {object} options
 * @param {string[]} options.files relative to the repository
 * @param {NodeJS.ProcessEnv} options.env
 * @param {AbortSignal} options.signal ends them
 * @param {string} [options.node] the binary that runs them, where it is not this process's
 * @param {number} [options.limit_ms] how long they may say nothing; more where a test asks for more
 * @returns {Promise<{ outcomes: Outcome[], printed: string }>} what came of each file, and what they printed for people */
export async function runGroup({ files, signal, ...options }) {
  const outcomes = createOutcomes(files.map((file) => join(root, file)))
  let printed = ''
  for (let left = files; left.length > 0 && !signal.aborted; ) {
    const ended = await runProcess({ ...options, files: left, signal, take: outcomes.take })
    printed += ended.printed
    left = left.slice(ended.begun)
  }
  outcomes.take({ type: 'end' })
  return { outcomes: outcomes.end({ code: 0, signal: null }), printed }
}

/** One process, until it ends or is ended.
 * @param {object} options
 * @param {string[]} options.files
 * @param {NodeJS.ProcessEnv} options.env
 * @param {AbortSignal} options.signal
 * @param {string} [options.node]
 * @param {number} [options.limit_ms]
 * @param {(told: Told) => void} options.take
 * @returns {Promise<{ begun: number, printed: string }>} how many of the files it ran; at least one, that it could not run */
async function runProcess({ files, env, signal, node, limit_ms = silence_ms, take }) {
  const program = join(root, 'scripts/tests/one-process.js')
  const child = spawn(node ?? process.execPath, ['--enable-source-maps', program], {
    cwd: root,
    env: {
      ...env,
      WEIR_TEST_FILES: files.join('\n'),
      NODE_ENV: 'test',
      // A program that looks for Node by its name finds this one.
      ...(node && { PATH: `${dirname(node)}${delimiter}${env.PATH}` }),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true, // a group of its own, which can be killed whole
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (printed += text))

  let begun = 0
  let hasEnded = false
  const current = () => join(root, files[Math.max(0, begun - 1)] ?? '')
  let patience_ms = limit_ms
  const stop = () => endGroup(child)
  const miss = () => {
    take({ type: 'silence', testFile: current(), period: patience_ms })
    stop()
  }
  let silence = setTimeout(miss, patience_ms)
  child.on('message', (message) => {
    const told = /** @type {Told} */ (message)
    if (told.type === 'starting') begun++
    if (told.type === 'end') hasEnded = true
    if (told.type === 'test-timeout-configured') patience_ms = Math.max(patience_ms, (told.period ?? 0) + limit_ms)
    clearTimeout(silence)
    silence = setTimeout(miss, patience_ms)
    take(told)
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const [code, by] = await once(child, 'close')
  signal.removeEventListener('abort', stop)
  clearTimeout(silence)
  killGroup(child, 'SIGKILL') // what its files have left running
  if (code !== 0 || !hasEnded)
    take({ type: 'worker-failed', testFile: current(), ...(by && { signal: by }), nonZeroExitCode: code ?? 0 })
  return { begun: Math.max(1, begun), printed }
}

/** Interrupted, it stops the programs that its files have started.
 * @param {import('node:child_process').ChildProcess} child */
function endGroup(child) {
  killGroup(child, 'SIGINT')
  setTimeout(() => killGroup(child, 'SIGKILL'), grace_ms).unref()
}

/** @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal */
function killGroup({ pid }, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {} // it is gone
}
