// Runs test files beside each other, each once, and says of each how it ended as it ends.

import { existsSync } from 'node:fs'
import { runGroup } from './group.js'
import { inLanes } from './lanes.js'
import { jsOf } from './mirror.js'
import { isGood } from './outcome.js'
import { portions } from './plan.js'
import { createRoom } from './room.js'

/** @typedef {import('./outcome.js').Outcome} Outcome */
/** @typedef {import('./plan.js').TestFile} TestFile */

/** @param {object} options
 * @param {TestFile[]} options.files
 * @param {string} options.mirror the folder of their JavaScript, relative to the repository
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(programs: readonly string[]) => Promise<NodeJS.ProcessEnv>} [options.envOf] resolves once the programs are there for
 *   which files wait: more of their `env`
 * @param {{ sure: number, most: number, maxHeavy: number }} options.lanes
 * @param {AbortSignal} options.signal
 * @param {(line: string) => void} options.say
 * @returns {Promise<Map<string, Outcome>>} by file */
export async function runSuite({ files, mirror, env, envOf = async () => ({}), lanes, signal, say }) {
  /** @type {Map<string, Outcome>} */
  const outcomes = new Map()
  /** @param {TestFile[]} portion */
  const run = async (portion) => {
    if (signal.aborted) return
    const made = portion.map(({ file }) => `${mirror}/${jsOf(file)}`)
    const [first] = portion
    const all = { ...env, ...(await envOf(first?.programs ?? [])) }
    if (first?.node && !existsSync(first.node.binary)) return
    const group = await runGroup({
      files: made,
      env: all,
      signal,
      ...(first?.node && { node: first.node.binary }),
    })
    for (const [at, each] of portion.entries()) {
      const outcome = group.outcomes[at]
      if (outcome === undefined) continue
      const file = nameOf(each)
      outcomes.set(file, { ...outcome, file })
      say(told({ ...outcome, file }))
    }
    if (!group.outcomes.every(isGood)) say(group.printed)
  }

  await inLanes({
    portions: portions(files),
    isHeavy: ([first]) => first?.isHeavy ?? false,
    ready: ([first]) => (first?.programs?.length ? envOf(first.programs) : undefined),
    ...lanes,
    hasRoom: createRoom(),
    run,
  })
  return outcomes
}

/** The name of a file in the lines of a run: one may run on two Nodes.
 * @param {TestFile} file */
export const nameOf = ({ file, node }) => (node === undefined ? file : `${file} on Node ${node.version}`)

/** @param {Outcome} outcome */
function told(outcome) {
  const { file, seconds, processor_s = 0, passed, failed, skipped } = outcome
  const counts = [
    `${passed} passed`,
    failed.length > 0 && `${failed.length} failed`,
    skipped.length > 0 && `${skipped.length} skipped`,
  ]
  return `${isGood(outcome) ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s ${processor_s.toFixed(1).padStart(5)} cpu ${file}  ${counts.filter(Boolean).join(', ')}`
}
