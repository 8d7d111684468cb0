// Packages from PyPI that tests ask Weir with, each kept in a folder of the user's cache.

import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached, runs } from './cache.js'

/** Fetches packages where they are not there yet. The first of `packages` (`name==version`) is the wanted one; the
 * others are its dependencies, in versions that were tried together.
 * @param {string} module how Python calls the first one
 * @param {string[]} packages
 * @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is logged */
export async function ensurePythonPackages(module, packages) {
  const [name = '', version = ''] = packages[0]?.split('==') ?? []
  const title = name.toUpperCase()
  if (!runs('python3', ['-m', 'pip', '--version'])) {
    say(`${title} TESTS SKIPPED: it needs Python 3 with pip, and there is none here (https://www.python.org)`)
    return undefined
  }

  /** @param {string} folder */
  function isUsable(folder) {
    const check = `import ${module}, importlib.metadata as m; assert m.version("${name}") == "${version}"`
    const env = { ...process.env, PYTHONPATH: folder }
    return spawnSync('python3', ['-c', check], { env, stdio: 'ignore' }).status === 0
  }

  /** @param {string} draft */
  async function fetch(draft) {
    say(`fetching ${name} ${version} (once)`)
    const only = ['--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--target', draft]
    try {
      await promisify(execFile)('python3', ['-m', 'pip', 'install', '--quiet', ...only, ...packages])
    } catch (error) {
      say(`${title} TESTS SKIPPED: ${/** @type {Error} */ (error).message}`)
      return undefined
    }
    if (isUsable(draft)) return draft
    say(`${title} TESTS SKIPPED: the fetched packages cannot be imported`)
    return undefined
  }

  const place = join(cache, `${name}-${version}-python-${pythonVersion()}`)
  return ensureCached(place, () => isUsable(place), fetch)
}

const pythonVersion = () =>
  spawnSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' }).stdout.trim()
