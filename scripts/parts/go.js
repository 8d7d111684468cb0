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
export function ensureGoProgram({ target, version, duration, otherwise, asked = ['--version'] }) {
  const name = basename(target)
  return ensureBinary({
    ...{ name, title: `${name} ${version}`, duration, otherwise, asked },
    binary: join(cache, 'bin', `${name}-${version}`),
    build: (folder) => go(['install', `${target}@${version}`], { env: { ...process.env, GOBIN: folder } }),
  })
}

/** A program of the repository's own.
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.folder of its sources, relative to the repository: `main.go`, `go.mod`, `go.sum`
 * @param {string} [options.modules] the files of its modules, without their endings, where they are others than `go`
 * @param {string} options.otherwise the consequence if it cannot be had
 * @returns {Promise<string | undefined>} the binary, which without arguments does nothing; undefined where it cannot be had,
 *   which is logged */
export function ensureGoBuild({ name, folder, modules = 'go', otherwise }) {
  const sources = ['main.go', `${modules}.mod`, `${modules}.sum`].map((file) => `${folder}/${file}`)
  const from = ['-mod=readonly', `-modfile=${modules}.mod`]
  return ensureBinary({
    ...{ name, title: name, duration: 'a minute', otherwise, asked: [] },
    binary: join(cache, 'bin', `${name}-${fingerprint(sources).slice(0, 12)}`),
    build: (draft) => go(['build', ...from, '-o', join(draft, name), '.'], { cwd: join(root, folder) }),
  })
}

/** @param {string[]} args
 * @param {import('node:child_process').ExecFileOptions} options */
const go = (args, options) => promisify(execFile)('go', args, { ...options, maxBuffer: 2 ** 26 })

/** @param {object} options
 * @param {string} options.name of the program, and of the file that `build` makes in a folder
 * @param {string} options.title
 * @param {string} options.duration
 * @param {string} options.otherwise
 * @param {string[]} options.asked arguments with which it ends well
 * @param {string} options.binary
 * @param {(folder: string) => Promise<unknown>} options.build */
function ensureBinary({ name, title, duration, otherwise, asked, binary, build }) {
  return ensureCached(
    binary,
    () => runs(binary, asked),
    async (draft) => {
      if (!runs('go', ['version'])) {
        say(`${otherwise}: ${name} is built with Go, and there is no Go here (https://go.dev/dl)`)
        return undefined
      }
      say(`building ${title} (${duration}, once)`)
      const built = join(draft, name)
      try {
        await build(draft)
        await promisify(execFile)(built, asked)
        return built
      } catch (error) {
        say(`${otherwise}: ${title} could not be built: ${/** @type {Error} */ (error).message}`)
        return undefined
      }
    },
  )
}
