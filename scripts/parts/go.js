// Programs from Go's module proxy, built once and kept in the user's cache.

import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { fingerprint, root, say } from '../processes/run.js'
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

/** A program of the repository's own.
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.folder of its sources, relative to the repository: `main.go`, `go.mod`, `go.sum`
 * @param {string} [options.modules] the files of its modules, without their endings, where they are others than `go`
 * @param {string} options.otherwise the consequence if it cannot be had
 * @returns {Promise<string | undefined>} the binary, which without arguments does nothing; undefined where it cannot be had,
 *   which is logged */
export async function ensureGoBuild({ name, folder, modules = 'go', otherwise }) {
  const sources = ['main.go', `${modules}.mod`, `${modules}.sum`].map((file) => `${folder}/${file}`)
  const binary = join(cache, 'bin', `${name}-${fingerprint(sources).slice(0, 12)}`)
  return ensureCached(
    binary,
    () => runs(binary, []),
    async (draft) => {
      if (!runs('go', ['version'])) {
        say(`${otherwise}: ${name} is built with Go, and there is no Go here (https://go.dev/dl)`)
        return undefined
      }
      say(`building ${name} (a minute, once)`)
      const built = join(draft, name)
      try {
        const from = ['-mod=readonly', `-modfile=${modules}.mod`]
        await promisify(execFile)('go', ['build', ...from, '-o', built, '.'], {
          cwd: join(root, folder),
          maxBuffer: 2 ** 26,
        })
        return built
      } catch (error) {
        say(`${otherwise}: ${name} could not be built: ${/** @type {Error} */ (error).message}`)
        return undefined
      }
    },
  )
}
