// `npm test`: installs what is missing, builds what changed, checks, tests. Arguments go to ava: `npm test -- test/sql`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
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
/** More files than that do not fail by chance. */
const mostAgain = 8
/** A test file that neither ends nor says anything for so long is stuck; ava's own limit passes over some. */
const silence_ms = 6 * 60_000

/** @param {string[]} args
 * @param {ReturnType<typeof createTally>} counted
 * @returns {Promise<number>} ava's exit code */
async function runAva(args, counted) {
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
    counted.read(line)
    console.log(line)
  }
  clearTimeout(stuck)
  const [code] = await closed
  return code ?? 1
}

/** Tests run beside each other on few cores, and some start servers and kill them: a file that fails gets a second run, alone.
 * @param {string[]} args
 * @returns {Promise<number>} ava's exit code */
async function runTests(args) {
  const code = await runAva(args, tally)
  const files = tally.failedFiles((file) => existsSync(join(root, file)))
  if (code === 0 || args.length > 0 || files.length === 0 || files.length > mostAgain) return code
  console.log(`\nonce more, alone: ${files.join(', ')}\n`)
  const again = createTally()
  const left = await runAva(['--concurrency', '1', ...files], again)
  tally.mend(again)
  return left
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
process.exitCode = await timed('tests', () => runTests(process.argv.slice(2)))
console.log(tally.line(process.exitCode))
