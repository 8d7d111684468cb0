// `npm run mutate`: breaks a copy of the product in chosen places, one at a time, and tells which tests see it.
// `npm run mutate -- ID ...` tries some of them, `--write` keeps the results in docs/tests.md, `--list` names them all.
// It fails where a mutant survives, and where its place or its tests are not found.

import { rmSync } from 'node:fs'
import { createCopy } from './mutate/copy.js'
import { mutants } from './mutate/mutants/index.js'
import { runInCopy } from './mutate/run-in-copy.js'
import { placeAll } from './mutate/sources.js'
import { keepResult } from './mutate/table.js'
import { root, say } from './processes/run.js'
import { makeFastFolder } from './tests/fast-folder.js'
import { readSources } from './tests/imports.js'
import { sourceFolders } from './tests/mirrored.js'
import { describe } from './tests/plan.js'
import { prepareServers, programsOf } from './tests/servers.js'
import { readTimes } from './tests/times.js'

/** @typedef {import('./mutate/mutants/index.js').Mutant} Mutant */
/** @typedef {import('./mutate/sources.js').Placed} Placed */
/** @typedef {import('./tests/outcome.js').Outcome} Outcome */

const words = process.argv.slice(2)
const ids = words.filter((word) => !word.startsWith('--'))

/** The mutants that are named, in that order, or all.
 * @returns {Mutant[]} */
function chosen() {
  if (ids.length === 0) return mutants
  return ids.map((id) => {
    const mutant = mutants.find((each) => each.id === id)
    if (mutant === undefined) throw new Error(`there is no mutant ${id}; --list names them`)
    return mutant
  })
}

/** @param {Outcome[]} outcomes
 * @returns {string[]} titles of tests that failed, and faults beside the tests */
const caughtBy = (outcomes) => outcomes.flatMap(({ failed, faults }) => (failed.length > 0 ? failed : faults))

/** @param {string[]} titles */
const listed = (titles) => titles.map((title) => `\n            ${title}`).join('')

/** @param {Placed[]} wanted
 * @returns {Promise<number>} how many were not caught */
async function tryAll(wanted) {
  const files = [...new Set(wanted.flatMap(({ tests }) => tests))]
  const sources = readSources(root, sourceFolders)
  const described = files.map((file) => ({
    ...describe(file, readTimes()),
    programs: programsOf({ file }, sources),
  }))
  const servers = prepareServers(described)
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort())
  const env = { ...(await servers.envOf(described.flatMap(({ programs }) => programs))), ...makeFastFolder() }
  const copy = createCopy()
  const run = (/** @type {string[]} */ tests) => runInCopy({ copy: copy.folder, tests, env, signal: ending.signal })
  /** Titles that fail in a file without any mutant; each is run so before its first mutant.
   * @type {Map<string, string[]>} */
  const faultsOf = new Map()

  /** @param {Placed} mutant
   * @returns {Promise<string>} how it went */
  async function tryOne(mutant) {
    const fresh = mutant.tests.filter((file) => !faultsOf.has(file))
    if (fresh.length > 0) for (const outcome of await run(fresh)) faultsOf.set(outcome.file, caughtBy([outcome]))
    const unsound = mutant.tests.flatMap((file) => faultsOf.get(file) ?? [])
    if (unsound.length > 0) return `NOT TRIED ${mutant.id}, since without it there fails${listed(unsound)}`
    const repair = copy.mutate(mutant.place)
    const titles = caughtBy(await run(mutant.tests))
    repair()
    if (ending.signal.aborted) return `NOT TRIED ${mutant.id}`
    if (titles.length > 0) caught++
    if (words.includes('--write')) keepResult({ mutant, titles })
    return titles.length > 0 ? `caught    ${mutant.id}${listed(titles)}` : `SURVIVES  ${mutant.id}`
  }

  let caught = 0
  try {
    for (const mutant of wanted) if (!ending.signal.aborted) say(await tryOne(mutant))
    return wanted.length - caught
  } finally {
    rmSync(copy.folder, { recursive: true, force: true })
    await servers.stop()
  }
}

const wanted = chosen()
if (words.includes('--list')) {
  for (const { id, breaks } of wanted) console.log(`${id.padEnd(30)} ${breaks}`)
} else {
  const { placed, faults } = placeAll(wanted)
  for (const fault of faults) say(`NO PLACE  ${fault}`)
  const survivors = await tryAll(placed)
  console.log(`${wanted.length} mutants, ${placed.length - survivors} caught`)
  process.exitCode = survivors > 0 || placed.length < wanted.length ? 1 : 0
}
