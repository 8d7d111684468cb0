// How long each test file took, kept in test/times.json: the longest begin first. `UPDATE_TIMES=1 npm test` writes it anew.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, root } from '../processes/run.js'

const kept = 'test/times.json'

/** @returns {Record<string, number>} seconds by file */
export const readTimes = () => JSON.parse(read(kept) || '{}')

/** Takes over what was measured; what is known of other files stays, as long as they are there.
 * @param {Iterable<import('./outcome.js').Outcome>} outcomes */
export function writeTimes(outcomes) {
  const measured = [...outcomes].map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10])
  const times = Object.entries({ ...readTimes(), ...Object.fromEntries(measured) })
  const known = times.filter(([file]) => existsSync(join(root, file))).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(join(root, kept), `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`)
}
