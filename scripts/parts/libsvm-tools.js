// Debian's svm-train, which the benchmark trains beside Weir: taken out of its package, so that no user has to be root.

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached } from './cache.js'

const packages = ['libsvm-tools', 'libsvm3']

/** @typedef {{ command: string, libraries: string }} SvmTrain `libraries` is a folder for LD_LIBRARY_PATH */

/** @returns {Promise<SvmTrain | undefined>} undefined where it cannot be had, which is said */
export async function ensureSvmTrain() {
  const place = join(cache, 'libsvm-tools')
  const made = await ensureCached(place, () => svmTrainIn(place) !== undefined, fetch)
  return made === undefined ? undefined : svmTrainIn(made)
}

/** @param {string} draft */
async function fetch(draft) {
  const execute = promisify(execFile)
  try {
    say(`fetching ${packages.join(', ')} (once)`)
    mkdirSync(draft, { recursive: true })
    await execute('apt-get', ['download', ...packages], { cwd: draft })
    for (const file of readdirSync(draft)) await execute('dpkg-deb', ['-x', join(draft, file), draft])
    if (svmTrainIn(draft)) return draft
    say('NO svm-train HERE: the package lacks it')
  } catch (error) {
    say(`NO svm-train HERE: ${/** @type {Error} */ (error).message} (on Debian, apt-get update may help)`)
  }
  return undefined
}

/** @param {string} folder
 * @returns {SvmTrain | undefined} */
function svmTrainIn(folder) {
  const libraries = filesBelow(join(folder, 'usr/lib')).find((file) => file.includes('libsvm.so'))
  const command = join(folder, 'usr/bin/svm-train')
  if (libraries === undefined || !filesBelow(join(folder, 'usr/bin')).includes(command)) return undefined
  return { command, libraries: join(libraries, '..') }
}

/** @param {string} folder */
function filesBelow(folder) {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))
  } catch {
    return []
  }
}
