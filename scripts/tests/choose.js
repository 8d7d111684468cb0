// The part of the tests that `npm test` runs: those near to a change first, then some of the others by the seed.

import { createHash } from 'node:crypto'

/** @typedef {import('./plan.js').TestFile} TestFile */
/** @typedef {TestFile & { why: string }} Chosen which says why it is run */

/** Seconds of test files, as test/times.json has them. Two cores ran 4,350 of them in 1,190 s; so many take less than four
 * minutes, and the checks before them one. */
const budget_s = 600
/** Of which tests near to a change take at most this share. */
const touchedShare = 2 / 3

const reasons = ['changed', 'names a changed file', 'shares a folder with a change', 'depends on a change']
const bySeed = 'by the seed'

/** @param {object} options
 * @param {TestFile[]} options.files
 * @param {readonly string[]} options.changed
 * @param {ReadonlyMap<string, number>} options.distances of modules from the change, as imports.js has them
 * @param {string} options.seed
 * @param {number} [options.all_s]
 * @returns {{ taken: Chosen[], left: Chosen[] }} in their order; what is left says why it might have been taken */
export function chooseTests({ files, changed, distances, seed, all_s = budget_s }) {
  const touched = nearTo({ files, changed, distances })
  const near = fill(touched, touchedShare * all_s, ({ why }) => why === reasons[0])
  const isNear = new Set(near.taken.map(({ file }) => file))
  const rest = files
    .filter(({ file }) => !isNear.has(file))
    .sort((a, b) => (chance(seed, a.file) < chance(seed, b.file) ? -1 : 1))
    .map((file) => ({ ...file, why: bySeed }))
  // A small change ends sooner; without one there is time for more.
  const some = fill(rest, touched.length > 0 ? (1 - touchedShare) * all_s : all_s)
  const isTaken = new Set(some.taken.map(({ file }) => file))
  const left = [...near.left, ...some.left.filter(({ file }) => !distances.has(file))]
  return { taken: [...near.taken, ...some.taken], left: left.filter(({ file }) => !isTaken.has(file)) }
}

/** The files that a change touches, the nearest first.
 * @param {object} options
 * @param {TestFile[]} options.files
 * @param {readonly string[]} options.changed
 * @param {ReadonlyMap<string, number>} options.distances
 * @returns {Chosen[]} */
export function nearTo({ files, changed, distances }) {
  const nouns = changed.map(nounsOf)
  return files
    .filter(({ file }) => distances.has(file))
    .map((file) => ({ ...file, ...nearness(file.file, distances.get(file.file) ?? 0, nouns) }))
    .sort((a, b) => a.rank - b.rank || b.shared - a.shared || a.distance - b.distance || a.seconds - b.seconds)
    .map(({ rank, shared, distance, ...file }) => ({ ...file, why: reasons[rank] ?? '' }))
}

/** Takes what fits, in the given order.
 * @param {Chosen[]} files
 * @param {number} seconds
 * @param {(file: Chosen) => boolean} [isSure] such a file always fits */
export function fill(files, seconds, isSure = () => false) {
  /** @type {{ taken: Chosen[], left: Chosen[] }} */
  const made = { taken: [], left: [] }
  let free = seconds
  for (const file of files) {
    const fits = isSure(file) || file.seconds <= free
    made[fits ? 'taken' : 'left'].push(file)
    if (fits) free -= file.seconds
  }
  return made
}

/** Tests of services depend on nearly everything, so that what a path is about decides before the distance.
 * @param {string} file of a test
 * @param {number} distance
 * @param {Set<string>[]} nouns of the changed files */
function nearness(file, distance, nouns) {
  const own = [...nounsOf(file)]
  const shared = Math.max(0, ...nouns.map((each) => own.filter((noun) => each.has(noun)).length))
  const rank = distance < 2 ? distance : shared > 0 ? 2 : 3
  return { rank, shared, distance }
}

/** The folders of a path without its room: activities/graphs/paths and test/api/graphs/paths are about the same.
 * @param {string} file */
export function nounsOf(file) {
  const folders = file.split('/').slice(0, -1)
  return new Set(folders.slice(folders[0] === 'test' ? 2 : 1).map((folder) => folder.replace(/s$/, '')))
}

/** The same for a seed and a file, whatever other files there are.
 * @param {string} seed
 * @param {string} file */
const chance = (seed, file) => createHash('sha256').update(`${seed} ${file}`).digest('hex')

/** Lines that say what is run for which reason, and what is not.
 * @param {ReturnType<typeof chooseTests>} chosen
 * @param {{ files: string[], since: string } | undefined} changes
 * @returns {string[]} */
export function explained({ taken, left }, changes) {
  const others = [...new Set(taken.map(({ why }) => why))].filter((why) => !reasons.includes(why))
  return [
    changes ? `${counted(changes.files)} changed since ${changes.since}` : 'no git says what changed',
    ...reasons.flatMap((reason) => {
      const files = taken.filter(({ why }) => why === reason)
      return files.length === 0 ? [] : [`run since it ${reason}:`, ...files.map(({ file }) => `  ${file}`)]
    }),
    ...others.map((why) => {
      const files = taken.filter((each) => each.why === why)
      return `run ${why}: ${counted(files)}, ${total(files)} s`
    }),
    ...reasons.flatMap((reason) => {
      const files = left.filter(({ why }) => why === reason)
      return files.length === 0 ? [] : [`left though it ${reason}: ${counted(files)}, ${total(files)} s`]
    }),
    `left in all: ${counted(left)}, ${total(left)} s; npm test -- test runs every file`,
  ]
}

/** @param {readonly unknown[]} files */
const counted = ({ length }) => (length === 1 ? '1 file' : `${length} files`)

/** @param {TestFile[]} files */
const total = (files) => Math.round(files.reduce((sum, { seconds }) => sum + seconds, 0))
