// How many tests passed, read from what ava prints for people.

import { stripVTControlCharacters } from 'node:util'

const ticked = /^ {2}[✔√] /
const crossed = /^ {2}[✘×] \[(?:fail|unexpected pass)\]/
/** ava's closing lines. It names what passed only if nothing failed. */
const summary = /^ {2}(?<count>\d+) tests? (?<of>passed|failed|skipped|todo)$/

export function createTally() {
  let passed = 0
  let failed = 0
  let skipped = 0

  return {
    /** @param {string} line as ava printed it */
    read(line) {
      const text = stripVTControlCharacters(line)
      if (ticked.test(text)) passed++
      if (crossed.test(text)) failed++
      const { count = '0', of } = summary.exec(text)?.groups ?? {}
      if (of === 'passed') passed = Number(count)
      if (of === 'failed') failed = Number(count)
      if (of === 'skipped' || of === 'todo') skipped += Number(count)
    },

    /** @param {number} code ava's exit code: a file that could not be loaded or timed out is no test, but fails too
     * @returns {string} `N passed, N failed`, and `, N skipped` if there were any */
    line(code) {
      const failures = code === 0 ? failed : Math.max(failed, 1)
      return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    },
  }
}
