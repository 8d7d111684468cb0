// Chromium, in which the tests look at the console: Debian's, which they install where they may and it is not there. Its
// packages stay in the cache.

import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached, runs } from './cache.js'

const names = ['/usr/bin/chromium', 'chromium', 'chromium-browser', 'google-chrome']
const longestInstall_ms = 10 * 60_000

/** @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export async function ensureChromium() {
  const there = found()
  if (there !== undefined) return there
  // The lock of the cache: one process at a time installs.
  await ensureCached(join(cache, 'chromium.installed'), () => found() !== undefined, install)
  return found()
}

const found = () => names.find((name) => runs(name))

/** @returns {Promise<undefined>} it is no file of the cache */
async function install() {
  const archives = join(cache, 'chromium-packages')
  mkdirSync(join(archives, 'partial'), { recursive: true })
  const apt = (/** @type {string[]} */ ...words) =>
    promisify(execFile)('apt-get', ['-q', '-y', '-o', 'APT::Sandbox::User=root', ...words], {
      timeout: longestInstall_ms,
      maxBuffer: 2 ** 26,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  const wanted = ['--no-install-recommends', 'chromium', 'fonts-dejavu-core']
  const kept = ['-o', `Dir::Cache::archives=${archives}`, '-o', 'APT::Keep-Downloaded-Packages=true']
  try {
    await apt('install', ...kept, ...wanted).catch(async () => {
      await apt('update')
      await apt('install', ...kept, ...wanted)
    })
  } catch (error) {
    say(`NO CHROMIUM: the console is not tested; apt-get: ${/** @type {Error} */ (error).message.slice(0, 500)}`)
  }
  return undefined
}
