// The outcomes of test files, from the events that ava reported. A file is good only if all of it was seen to be good.

import { stripVTControlCharacters } from 'node:util'

/** @typedef {object} Told an event of ava's, as one-process.js passes it on
 * @property {string} type
 * @property {string} [testFile]
 * @property {string} [title]
 * @property {boolean} [skip]
 * @property {boolean} [todo]
 * @property {boolean} [knownFailing]
 * @property {number} [period]
 * @property {string} [signal]
 * @property {number} [nonZeroExitCode]
 * @property {string} [message]
 * @property {string} [details] what an assertion compared
 * @property {number} [processor_s] of a file that ended */
/** @typedef {object} Outcome
 * @property {string} file
 * @property {number} seconds
 * @property {number} [processor_s] seconds of a processor, the programs that it started and saw end among them
 * @property {number} passed
 * @property {string[]} failed titles
 * @property {string[]} [reasons] of each that failed, a line
 * @property {string[]} skipped titles, what is still to do and what is known to fail among them
 * @property {string[]} faults what failed beside the tests: a file that did not load, tests that never ended */

/** Events that are faults of a file, or where none is named of the one that runs; between two, of all that are left.
 * @type {Record<string, (told: Told) => string>} */
const faultsOf = {
  'hook-failed': ({ title }) => `${title} failed`,
  'uncaught-exception': ({ message }) => `uncaught exception: ${message}`,
  'unhandled-rejection': ({ message }) => `unhandled rejection: ${message}`,
  'internal-error': ({ message }) => `internal error of ava: ${message}`,
  'process-exit': () => 'ended its process itself',
  'worker-failed': ({ signal, nonZeroExitCode, message }) =>
    `its process ended ${signal ? `by ${signal}` : `with ${nonZeroExitCode === undefined ? message : `code ${nonZeroExitCode}`}`}`,
  timeout: ({ period = 0 }) => `no test ended for ${period / 1000} s`,
  silence: ({ period = 0 }) => `nothing was heard of it for ${period / 1000} s`,
  interrupt: () => 'was interrupted',
}

/** Of a reason a line as long as this is told at the end of a run, whose record may be cut before. */
const reasonLength = 500

/** @param {Told} told */
const reasonOf = ({ message = '', details = '' }) =>
  stripVTControlCharacters(`${message} ${details}`).replace(/\s+/g, ' ').trim().slice(0, reasonLength)

const ends = new Set(['worker-finished', 'worker-failed'])

/** @param {string[]} files in the order in which they run, as ava names them
 * @param {() => number} now in milliseconds */
export function createOutcomes(files, now = () => performance.now()) {
  let since = now()
  let hasEnded = false
  const states = new Map(files.map((file) => [file, emptyState(file)]))

  /** @param {string | undefined} file */
  const concerned = (file) => {
    const state = file === undefined ? undefined : states.get(file)
    if (state) return [state]
    const open = [...states.values()].filter(({ isDone }) => !isDone)
    const begun = open.filter(({ hasBegun }) => hasBegun)
    return begun.length > 0 ? begun : open
  }

  return {
    /** @param {Told} told */
    take(told) {
      if (told.type === 'end') hasEnded = true
      for (const state of concerned(told.testFile)) {
        if (told.testFile !== undefined) state.hasBegun = true
        count(state, told)
        const fault = faultsOf[told.type]
        if (fault) state.faults.push(fault(told))
        if (!ends.has(told.type) || state.isDone) continue
        state.isDone = true
        state.seconds = (now() - since) / 1000
        state.processor_s = told.processor_s ?? 0
        since = now()
      }
    },

    /** How it all ended: each file once, in the given order.
     * @param {{ code: number | null, signal: string | null }} exit of ava
     * @returns {Outcome[]} */
    end({ code, signal }) {
      const outcomes = [...states.values()].map(judged)
      const isCovered = outcomes.some((outcome) => !isGood(outcome))
      if ((code !== 0 || !hasEnded) && !isCovered) {
        for (const { faults } of outcomes) faults.push(`ava ended ${signal ? `by ${signal}` : `with code ${code}`}`)
      }
      return outcomes
    },
  }
}

/** @param {Pick<Outcome, 'failed' | 'faults'>} outcome */
export const isGood = ({ failed, faults }) => failed.length + faults.length === 0

/** @param {string} file */
function emptyState(file) {
  return {
    file,
    seconds: 0,
    processor_s: 0,
    hasBegun: false,
    isDone: false,
    declared: 0,
    begun: new Set(/** @type {string[]} */ ([])),
    passed: 0,
    failed: /** @type {string[]} */ ([]),
    reasons: /** @type {string[]} */ ([]),
    skipped: /** @type {string[]} */ ([]),
    faults: /** @type {string[]} */ ([]),
  }
}

/** @param {ReturnType<typeof emptyState>} state
 * @param {Told} told */
function count(state, told) {
  const { type, title = '', skip, todo, knownFailing } = told
  if (type === 'declared-test') state.declared++
  else if (type === 'selected-test') {
    if (skip || todo) state.skipped.push(title)
    else state.begun.add(title)
  } else if (type === 'test-passed' || type === 'test-failed') {
    state.begun.delete(title)
    if (type === 'test-failed') {
      state.failed.push(title)
      state.reasons.push(reasonOf(told))
    } else if (knownFailing) state.skipped.push(title)
    else state.passed++
  }
}

/** @param {ReturnType<typeof emptyState>} state
 * @returns {Outcome} */
function judged({ file, seconds, processor_s, isDone, declared, begun, passed, failed, reasons, skipped, faults }) {
  const told = passed + failed.length + skipped.length + begun.size
  const more = [...begun].map((title) => `did not end: ${title}`)
  if (!isDone) more.push('was not run to its end')
  else if (declared === 0 && faults.length === 0) more.push('has no tests')
  else if (told < declared) more.push(`ran ${told} of its ${declared} tests`)
  return { file, seconds, processor_s, passed, failed, reasons, skipped, faults: [...faults, ...more] }
}
