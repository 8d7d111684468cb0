// The Python client with which the tests ask the analysts' port, from PyPI, kept in the user's cache.

import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cache, ensureCached, runs } from './cache.js'
import { say } from './run.js'

const version = '1.12.0'
/** What it needs, in versions that were tried together. */
const packages = [
  `clickhouse-connect==${version}`,
  'certifi==2026.10.18',
  'urllib3==2.8.0',
  'lz4==4.4.5',
  'backports.zstd==1.8.0',
]

/** Fetches clickhouse-connect where it is not there yet.
 * @returns {Promise<string | undefined>} a folder for PYTHONPATH; undefined where it cannot be had, which is said */
export async function ensureClickHouseConnect() {
  if (!runs('python3', ['-m', 'pip', '--version'])) {
    say('CLICKHOUSE-CONNECT TESTS SKIPPED: it needs Python 3 with pip, and there is none here (https://www.python.org)')
    return undefined
  }
  const place = join(cache, `clickhouse-connect-${version}-python-${pythonVersion()}`)
  return ensureCached(place, () => isUsable(place), fetch)
}

const pythonVersion = () =>
  spawnSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' }).stdout.trim()

/** @param {string} folder */
function isUsable(folder) {
  const check = `import clickhouse_connect, importlib.metadata as m; assert m.version("clickhouse-connect") == "${version}"`
  const env = { ...process.env, PYTHONPATH: folder }
  return spawnSync('python3', ['-c', check], { env, stdio: 'ignore' }).status === 0
}

/** @param {string} draft */
async function fetch(draft) {
  say(`fetching clickhouse-connect ${version} (once)`)
  const only = ['--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--target', draft]
  try {
    await promisify(execFile)('python3', ['-m', 'pip', 'install', '--quiet', ...only, ...packages])
  } catch (error) {
    say(`CLICKHOUSE-CONNECT TESTS SKIPPED: ${/** @type {Error} */ (error).message}`)
    return undefined
  }
  if (isUsable(draft)) return draft
  say('CLICKHOUSE-CONNECT TESTS SKIPPED: what was fetched cannot be imported')
  return undefined
}
