// Runs test files with the servers that they need, and prints the verdict.

import { isNewest, newest } from '../parts/node.js'
import { root } from '../processes/run.js'
import { changedFiles, landingFiles } from './changes.js'
import { chooseTests, explained } from './choose.js'
import { makeFastFolder } from './fast-folder.js'
import { chooseGate } from './gate.js'
import { distances, readSources } from './imports.js'
import { environment, mirrored, sourceFolders } from './mirrored.js'
import { newestPart } from './newest-part.js'
import { describe, selected, shardOf, testFiles } from './plan.js'
import { lacksNode, prepareServers, withPrograms } from './servers.js'
import { nameOf, runSuite } from './suite.js'
import { readTimes, writeTimes } from './times.js'
import { verdict } from './verdict.js'

/** @typedef {import('./plan.js').TestFile} TestFile */

const lanes = { sure: 2, most: 6, maxHeavy: 4 }
const { CI, WEIR_REQUIRE, UPDATE_TIMES } = process.env
const mustHave = WEIR_REQUIRE === 'all'
const mayChoose = CI !== 'true' && CI !== '1' && !mustHave

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())

/** @param {string[]} wanted files or folders; nothing means those that are near to a change, and some others
 * @param {object} options
 * @param {boolean} options.isWhole whether no test takes a part of its cases, and every file is run where none is named
 * @param {boolean} [options.isGate] whether those are run that a landing asks for
 * @param {{ index: number, count: number }} [options.shard] the share of all files that is run
 * @returns {Promise<number>} the exit code */
export async function runTests(wanted, { isWhole, isGate = false, shard }) {
  const times = readTimes()
  const given = environment()
  const sources = readSources(root, sourceFolders)
  const asked = selected(testFiles(root), wanted).map((file) => withPrograms(describe(file, times), sources))
  const mayLeave = wanted.length === 0 && !isWhole && !shard && mayChoose
  const files = shard
    ? shardOf(asked, shard)
    : isGate
      ? [...chosen(chooseGate, landingFiles(root), asked, given.WEIR_SEED, sources), ...onNewest(asked, sources)]
      : mayLeave
        ? chosen(chooseTests, changedFiles(root), asked, given.WEIR_SEED, sources)
        : asked
  // Files that need none of the programs run meanwhile.
  const servers = prepareServers(files)
  const env = {
    ...given,
    ...makeFastFolder(),
    ...(isWhole && { WEIR_TEST_ALL: '1' }),
    ...(isGate && { WEIR_TEST_GATE: '1' }),
  }
  const outcomes = await runSuite({
    ...{ files, mirror: mirrored, env, lanes, signal: ending.signal, say: console.log },
    envOf: servers.envOf,
  })
  await servers.stop()
  const isInterrupted = ending.signal.aborted
  if (UPDATE_TIMES === '1' && !isInterrupted) writeTimes(outcomes.values())
  const missing = await servers.missing()
  const { code, lines } = verdict({
    files: files.filter((file) => !lacksNode(file, missing)).map(nameOf),
    outcomes,
    missing,
    seed: given.WEIR_SEED,
    isInterrupted,
    mustHave,
  })
  console.log(`\n${lines.join('\n')}`)
  return code
}

/** @param {typeof chooseGate | typeof chooseTests} choose
 * @param {ReturnType<typeof changedFiles>} changes
 * @param {TestFile[]} files
 * @param {string} seed
 * @param {import('./imports.js').Sources} sources
 * @returns {TestFile[]} */
function chosen(choose, changes, files, seed, sources) {
  const changed = changes?.files ?? []
  const made = choose({ files, changed, distances: distances(sources, changed), seed })
  console.log(`\n${explained(made, changes).join('\n')}\n`)
  return made.taken
}

/** The files that run on the newest Node beside the one that runs this.
 * @param {TestFile[]} files
 * @param {import('./imports.js').Sources} sources
 * @returns {TestFile[]} */
function onNewest(files, sources) {
  if (isNewest()) return []
  const names = new Set(
    selected(
      files.map(({ file }) => file),
      newestPart,
    ),
  )
  return files.filter(({ file }) => names.has(file)).map((file) => withPrograms({ ...file, node: newest }, sources))
}
