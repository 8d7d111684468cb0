// `npm test`: installs what is missing, builds what changed, checks, tests: all files but the large ones, and of those the
// share that the seed picks. `npm test -- test` runs all of them, as CI does; `npm test -- test/sql` some;
// `npm test -- --all` all, with every case of those that a run else takes a part of.

import { runChecks, timed } from '../checks/checks.js'
import { ensureDist } from '../dist.js'
import { root } from '../processes/run.js'
import { makeFastFolder } from './fast-folder.js'
import { environment, mirrored, mirrorTests } from './mirrored.js'
import { describe, selected, shareOf, testFiles } from './plan.js'
import { ensureServers, startServers } from './servers.js'
import { runSuite } from './suite.js'
import { readTimes, writeTimes } from './times.js'
import { verdict } from './verdict.js'

const lanes = { sure: 3, most: 6, mostHeavy: 4 }
const { CI, WEIR_REQUIRE, UPDATE_TIMES } = process.env
const rules = { isCi: CI === 'true' || CI === '1', mustHave: WEIR_REQUIRE === 'all' }

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())

/** @param {string[]} wanted files or folders; nothing means all
 * @param {boolean} isWhole whether no test takes a part of its cases
 * @returns {Promise<number>} the exit code */
async function runTests(wanted, isWhole) {
  const times = readTimes()
  const given = environment()
  const asked = selected(testFiles(root), wanted).map((file) => describe(root, file, times))
  const isShare = wanted.length === 0 && !isWhole && !rules.mustHave
  const { taken: files, left } = isShare ? shareOf(asked, Number(given.WEIR_SEED)) : { taken: asked, left: [] }
  const names = files.map(({ file }) => file)
  const places = await ensureServers()
  const servers = await startServers(places, files)
  const env = { ...given, ...servers.env, ...makeFastFolder(), ...(isWhole ? { WEIR_TEST_ALL: '1' } : {}) }
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
  const { code, lines } = verdict({
    files: names,
    left: left.map(({ file }) => file),
    outcomes,
    again,
    missing,
    seed: given.WEIR_SEED,
    isInterrupted,
    rules,
  })
  console.log(`\n${lines.join('\n')}`)
  return code
}

ensureDist()
await runChecks()
await timed('mirror', mirrorTests)
const words = process.argv.slice(2)
const isWhole = words.includes('--all')
process.exitCode = await runTests(
  words.filter((word) => word !== '--all'),
  isWhole,
)
