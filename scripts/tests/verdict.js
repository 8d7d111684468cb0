// Whether a run of the tests passed, and what is said of it at its end.

import { isGood } from './outcome.js'

/** @typedef {import('./outcome.js').Outcome} Outcome */
/** @typedef {object} Run
 * @property {string[]} files that were to be run
 * @property {string[]} left that runs with other seeds take
 * @property {Map<string, Outcome>} outcomes by file
 * @property {Map<string, Outcome>} again of those that ran a second time, alone
 * @property {string[]} missing what could not be had, a line each
 * @property {string} seed
 * @property {boolean} isInterrupted
 * @property {{ isCi: boolean, mustHave: boolean }} rules whether a file that was mended alone fails, whether a skipped test does */

const slowest = 10

/** @param {Run} run
 * @returns {{ code: number, lines: string[] }} the exit code, and the last lines */
export function verdict({ files, left, outcomes, again, missing, seed, isInterrupted, rules }) {
  const last = files.map((file) => again.get(file) ?? outcomes.get(file) ?? notRun(file))
  const begun = isInterrupted ? last.filter(({ file }) => outcomes.has(file)) : last
  const mended = [...again.keys()].filter((file) => isGood(again.get(file) ?? notRun(file)))
  const skipped = last.flatMap(({ file, skipped }) => skipped.map((title) => `${file} › ${title}`))
  const faults = [
    ...begun.flatMap(({ file, failed, faults }) => [
      ...failed.map((title) => `${file} › ${title}`),
      ...faults.map((fault) => `${file}: ${fault}`),
    ]),
    ...(rules.isCi ? mended.map((file) => `${file}: failed beside others, passed alone`) : []),
    ...(rules.mustHave ? missing.map((name) => `${name}: missing, though WEIR_REQUIRE asks for all`) : []),
    ...(rules.mustHave ? skipped.map((test) => `${test}: skipped, though WEIR_REQUIRE asks for all`) : []),
    ...(isInterrupted ? [`the run was interrupted: ${last.length - begun.length} files were not run`] : []),
    ...(files.length === 0 ? ['there is nothing to run'] : []),
  ]
  const passed = last.reduce((sum, outcome) => sum + outcome.passed, 0)
  const lines = [
    ...section('slowest files', slowestOf([...outcomes.values()])),
    ...section(`left to other seeds (npm test -- test runs them, too): ${left.length} files`, left),
    ...section('skipped', skipped),
    ...section('missing here', missing),
    ...section('mended alone: failed beside others, passed by themselves', mended),
    ...section('failed', faults),
    `WEIR_SEED=${seed}`,
    `${passed} passed, ${faults.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
  ]
  return { code: faults.length > 0 ? 1 : 0, lines }
}

/** @param {string} title
 * @param {string[]} entries */
const section = (title, entries) =>
  entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `  ${entry}`), '']

/** @param {Outcome[]} outcomes */
const slowestOf = (outcomes) =>
  outcomes
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, slowest)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s ${file}`)

/** @param {string} file
 * @returns {Outcome} */
const notRun = (file) => ({ file, seconds: 0, passed: 0, failed: [], skipped: [], faults: ['was not run'] })
