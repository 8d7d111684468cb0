// The English of comments and docs: each sentence names the actor and the thing. `npm run check` holds it.

import { read, say } from '../processes/run.js'
import { filesIn } from './citations.js'

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

/** A comment that begins with an adverbial or a possessive, and ends before it has named a thing.
 * @type {readonly [RegExp, string]} */
const fragment = [
  /^(?:By|In|As|To|From|For|With|At|On|Its|Their|Also|Only|And|Where|Behind|Beside|Over|Under|Without|Within|Until|Since|Once|Between|Above|Below|Before|After|Per|Beyond|Through)\b(?: [\w'().-]{1,40}){0,5}\.(?= |$)/,
  'a fragment: begin with the thing that is meant',
]

/** Pages that machines write, the record of releases, and the sentences that are refused. */
const left =
  /^(?:test\/upgrades\/|clients\/node\/src\/api\.d\.ts$|clients\/node\/dist\/|docs\/figures\.md$|CHANGELOG\.md$|test\/scripts\/checks\/prose\.test\.ts$)/

/** @typedef {{ line: number, text: string }} Piece */

/** The comments of a program, blocks as one text each.
 * @param {string} text
 * @returns {Piece[]} */
function commentsOf(text) {
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

/** The paragraphs, list items and cells of a page, without its examples, and without its headings, which links point at.
 * @param {string} text
 * @returns {Piece[]} */
function paragraphsOf(text) {
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
    if (line.trim() === '' || /^ {4}|^#/.test(line)) continue
    if (said === '') begun = at + 1
    said += ` ${line.replace(/^\s*(?:[-*]+|\d+\.) /, '')}`
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
 * @param {readonly (readonly [RegExp, string])[]} against
 * @returns {string[]} the words to change, each with what to write */
export function slipsIn(text, against = rules) {
  return against.flatMap(([pattern, advice]) => {
    const found = pattern.exec(text)
    return found ? [`"${found[0].trim()}": ${advice}`] : []
  })
}

/** @returns {number} an exit code */
export function checkProse() {
  const found = filesIn('')
    .filter((file) => /\.(?:[jt]sx?|md)$/.test(file) && !left.test(file))
    .flatMap((file) => slipsOf(file, read(file)))
  for (const slip of found) say(slip)
  return found.length === 0 ? 0 : 1
}

/** Each slip of a file, with its line and the beginning of its sentence's paragraph.
 * @param {string} file relative to the repository
 * @param {string} text
 * @returns {string[]} */
export function slipsOf(file, text) {
  const isPage = file.endsWith('.md')
  const pieces = isPage ? paragraphsOf(text) : commentsOf(text)
  return pieces.flatMap(({ line, text }) =>
    slipsIn(text, isPage ? rules : [...rules, fragment]).map(
      (slip) => `${file}:${line}: ${slip}\n    ${text.slice(0, 160)}`,
    ),
  )
}
