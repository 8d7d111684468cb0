// The table of mutants in docs/tests.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes/run.js'
import { mutants } from './mutants/index.js'

/** @typedef {import('./mutants/index.js').Mutant} Mutant */
/** @typedef {{ mutant: Mutant, titles: string[] }} Result */

export const page = join(root, 'docs/tests.md')
const head = ['| Mutant | Fault | Seen by | Tried |', '|---|---|---|---|']
const [begin, end] = ['<!-- mutants: npm run mutate -- --write -->', '<!-- end of mutants -->']
/** Titles of one mutant that are shown; the others are counted. */
const shown = 2

/** Ids by their lines, as the page has them.
 * @param {string} text
 * @returns {Map<string, string>} */
export function linesOf(text) {
  const table = text.slice(text.indexOf(begin), text.indexOf(end))
  return new Map([...table.matchAll(/^\| `([^`]+)` .*$/gm)].map(([line, id = '']) => [id, line]))
}

/** Writes what came of a mutant, and leaves the lines of the others.
 * @param {Result} result */
export function keepResult({ mutant, titles }) {
  const text = readFileSync(page, 'utf8')
  const today = new Date().toISOString().slice(0, 10)
  const lines = linesOf(text)
  lines.set(mutant.id, lineOf(mutant, titles, today))
  const kept = mutants.flatMap(({ id }) => lines.get(id) ?? [])
  const table = [begin, '', ...head, ...kept, '', ''].join('\n')
  writeFileSync(page, text.slice(0, text.indexOf(begin)) + table + text.slice(text.indexOf(end)))
}

/** @param {Mutant} mutant
 * @param {string[]} titles
 * @param {string} day */
function lineOf({ id, breaks }, titles, day) {
  const more = titles.length > shown ? `; and ${titles.length - shown} more` : ''
  const seen = titles.length === 0 ? '**none**' : titles.slice(0, shown).map(cell).join('; ') + more
  return `| \`${id}\` | ${cell(breaks)} | ${seen} | ${day} |`
}

/** @param {string} text */
const cell = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
