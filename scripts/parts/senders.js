// The packages of vendors whose events Weir takes, as they publish them: tests point them at Weir, unchanged.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { say } from '../processes/run.js'
import { cache, ensureCached } from './cache.js'

const packages = [
  ...['cloudevents@10.0.0', '@octokit/webhooks-methods@6.0.0', 'standardwebhooks@1.1.1', 'stripe@23.1.0'],
  ...['@influxdata/influxdb-client@1.35.0', '@segment/analytics-node@3.1.0', 'posthog-node@5.70.0'],
  ...['@snowplow/node-tracker@4.8.0'],
]

const id = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)

/** @param {string} spec */
const nameOf = (spec) => spec.slice(0, spec.lastIndexOf('@'))

/** @param {string} folder */
const isUsable = (folder) =>
  existsSync(join(folder, 'load.mjs')) &&
  packages.every((spec) => existsSync(join(folder, 'node_modules', nameOf(spec), 'package.json')))

/** @returns {Promise<string | undefined>} the folder of the packages; undefined where they cannot be had, which is said */
export function ensureSenders() {
  return ensureCached(
    join(cache, `senders-${id}`),
    () => isUsable(join(cache, `senders-${id}`)),
    async (draft) => {
      say(`fetching ${packages.join(', ')} (once)`)
      mkdirSync(draft, { recursive: true })
      writeFileSync(join(draft, 'package.json'), '{"private":true}')
      // A module finds packages beside itself.
      writeFileSync(join(draft, 'load.mjs'), 'export const load = (name) => import(name)\n')
      const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
      try {
        await promisify(execFile)('npm', ['install', ...quiet, ...packages], { cwd: draft })
      } catch (error) {
        say(`TESTS OF VENDORS' PACKAGES SKIPPED: ${/** @type {Error} */ (error).message}`)
        return undefined
      }
      return isUsable(draft) ? draft : undefined
    },
  )
}

/** @param {string} folder @param {string} name
 * @returns {Promise<Record<string, unknown>>} the module of a package there */
export async function importSender(folder, name) {
  const { load } = await import(pathToFileURL(join(folder, 'load.mjs')).href)
  return load(name)
}
