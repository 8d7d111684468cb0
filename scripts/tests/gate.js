// The tests that a change has to pass before it lands, in a quarter of an hour on two cores; everything runs each night.

import { fill, nearTo } from './choose.js'
import { shardOf, short_s } from './plan.js'

/** @typedef {import('./plan.js').TestFile} TestFile */
/** @typedef {import('./choose.js').Chosen} Chosen */

/** Files of the floors below `api` that start no program: they are short, and most faults show in one of them. */
const plainFloors = /^test\/(?:base|sql|learn|infra|activities|workflows|jobs|commands)\//
/** The time of all files together that are near to the change. */
const near_s = 120
/** Each run takes one of so many shares of what is left. */
export const shares = 10

/** Files that run only where a change can touch what they look at: each is long, and no other change breaks them.
 * @type {{ kind: RegExp, by: RegExp }[]} */
const conditional = [
  { kind: /\.chromium\.test\.ts$/, by: /^(?:console|test\/console)\/|^api\/(?:.*\/)?calls\.ts$|^docs\/openapi\.json$/ },
  { kind: /^test\/bench\//, by: /^(?:test\/)?bench\// },
]

/** @param {object} options
 * @param {TestFile[]} options.files
 * @param {readonly string[]} options.changed
 * @param {ReadonlyMap<string, number>} options.distances of modules from the change, as imports.js has them
 * @param {string} options.seed its last digit picks the share of what is left, so that ten seeds in a row run everything
 * @returns {{ taken: Chosen[], left: Chosen[] }} each file once, with the first reason for which it is taken */
export function chooseGate({ files, changed, distances, seed }) {
  const isApart = ({ file = '' }) =>
    conditional.some(({ kind, by }) => kind.test(file) && !changed.some((each) => by.test(each)))
  const possible = files.filter((file) => !isApart(file))
  const near = fill(nearTo({ files: possible, changed, distances }), near_s).taken
  const share = (Number(seed.slice(-1)) || 0) + 1
  const reasons = [
    ...possible.filter(isPlain).map((file) => ({ ...file, why: 'since it is of a lower floor and starts no program' })),
    ...possible.filter(isPromise).map((file) => ({ ...file, why: 'since its name says that it holds a promise' })),
    ...possible.filter(isShort).map((file) => ({ ...file, why: 'since it is short' })),
    ...near,
  ]
  const taken = new Map(reasons.toReversed().map((file) => [file.file, file]))
  const rest = possible.filter(({ file }) => !taken.has(file))
  const tenth = shardOf(rest, { index: share, count: shares })
  for (const file of tenth)
    taken.set(file.file, { ...file, why: `by the seed (share ${share} of ${shares} of the rest)` })
  const left = files.filter(({ file }) => !taken.has(file))
  return { taken: [...taken.values()], left: left.map((file) => ({ ...file, why: '' })) }
}

/** @param {TestFile} file */
const isPlain = ({ file, isHeavy }) => !isHeavy && plainFloors.test(file)

/** @param {TestFile} file */
const isPromise = ({ file }) => /\.promise\.(?:\w+\.)?test\.ts$/.test(file)

/** @param {TestFile} file */
const isShort = ({ isHeavy, seconds }) => !isHeavy && seconds <= short_s
