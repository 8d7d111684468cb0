// Runs test files in a copy of the repository, by the copy's own runner.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** @typedef {import('../tests/outcome.js').Outcome} Outcome */

/** @param {object} options
 * @param {string} options.copy
 * @param {string[]} options.tests
 * @param {Record<string, string>} options.env
 * @param {AbortSignal} options.signal
 * @returns {Promise<Outcome[]>} */
export async function runInCopy({ copy, tests, env, signal }) {
  const child = fork(join(copy, 'scripts/mutate/test-main.js'), tests, {
    cwd: copy,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => (said += text))
  /** @type {Outcome[] | undefined} */
  let outcomes
  child.on('message', (message) => {
    outcomes = /** @type {Outcome[]} */ (message)
  })
  await once(child, 'close')
  signal.removeEventListener('abort', stop)
  // A copy that was not built, or whose tests were not run, proves nothing.
  if (outcomes === undefined) throw new Error(`the copy could not be built, or its tests not begun:\n${said}`)
  return outcomes
}
