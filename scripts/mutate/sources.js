// The texts that mutants are found in: those of the product, and those of its test files.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rooms } from '../dist.js'
import { root } from '../processes/run.js'
import { readSources } from '../tests/imports.js'
import { testFiles } from '../tests/plan.js'
import { placesOf, seersOf } from './place.js'

/** @typedef {import('./mutants/index.js').Mutant} Mutant */
/** @typedef {Mutant & { place: import('./place.js').Place, tests: string[] }} Placed */

/** Finds the place and the tests of each mutant.
 * @param {readonly Mutant[]} mutants
 * @returns {{ placed: Placed[], faults: string[] }} `faults` says of the others why they have none */
export function placeAll(mutants) {
  const { texts: product } = readSources(root, rooms)
  // Titles of mutants are in the tests of mutants, too.
  const files = testFiles(root).filter((file) => !file.startsWith('test/scripts/'))
  const tests = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  /** @type {Placed[]} */
  const placed = []
  /** @type {string[]} */
  const faults = []
  for (const mutant of mutants) {
    const places = placesOf(mutant, product)
    const seers = seersOf(mutant, tests)
    const wrong = [
      places.length !== 1 && `its place is there ${places.length} times: ${places.map(({ file }) => file).join(', ')}`,
      seers.length === 0 && 'no test is to see it',
      ...seers.map(({ title, files }) => files.length !== 1 && `"${title}" is in ${files.length} test files`),
    ].filter((each) => each !== false)
    faults.push(...wrong.map((each) => `${mutant.id}: ${each}`))
    const [place] = places
    if (place && wrong.length === 0) {
      placed.push({ ...mutant, place, tests: [...new Set(seers.flatMap(({ files }) => files))] })
    }
  }
  return { placed, faults }
}
