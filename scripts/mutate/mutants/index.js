// The mutants: one place each in which the product is broken, by the promise that is broken there, and the tests that are
// to see it. No path is in them, so that files may move, and none of the names that a refactoring changes often.

import { algorithms } from './algorithms.js'
import { events } from './events.js'
import { fences } from './fences.js'
import { limits } from './limits.js'
import { processes } from './processes.js'
import { reads } from './reads.js'
import { rules } from './rules.js'

/** @typedef {object} Mutant
 * @property {string} id
 * @property {string} breaks what is broken then, in a sentence
 * @property {string} find a pattern of code that the product has once: place.js says how it is read
 * @property {string} put what stands there instead
 * @property {string[]} seenBy titles, or parts of them, that one test file has each: these files are to fail */

/** @type {Mutant[]} */
export const mutants = [...events, ...reads, ...fences, ...processes, ...limits, ...algorithms, ...rules]
