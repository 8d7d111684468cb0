// The English of comments and docs: each sentence names the actor and the thing. `npm run check` holds it.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from '../processes/run.js'

/** Words that stand for a noun that the reader has to guess, and what to write in their place.
 * @type {readonly (readonly [RegExp, string])[]} */
const rules = [
  [
    /\bwhoever\b|(?:^|[.;:,(] |\b(?:and|or|but|by|for|of|to|from|as|than|is|are|not|with|tells?|says?) )whom?\b/i,
    'name the actor',
  ],
  [/\bnobody\b/i, 'name the actor: "no process", "no client"'],
  [/\b(?:told|tells?|telling) of\b/i, 'say "reports", "lists", "is reported"'],
  [/\bso long\b/i, 'say "this long", "until", "while"'],
  [/(?:^|[.;:!?] )(?:What|Who|Whoever|Those|None)\b/, 'begin with the thing that is meant'],
  [/(?:^|[.!?] )Of (?:an? |the |its |each )?[\w' ]{1,30}[.:]?$/, 'a genitive needs its noun'],
]

/** Pages that machines write, or whose words are a user's. */
const left = /^(?:docs\/openapi\.json|test\/upgrades\/|docs\/figures\.md$|CHANGELOG\.md$)/

/** @typedef {{ line: number, text: string }} Piece */

/** The comments of a program, blocks as one text each.
 * @param {string} text
 * @returns {Piece[]} */
export function commentsOf(text) {
  /** @type {Piece[]} */
  const pieces = []
  const comment = /\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ ?([^\n]*(?:\n\s*\/\/ ?[^\n]*)*)/g
  for (const match of text.matchAll(comment)) {
    const line = text.slice(0, match.index + match[0].search(/\S/)).split('\n').length
    const said = (match[1] ?? match[2] ?? '').replace(/\n\s*(?:\*|\/\/) ?/g, ' ')
    pieces.push({ line, text: plain(said) })
  }
  return pieces
}

/** The paragraphs, list items and cells of a page, without its examples.
 * @param {string} text
 * @returns {Piece[]} */
export function paragraphsOf(text) {
  const bare = text.replace(/^(`{3,})[\s\S]*?^\1/gm, (block) => '\n'.repeat(block.split('\n').length - 1))
  /** @type {Piece[]} */
  const pieces = []
  let begun = 0
  let said = ''
  const end = () => {
    for (const cell of said.split('|')) if (cell.trim() !== '') pieces.push({ line: begun, text: plain(cell) })
    said = ''
  }
  for (const [at, line] of bare.split('\n').entries()) {
    if (line.trim() === '' || /^ {4}|^\s*(?:[-*|#]|\d+\.)/.test(line)) end()
    if (said === '') begun = at + 1
    if (!/^ {4}\S/.test(line)) said += ` ${line.replace(/^\s*(?:[-*#]+|\d+\.) /, '')}`
  }
  end()
  return pieces
}

/** A sentence's own words: code and quotations are another's.
 * @param {string} text */
const plain = (text) =>
  text
    .replace(/`[^`]*`|"[^"]*"|\{@link[^}]*\}|@\w+ \{[^}]*\}/g, '_')
    .replace(/\s+/g, ' ')
    .trim()

/** @param {string} text
 * @returns {string[]} the words to change, each with what to write */
export function slipsIn(text) {
  return rules.flatMap(([pattern, advice]) => {
    const found = pattern.exec(text)
    return found ? [`"${found[0].trim()}": ${advice}`] : []
  })
}

/** @returns {number} an exit code */
export function checkProse() {
  const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.js', '*.md'], { cwd: root, encoding: 'utf8' })
  let slips = 0
  for (const file of stdout.split('\n').filter((name) => name !== '' && !left.test(name))) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const piece of file.endsWith('.md') ? paragraphsOf(text) : commentsOf(text)) {
      for (const slip of slipsIn(piece.text)) {
        say(`${file}:${piece.line} ${slip}\n    ${piece.text.slice(0, 160)}`)
        slips++
      }
    }
  }
  return slips === 0 ? 0 : 1
}
