// The mutants: one place each in which the product is broken, and the tests that are to see it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { activities } from './activities.js'
import { api } from './api.js'
import { infra } from './infra.js'
import { models } from './models.js'
import { sql } from './sql.js'

/** @typedef {object} Mutant
 * @property {string} id
 * @property {string} breaks what is broken then, in a sentence
 * @property {string} file
 * @property {string} find a text that is in the file once
 * @property {string} put what stands there instead
 * @property {string[]} tests the test files that are to fail */

/** @type {Mutant[]} */
export const mutants = [...sql, ...infra, ...activities, ...models, ...api]

/** Whether the mutant's text is in its file, and nowhere else in it.
 * @param {string} root
 * @param {Mutant} mutant */
export function isWhere(root, { file, find }) {
  try {
    return readFileSync(join(root, file), 'utf8').split(find).length === 2
  } catch {
    return false
  }
}
