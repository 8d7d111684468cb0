// `npm test`: installs what is missing, builds what changed, checks, tests. Arguments go to ava: `npm test -- test/sql`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { runChecks, timed } from './checks.js'
import { ensureClickHouseConnect } from './clickhouse-connect.js'
import { ensureDist } from './dist.js'
import { ensureHelm } from './helm.js'
import { ensureKafka } from './kafka-jars.js'
import { ensurePackages } from './packages.js'
import { root } from './run.js'
import { createTally } from './tally.js'
import { ensureTemporal } from './temporal.js'
import { ensureVersitygw } from './versitygw.js'

const tally = createTally()
/** A test file that neither ends nor says anything for so long is stuck; ava's own limit passes over some. */
const silence_ms = 6 * 60_000

/** @param {string[]} args
 * @returns {Promise<number>} ava's exit code */
async function runAva(args) {
  const ava = spawn(process.execPath, [join(root, 'node_modules/ava/entrypoints/cli.mjs'), ...args], {
    cwd: root,
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(ava, 'close')
  // Interrupted, ava lists the tests that have not ended.
  const stuck = setTimeout(() => {
    console.log(`\nno test ended for ${silence_ms / 60_000} minutes`)
    ava.kill('SIGINT')
    setTimeout(() => ava.kill('SIGKILL'), 30_000).unref()
  }, silence_ms)
  for await (const line of createInterface({ input: ava.stdout })) {
    stuck.refresh()
    tally.read(line)
    console.log(line)
  }
  clearTimeout(stuck)
  const [code] = await closed
  return code ?? 1
}

/** What the tests run against, before any test's time begins. Their tests say so when one cannot be had. */
async function ensureServers() {
  await Promise.all([ensureTemporal(), ensureKafka(), ensureVersitygw(), ensureClickHouseConnect(), ensureHelm()])
  return 0
}

ensurePackages()
ensureDist()
await runChecks()
await timed('servers', ensureServers)
process.exitCode = await timed('tests', () => runAva(process.argv.slice(2)))
console.log(tally.line(process.exitCode))
