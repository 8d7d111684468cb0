// Runs test files with the servers that they need, and prints the verdict.

import { root } from '../processes/run.js'
import { makeFastFolder } from './fast-folder.js'
import { environment, mirrored } from './mirrored.js'
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
export async function runTests(wanted, isWhole) {
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
