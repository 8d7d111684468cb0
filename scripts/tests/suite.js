// Runs test files beside each other, those that failed once more alone, and tells of each as it ends.

import { runGroup } from './group.js'
import { inLanes } from './lanes.js'
import { jsOf } from './mirror.js'
import { isGood } from './outcome.js'
import { portions } from './plan.js'
import { createRoom } from './room.js'

/** @typedef {import('./outcome.js').Outcome} Outcome */
/** @typedef {import('./plan.js').TestFile} TestFile */

/** More files than that do not fail by chance. */
const mostAgain = 8

/** @param {object} options
 * @param {TestFile[]} options.files
 * @param {string} options.mirror the folder of their JavaScript, relative to the repository
 * @param {NodeJS.ProcessEnv} options.env
 * @param {{ sure: number, most: number, mostHeavy: number }} options.lanes
 * @param {AbortSignal} options.signal
 * @param {(line: string) => void} options.say */
export async function runSuite({ files, mirror, env, lanes, signal, say }) {
  /** @param {TestFile[]} portion
   * @param {Map<string, Outcome>} into */
  const run = async (portion, into) => {
    if (signal.aborted) return
    const made = portion.map(({ file }) => `${mirror}/${jsOf(file)}`)
    const { outcomes, printed } = await runGroup({ files: made, env, signal })
    for (const [at, { file }] of portion.entries()) {
      const outcome = outcomes[at]
      if (outcome === undefined) continue
      into.set(file, { ...outcome, file })
      say(told({ ...outcome, file }))
    }
    if (!outcomes.every(isGood)) say(printed)
  }

  /** @type {Map<string, Outcome>} */
  const outcomes = new Map()
  await inLanes({
    portions: portions(files),
    isHeavy: ([first]) => first?.isHeavy ?? false,
    ...lanes,
    hasRoom: createRoom(),
    run: (portion) => run(portion, outcomes),
  })

  /** @type {Map<string, Outcome>} */
  const again = new Map()
  const failed = files.filter(({ file }) => !isGood(outcomes.get(file) ?? { failed: [], faults: [] }))
  if (failed.length <= mostAgain) {
    for (const file of failed.filter(({ mayRunAgain }) => mayRunAgain)) {
      say(`once more, alone: ${file.file}`)
      await run([file], again)
    }
  }
  return { outcomes, again }
}

/** @param {Outcome} outcome */
function told(outcome) {
  const { file, seconds, passed, failed, skipped } = outcome
  const counts = [
    `${passed} passed`,
    failed.length > 0 && `${failed.length} failed`,
    skipped.length > 0 && `${skipped.length} skipped`,
  ]
  return `${isGood(outcome) ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s ${file}  ${counts.filter(Boolean).join(', ')}`
}
