// Two published libraries that verify Standard Webhooks: npm's, with a SHA-256 of its own, and PyPI's.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached } from './cache.js'
import { ensurePythonPackages } from './python-packages.js'

const ofNpm = ['standardwebhooks@1.1.1', '@stablelib/base64@1.0.1', 'fast-sha256@1.3.0']

/** @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export const ensureWebhooksInPython = () => ensurePythonPackages('standardwebhooks', ['standardwebhooks==1.1.0'])

/** @returns {Promise<string | undefined>} the folder of npm's package; undefined where it cannot be had, which is said */
export async function ensureWebhooksOfNpm() {
  const place = join(cache, 'standardwebhooks-1.1.1-npm')
  const folderIn = (/** @type {string} */ folder) => join(folder, 'node_modules', 'standardwebhooks')
  const isGood = (/** @type {string} */ folder) => existsSync(join(folderIn(folder), 'package.json'))
  const made = await ensureCached(
    place,
    () => isGood(place),
    async (draft) => {
      say('fetching standardwebhooks from npm (once)')
      try {
        const quietly = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
        await promisify(execFile)('npm', ['install', ...quietly, '--prefix', draft, ...ofNpm])
        return isGood(draft) ? draft : undefined
      } catch (error) {
        say(`STANDARDWEBHOOKS TESTS SKIPPED: ${/** @type {Error} */ (error).message}`)
        return undefined
      }
    },
  )
  return made === undefined ? undefined : folderIn(made)
}
