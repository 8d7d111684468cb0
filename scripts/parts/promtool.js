// promtool, which checks Prometheus' rules: on PATH, else out of Debian's package `prometheus`. Go's proxy does not do: of
// the versions of its module that can be installed from there, parts are missing.

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached, runs } from './cache.js'

const asked = ['--version']
const longestDownload_ms = 60_000

/** @returns {Promise<string | undefined>} the binary; undefined where it cannot be had, which is said */
export async function ensurePromtool() {
  if (runs('promtool', asked)) return 'promtool'
  const binary = join(cache, 'bin', 'promtool-debian')
  return ensureCached(binary, () => runs(binary, asked), unpack)
}

/** @param {string} draft */
async function unpack(draft) {
  mkdirSync(draft)
  const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
    promisify(execFile)(command, args, { cwd: draft, timeout: longestDownload_ms })
  try {
    await run('apt-get', 'download', 'prometheus')
    const [file = ''] = readdirSync(draft)
    await run('dpkg-deb', '-x', file, 'unpacked')
    const made = join(draft, 'unpacked/usr/bin/promtool')
    await run(made, ...asked)
    return made
  } catch (error) {
    say(
      `RULES NOT CHECKED BY PROMTOOL: it is not on PATH, nor to be had by apt-get: ${/** @type {Error} */ (error).message}`,
    )
    return undefined
  }
}
