// `npm test`: installs what is missing, builds what changed, checks, tests. `npm test -- test/sql` runs some of them,
// `npm test -- --all` tries every case of those that a run else takes a part of, by its seed.

import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { runChecks, timed } from '../checks.js'
import { ensureDist, rooms } from '../dist.js'
import { root } from '../processes/run.js'
import { makeFastFolder } from './fast-folder.js'
import { mirror } from './mirror.js'
import { describe, selected, testFiles } from './plan.js'
import { ensureServers, startServers } from './servers.js'
import { runSuite } from './suite.js'
import { readTimes, writeTimes } from './times.js'
import { verdict } from './verdict.js'

/** Where the tests are kept as JavaScript. */
const mirrored = '.tests'
const lanes = { sure: 2, most: 6, mostHeavy: 4 }
/** As `npm start` and `npm test` have it: embedded ClickHouse keeps one for as long as a statement runs. */
const threads = '48'
const { CI, WEIR_REQUIRE, WEIR_SEED, UPDATE_TIMES } = process.env
const rules = { isCi: CI === 'true' || CI === '1', mustHave: WEIR_REQUIRE === 'all' }

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())

async function translate() {
  const whole = ['scripts', 'dist', 'docs', 'README.md', 'package.json']
  // Beside the rooms, as in dist/: where workers look for it before they bundle the workflows themselves.
  const bundle = { 'workflows.bundle.cjs': 'dist/workflows.bundle.cjs' }
  const links = { ...Object.fromEntries(whole.map((name) => [name, name])), ...bundle }
  await mirror({ from: root, to: join(root, mirrored), folders: [...rooms, 'test', 'bench', 'examples'], links })
  return 0
}

/** @param {string[]} wanted files or folders; nothing means all
 * @param {boolean} isWhole whether no test takes a part of its cases
 * @returns {Promise<number>} the exit code */
async function runTests(wanted, isWhole) {
  const times = readTimes()
  const files = selected(testFiles(root), wanted).map((file) => describe(root, file, times))
  const names = files.map(({ file }) => file)
  const places = await ensureServers()
  const servers = await startServers(places, files)
  const seed = WEIR_SEED ?? String(randomInt(2 ** 31))
  const given = { UV_THREADPOOL_SIZE: threads, ...process.env, ...servers.env, ...makeFastFolder(), WEIR_SEED: seed }
  const env = { ...given, ...(isWhole ? { WEIR_TEST_ALL: '1' } : {}) }
  const { outcomes, again } = await runSuite({
    files,
    mirror: mirrored,
    env,
    lanes,
    signal: ending.signal,
    say: console.log,
  })
  await servers.stop()
  const isInterrupted = ending.signal.aborted
  if (UPDATE_TIMES === '1' && !isInterrupted) writeTimes(outcomes.values())
  const { missing } = places
  const { code, lines } = verdict({ files: names, outcomes, again, missing, seed, isInterrupted, rules })
  console.log(`\n${lines.join('\n')}`)
  return code
}

ensureDist()
await runChecks()
await timed('mirror', translate)
const words = process.argv.slice(2)
const isWhole = words.includes('--all')
process.exitCode = await runTests(
  words.filter((word) => word !== '--all'),
  isWhole,
)
