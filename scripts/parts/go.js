// Programs from Go's module proxy, built once and kept in the user's cache.

import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached, runs } from './cache.js'

/** @param {object} options
 * @param {string} options.target the program's package
 * @param {string} options.version
 * @param {string} options.duration how long its build takes
 * @param {string} options.otherwise the consequence if it cannot be had
 * @param {string[]} [options.asked] arguments by which it tells its version
 * @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is logged */
export async function ensureGoProgram({ target, version, duration, otherwise, asked = ['--version'] }) {
  const name = basename(target)
  const binary = join(cache, 'bin', `${name}-${version}`)
  return ensureCached(
    binary,
    () => runs(binary, asked),
    async (draft) => {
      if (!runs('go', ['version'])) {
        say(`${otherwise}: ${name} is built with Go, and there is no Go here (https://go.dev/dl)`)
        return undefined
      }
      say(`building ${name} ${version} (${duration}, once)`)
      const built = join(draft, name)
      try {
        const env = { ...process.env, GOBIN: draft }
        await promisify(execFile)('go', ['install', `${target}@${version}`], { env, maxBuffer: 2 ** 26 })
        await promisify(execFile)(built, asked)
        return built
      } catch (error) {
        say(`${otherwise}: ${name} ${version} could not be built: ${/** @type {Error} */ (error).message}`)
        return undefined
      }
    },
  )
}
