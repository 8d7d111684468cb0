// How many tests passed, and which files did not, read from what ava prints for people.

import { stripVTControlCharacters } from 'node:util'

const ticked = /^ {2}[✔√] /
const crossed = /^ {2}[✘×] \[(?:fail|unexpected pass)\](?:: (?<title>.*))?/
/** A file that was cut off, or ended of itself with an error. */
const named = /^ {2}.*(?:pending in|exception in|rejection in|[✘×]) (?<file>\S+\.test\.[jt]s)/
/** ava's closing lines. It names what passed only if nothing failed. */
const summary = /^ {2}(?<count>\d+) tests? (?<of>passed|failed|skipped|todo)$/

export function createTally() {
  let passed = 0
  let failed = 0
  let skipped = 0
  /** @type {Set<string>} */
  const files = new Set()
  /** @type {string[]} */
  const titles = []

  return {
    /** @param {string} line as ava printed it */
    read(line) {
      const text = stripVTControlCharacters(line)
      if (ticked.test(text)) passed++
      const cross = crossed.exec(text)
      if (cross) failed++
      if (cross?.groups?.title) titles.push(cross.groups.title)
      const { file } = named.exec(text)?.groups ?? {}
      if (file) files.add(file.replace(/^(?!test\/)/, 'test/'))
      const { count = '0', of } = summary.exec(text)?.groups ?? {}
      if (of === 'passed') passed = Number(count)
      if (of === 'failed') failed = Number(count)
      if (of === 'skipped' || of === 'todo') skipped += Number(count)
    },

    counts: () => ({ passed, failed }),

    /** The files in which something failed.
     * @param {(file: string) => boolean} exists a title begins with its file's path, as `api › crash › kept` */
    failedFiles(exists) {
      for (const title of titles) {
        const parts = title.split(' › ')
        for (let end = 1; end < parts.length; end++) {
          const file = `test/${parts.slice(0, end).join('/')}.test.ts`
          if (exists(file)) files.add(file)
        }
      }
      return [...files].filter(exists).sort()
    },

    /** Takes over what came of the files in which something failed, run once more.
     * @param {{ counts(): { failed: number } }} again */
    mend(again) {
      const { failed: left } = again.counts()
      passed += Math.max(0, failed - left)
      failed = left
    },

    /** @param {number} code ava's exit code: a file that could not be loaded or timed out is no test, but fails too
     * @returns {string} `N passed, N failed`, and `, N skipped` if there were any */
    line(code) {
      const failures = code === 0 ? failed : Math.max(failed, 1)
      return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    },
  }
}
