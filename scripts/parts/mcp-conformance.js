// `@modelcontextprotocol/conformance`, which asks a server of the Model Context Protocol what the protocol's revisions demand.
// It runs on Node 22 and later, so it has the Node of scripts/parts/node.js; its packages are those of the lock beside this file.

import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fingerprint, root, say } from '../processes/run.js'
import { cache, ensureCached } from './cache.js'
import { ensureNewestNode } from './node.js'

const own = 'scripts/parts/mcp-conformance'
const files = ['package.json', 'package-lock.json']
const program = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')

/** @typedef {{ node: string, program: string }} Conformance */
/** @typedef {{ scenario: string, id: string, status: string, errorMessage?: string }} Check */

/** @returns {Promise<Conformance | undefined>} undefined where it cannot be had, which is said */
export async function ensureConformance() {
  const node = await ensureNewestNode()
  if (node === undefined) {
    say('MCP CONFORMANCE TESTS SKIPPED: they need a Node of 22 or later')
    return undefined
  }
  const lock = fingerprint(files.map((file) => `${own}/${file}`)).slice(0, 12)
  const place = join(cache, `mcp-conformance-${lock}`)
  const made = await ensureCached(place, () => existsSync(join(place, program)), fetch)
  return made === undefined ? undefined : { node, program: join(place, program) }
}

/** @param {string} draft */
async function fetch(draft) {
  say('fetching @modelcontextprotocol/conformance (once)')
  mkdirSync(draft, { recursive: true })
  for (const file of files) cpSync(join(root, own, file), join(draft, file))
  try {
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', ['ci', ...quietly, '--prefix', draft], { cwd: draft })
    return draft
  } catch (error) {
    say(`MCP CONFORMANCE TESTS SKIPPED: ${/** @type {Error} */ (error).message}`)
    return undefined
  }
}

/** Runs every scenario that a revision of the protocol requires, and some that it does not.
 * @param {Conformance} conformance
 * @param {{ url: string, revision: string, folder: string }} run `folder` takes the files that it writes
 * @returns {Promise<{ checks: Check[], said: string }>} each check of each scenario that ran */
export async function runConformance({ node, program }, { url, revision, folder }) {
  const options = ['server', '--url', url, '--requirements', revision, '--output-dir', folder]
  /** It exits with 1 where a check fails, as each of another server's tools does: the checks are looked at one by one.
   * @type {{ stdout: string, stderr: string }} */
  const { stdout, stderr } = await promisify(execFile)(node, [program, ...options], { maxBuffer: 2 ** 26 }).catch(
    (error) => error,
  )
  const checks = readdirSync(folder).flatMap((name) => {
    const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name
    /** @type {Omit<Check, 'scenario'>[]} */
    const found = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))
    return found.map(({ id, status, errorMessage }) => ({
      scenario,
      id,
      status,
      ...(errorMessage && { errorMessage }),
    }))
  })
  return { checks, said: `${stdout}${stderr}` }
}
