// The newest Node that the tests are run on, beside the one that runs them: from npm, as the package of this platform.

import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached } from './cache.js'

export const newest = '24.21.0'

/** @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export async function ensureNewestNode() {
  const place = join(cache, `node-${newest}`)
  const made = await ensureCached(place, () => isGood(place), fetch)
  return made === undefined ? undefined : binaryIn(made)
}

/** @param {string} draft */
async function fetch(draft) {
  const platform = `${process.platform}-${process.arch}`
  const wanted = `${platform === 'darwin-arm64' ? 'node-bin' : 'node'}-${platform}`
  say(`fetching Node ${newest} (once)`)
  try {
    const quietly = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
    await promisify(execFile)('npm', ['install', ...quietly, '--prefix', draft, `${wanted}@${newest}`])
    const made = join(draft, 'node_modules', wanted)
    if (isGood(made)) return made
    say(`NO NODE ${newest}: npm's package ${wanted} lacks it`)
  } catch (error) {
    say(`NO NODE ${newest}: ${/** @type {Error} */ (error).message}`)
  }
  return undefined
}

/** @param {string} folder of npm's package */
const binaryIn = (folder) => join(folder, 'bin', 'node')

/** @param {string} folder */
const isGood = (folder) =>
  spawnSync(binaryIn(folder), ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${newest}`
