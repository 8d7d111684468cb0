// The newest Node that the tests are run on, beside the one that runs them: from npm, as the package of this platform.

import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached } from './cache.js'

/** @typedef {{ version: string, binary: string }} Node */

const place = (/** @type {string} */ version) => join(cache, `node-${version}`)
/** @param {string} folder of npm's package */
const binaryIn = (folder) => join(folder, 'bin', 'node')

/** @type {Node} */
export const newest = { version: '24.21.0', binary: binaryIn(place('24.21.0')) }

const major = (/** @type {string} */ version) => Number(version.split('.')[0])

/** Whether the Node that runs this is as new. */
export const isNewest = () => major(process.versions.node) >= major(newest.version)

/** @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export async function ensureNewestNode() {
  const folder = place(newest.version)
  const made = await ensureCached(folder, () => isGood(folder), fetch)
  return made === undefined ? undefined : newest.binary
}

/** @param {string} draft */
async function fetch(draft) {
  const platform = `${process.platform}-${process.arch}`
  const wanted = `${platform === 'darwin-arm64' ? 'node-bin' : 'node'}-${platform}`
  say(`fetching Node ${newest.version} (once)`)
  try {
    const quietly = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
    await promisify(execFile)('npm', ['install', ...quietly, '--prefix', draft, `${wanted}@${newest.version}`])
    const made = join(draft, 'node_modules', wanted)
    if (isGood(made)) return made
    say(`NO NODE ${newest.version}: npm's package ${wanted} lacks it`)
  } catch (error) {
    say(`NO NODE ${newest.version}: ${/** @type {Error} */ (error).message}`)
  }
  return undefined
}

/** @param {string} folder */
const isGood = (folder) =>
  spawnSync(binaryIn(folder), ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${newest.version}`
