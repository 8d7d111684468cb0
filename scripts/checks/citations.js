// No file cites a paper that a reader of the repository does not have: numbered sections of documents that are kept
// elsewhere, numbers of findings in reviews, numbers of issues. A comment says the thing itself, or names a page of docs/;
// that page is there (test/docs/links.test.ts looks at the links of pages). Where a page names a line of the code, the name beside
// it is in that line; `UPDATE_GOLDEN=1 npm run check` writes the lines anew.

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read, root, say } from '../processes/run.js'

/** Citations that no reader can follow, by the words of the report. */
const citations = {
  'a section of a document that is not here':
    /\b(?:(?:decisions?|interface)(?:\.md)?|memory\.md|DESIGN|STYLE) (?:section )?§?\d/g,
  'a document that is not here':
    /\b(?:DESIGN|STYLE|decisions|house-\d)\.md\b|\bDESIGN section\b|\bshared\/(?:reviews|interface)\b/g,
  'an issue by its number alone': /\bissue #?\d+\b/gi,
}

/** In prose alone, since code and data have such texts of their own. R2 is a measure of regressions. */
const finding = /\b(?!R2\b)[CR]\d{1,2}\b/g
/** A page of ours; ClickHouse's own are in its docs/en. */
const page = /(?<![\w/.-])docs\/(?!en\/)[\w/-]+\.md\b/g

const texts = /\.(?:[jt]sx?|c?m?js|md|ya?ml|sql|py|sh|json|txt|html|css)$|(?:^|\/)(?:run|Dockerfile|NOTICE)$/
const comment = /^\s*(?:\/\/|\/?\*|#|--)|\/\/ /

/** Folders that are made, or belong to others. */
const passedOver = new Set(['.dev', '.git', '.tests', 'data', 'dist', 'node_modules'])
/** They contain the citations that are refused. */
const exempt = new Set(['package-lock.json', 'scripts/checks/citations.js', 'test/scripts/checks/citations.test.ts'])

/** Each citation of a file that its reader cannot follow, with its line.
 * @param {string} file relative to the repository
 * @param {string} text
 * @returns {string[]} */
export function citationsIn(file, text) {
  const isProse = file.endsWith('.md')
  return text.split('\n').flatMap((line, at) => {
    const cited = Object.entries(citations).flatMap(([name, pattern]) =>
      [...line.matchAll(pattern)].map(([words]) => `"${words}" is ${name}`),
    )
    const isComment = comment.test(line)
    const findings = isProse || isComment ? [...line.matchAll(finding)] : []
    const pages = isComment ? [...line.matchAll(page)] : []
    const dead = pages.filter(([path]) => !existsSync(join(root, path))).map(([path]) => `${path} is not there`)
    const faults = [...cited, ...findings.map(([words]) => `"${words}" is a number of a review`), ...dead]
    return faults.map((fault) => `${file}:${at + 1}: ${fault}`)
  })
}

/** A name and the line that it is defined in: `createX` (`room/file.ts:12`). */
const place = /`(\w{1,60})`\s\(`([\w/.-]{1,120}):(\d{1,6})`\)/g

/** Each name of a page that is not in the line beside it.
 * @param {string} page
 * @param {string} text
 * @param {(path: string) => string} [readOf] the text of a file, '' where there is none
 * @returns {{ faults: string[], mended: string }} `mended`: the text with the lines where the names are */
export function misplacedIn(page, text, readOf = (path) => (existsSync(join(root, path)) ? read(path) : '')) {
  /** @type {string[]} */
  const faults = []
  const mended = text.replace(place, (whole, name, path, number) => {
    const lines = readOf(path).split('\n')
    const has = (/** @type {string} */ line) => line.split(/\W/).includes(name)
    if (has(lines[Number(number) - 1] ?? '')) return whole
    const at =
      lines.findIndex((line) => has(line) && /^(?:export|function) /.test(line)) + 1 || lines.findIndex(has) + 1
    faults.push(`${page}: ${name} is not in line ${number} of ${path}, ${at === 0 ? 'nor in another' : `but in ${at}`}`)
    return at === 0 ? whole : whole.replace(`:${number}`, `:${at}`)
  })
  return { faults, mended }
}

/** @param {string} file
 * @returns {string[]} its faults; with UPDATE_GOLDEN=1 lines are written anew */
function misplaced(file) {
  if (!file.endsWith('.md')) return []
  const { faults, mended } = misplacedIn(file, read(file))
  if (faults.length === 0 || process.env.UPDATE_GOLDEN !== '1') return faults
  writeFileSync(join(root, file), mended)
  return misplacedIn(file, mended).faults
}

/** @returns {number} an exit code */
export function checkCitations() {
  const found = filesIn('')
    .filter((file) => !exempt.has(file))
    .flatMap((file) => [...citationsIn(file, read(file)), ...misplaced(file)])
  for (const fault of found) say(fault)
  if (found.length > 0) say('say the thing itself, or name a page of docs/ that is there (docs/adr/README.md)')
  return found.length === 0 ? 0 : 1
}

/** The files of text in a folder.
 * @param {string} folder relative to the repository
 * @returns {string[]} */
export function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return passedOver.has(entry.name) ? [] : filesIn(path)
    return entry.isFile() && texts.test(path) ? [path] : []
  })
}
