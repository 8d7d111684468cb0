// No file cites a paper that a reader of the repository does not have: numbered sections of documents that are kept
// elsewhere, numbers of findings in reviews, numbers of issues. A comment says the thing itself, or names a page of docs/;
// that page, and each heading that a link leads to, is there.

import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { read, root, say } from '../processes/run.js'

/** Citations that nobody can follow, by the words of the report. */
const citations = {
  'a section of a document that is not here':
    /\b(?:(?:decisions?|interface)(?:\.md)?|memory\.md|DESIGN|STYLE) (?:section )?§?\d/g,
  'a document that is not here':
    /\b(?:DESIGN|STYLE|decisions|house-\d)\.md\b|\bDESIGN section\b|\bshared\/(?:reviews|interface)\b/g,
  'an issue by its number alone': /\bissue #?\d+\b/gi,
}

/** In prose alone, since code and data have such texts of their own. R2 is a measure of regressions. */
const finding = /\b(?!R2\b)[CR]\d{1,2}\b/g
/** A link of Markdown to a file of the repository. */
const link = /\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?\)/g
const page = /(?<![\w/.-])docs\/[\w/-]+\.md\b/g

const texts = /\.(?:[jt]s|c?m?js|md|ya?ml|sql|py|sh|json|txt|html|css)$|(?:^|\/)(?:run|Dockerfile|NOTICE)$/
const comment = /^\s*(?:\/\/|\/?\*|#|--)|\/\/ /

/** Folders that are made, or belong to others. */
const passedOver = new Set(['.git', '.tests', 'data', 'dist', 'node_modules'])
/** They name what is refused. */
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
    const dead = isProse
      ? [...line.matchAll(link)].flatMap(([, path = '', heading]) => deadLink(file, path, heading))
      : [...(isComment ? line.matchAll(page) : [])].flatMap(([path]) => deadLink('', path, undefined))
    const faults = [...cited, ...findings.map(([words]) => `"${words}" is a number of a review`), ...dead]
    return faults.map((fault) => `${file}:${at + 1}: ${fault}`)
  })
}

/** @param {string} from the file that has the link
 * @param {string} path as it is written; nothing for the same file
 * @param {string | undefined} heading
 * @returns {string[]} */
function deadLink(from, path, heading) {
  const target = path === '' ? from : normalize(join(dirname(from), path))
  if (!existsSync(join(root, target))) return [`${target} is not there`]
  if (heading === undefined || !target.endsWith('.md') || headingsOf(target).has(heading)) return []
  return [`${target} has no heading #${heading}`]
}

/** Headings as GitHub names them in links.
 * @param {string} file */
const headingsOf = (file) =>
  new Set(
    [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )

/** @returns {number} an exit code */
export function checkCitations() {
  const found = filesIn('').flatMap((file) => citationsIn(file, read(file)))
  for (const fault of found) say(fault)
  if (found.length > 0) say('say the thing itself, or name a page of docs/ that is there (docs/adr/README.md)')
  return found.length === 0 ? 0 : 1
}

/** @param {string} folder relative to the repository
 * @returns {string[]} */
function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return passedOver.has(entry.name) ? [] : filesIn(path)
    return entry.isFile() && texts.test(path) && !exempt.has(path) ? [path] : []
  })
}
