// Whether a run of the tests passed, and what is said of it at its end.

/** @typedef {import('./outcome.js').Outcome} Outcome */
/** @typedef {object} Run
 * @property {string[]} files that were to be run
 * @property {Map<string, Outcome>} outcomes by file
 * @property {string[]} missing what could not be had, a line each
 * @property {string} seed
 * @property {boolean} isInterrupted
 * @property {boolean} mustHave whether a skipped test, or a missing server, is a failure */

/** So many files are named of each kind. */
const most = 10

/** @param {Run} run
 * @returns {{ code: number, lines: string[] }} the exit code, and the last lines */
export function verdict({ files, outcomes, missing, seed, isInterrupted, mustHave }) {
  const last = files.map((file) => outcomes.get(file) ?? notRun(file))
  const begun = isInterrupted ? last.filter(({ file }) => outcomes.has(file)) : last
  const skipped = last.flatMap(({ file, skipped }) => skipped.map((title) => `${file} › ${title}`))
  const faults = [
    ...begun.flatMap(({ file, failed, reasons, faults }) => [
      ...failed.map((title, index) => `${file} › ${title}${reasons?.[index] ? `: ${reasons[index]}` : ''}`),
      ...faults.map((fault) => `${file}: ${fault}`),
    ]),
    ...(mustHave ? missing.map((name) => `${name}: missing, though WEIR_REQUIRE asks for all`) : []),
    ...(mustHave ? skipped.map((test) => `${test}: skipped, though WEIR_REQUIRE asks for all`) : []),
    ...(isInterrupted ? [`the run was interrupted: ${last.length - begun.length} files were not run`] : []),
    ...(files.length === 0 ? ['there is nothing to run'] : []),
  ]
  const passed = last.reduce((sum, outcome) => sum + outcome.passed, 0)
  const lines = [
    ...section(
      'slowest files',
      mostOf([...outcomes.values()], ({ seconds }) => seconds),
    ),
    ...section(
      'files that take most of a processor',
      mostOf([...outcomes.values()], ({ processor_s = 0 }) => processor_s),
    ),
    ...section('skipped', skipped),
    ...section('missing here', missing),
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

/** @param {Outcome[]} outcomes
 * @param {(outcome: Outcome) => number} secondsOf */
const mostOf = (outcomes, secondsOf) =>
  outcomes
    .toSorted((a, b) => secondsOf(b) - secondsOf(a))
    .slice(0, most)
    .map((outcome) => `${secondsOf(outcome).toFixed(1).padStart(6)} s ${outcome.file}`)

/** @param {string} file
 * @returns {Outcome} */
const notRun = (file) => ({ file, seconds: 0, passed: 0, failed: [], skipped: [], faults: ['was not run'] })
