// How long each test file took, and a processor for it, kept in test/times.json: the longest begin first, and shares take the
// processor as long. `UPDATE_TIMES=1 npm test` writes it anew.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, root } from '../processes/run.js'

const kept = 'test/times.json'

/** @typedef {object} Times
 * @property {number} seconds
 * @property {number} processor_s as outcome.js has it */

/** @returns {Record<string, Times>} by file */
export const readTimes = () => JSON.parse(read(kept) || '{}')

/** Takes over what was measured; what is known of other files stays, as long as they are there.
 * @param {Iterable<import('./outcome.js').Outcome>} outcomes */
export function writeTimes(outcomes) {
  const rounded = (/** @type {number} */ seconds) => Math.round(seconds * 10) / 10
  const measured = [...outcomes].map(({ file, seconds, processor_s = 0 }) => [
    file,
    { seconds: rounded(seconds), processor_s: rounded(processor_s) },
  ])
  const times = Object.entries({ ...readTimes(), ...Object.fromEntries(measured) })
  const known = times.filter(([file]) => existsSync(join(root, file))).sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = known.map(
    ([file, { seconds, processor_s }]) => `  "${file}": { "seconds": ${seconds}, "processor_s": ${processor_s} }`,
  )
  writeFileSync(join(root, kept), `{\n${lines.join(',\n')}\n}\n`)
}
