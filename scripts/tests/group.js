// One ava over a few test files, until it ends or is ended.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { root } from '../processes/run.js'
import { createOutcomes } from './outcome.js'

/** Files that neither end nor report anything for this long are stuck; ava's own limit passes over some. */
const silence_ms = 12 * 60_000
const grace_ms = 10_000

/** @typedef {import('./outcome.js').Outcome} Outcome */
/** @typedef {import('./outcome.js').Told} Told */

/** @param {object} options
 * @param {string[]} options.files as ava finds them, relative to the repository
 * @param {NodeJS.ProcessEnv} options.env
 * @param {AbortSignal} options.signal ends them
 * @param {string} [options.node] the binary that runs them, where it is not this process's
 * @param {number} [options.limit_ms] how long they may say nothing; more where a test asks for more
 * @returns {Promise<{ outcomes: Outcome[], printed: string }>} what came of each file, and what ava printed for people */
export async function runGroup({ files, env, signal, node, limit_ms = silence_ms }) {
  const outcomes = createOutcomes(files.map((file) => join(root, file)))
  const cli = join(root, 'node_modules/ava/entrypoints/cli.mjs')
  const ava = spawn(node ?? process.execPath, [cli, '--config', join(root, 'scripts/tests/ava-config.js')], {
    cwd: root,
    env: {
      ...env,
      WEIR_TEST_FILES: files.join('\n'),
      // A program that looks for Node by its name finds this one.
      ...(node && { PATH: `${dirname(node)}${delimiter}${env.PATH}` }),
      ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true, // a group of its own, which can be killed whole
  })
  let printed = ''
  for (const stream of [ava.stdout, ava.stderr]) stream?.setEncoding('utf8').on('data', (text) => (printed += text))

  let patience_ms = limit_ms
  const stop = () => endGroup(ava)
  let silence = setTimeout(stop, patience_ms)
  ava.on('message', (message) => {
    const told = /** @type {Told} */ (message)
    if (told.type === 'test-timeout-configured') patience_ms = Math.max(patience_ms, (told.period ?? 0) + limit_ms)
    clearTimeout(silence)
    silence = setTimeout(stop, patience_ms)
    outcomes.take(told)
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const [code, by] = await once(ava, 'close')
  signal.removeEventListener('abort', stop)
  clearTimeout(silence)
  killGroup(ava, 'SIGKILL') // what its files have left running
  return { outcomes: outcomes.end({ code, signal: by }), printed }
}

/** Interrupted, ava lists the tests that have not ended.
 * @param {import('node:child_process').ChildProcess} ava */
function endGroup(ava) {
  killGroup(ava, 'SIGINT')
  setTimeout(() => killGroup(ava, 'SIGKILL'), grace_ms).unref()
}

/** @param {import('node:child_process').ChildProcess} ava
 * @param {NodeJS.Signals} signal */
function killGroup({ pid }, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {} // it is gone
}
