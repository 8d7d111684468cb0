import type { Row } from '../../src/index.ts'
import { Exit, exitCodes } from '../exit-codes.ts'
import { toYamlInComment, type Values, yamlIn } from './yaml.ts'

/** Members of a question's head that say what is so without them. */
export const usual: Values = { language: 'sql', cache_s: 0, params: {} }

const aboutHeads = `; a comment at the beginning of a question is its head: "*\\/" in double quotes is */ in it, and /* */ stands before a comment that is no head`

/**
 * A question: its text below a head, which is a comment at the beginning with all else in YAML. A head below a line with /* alone
 * ends at the first line that begins with the comment's end, so that a value may have one, or at the first end with a blank behind
 * it where that is no YAML; any other at the first there is.
 */
export function questionIn(text: string, path: string): Values {
  const begin = text.trimStart()
  if (!begin.startsWith('/*')) return { sql: text.trim() }
  const ofLine = /^\/\*[ \t]*\r?\n/.test(begin) ? begin.search(/^[ \t]*\*\//m) : -1
  let end = begin.indexOf('*/', Math.max(ofLine, 2))
  if (end < 0) return { sql: text.trim() }
  const first = begin.search(/\*\/(?=\s|$)/)
  if (first >= 2 && first < end && !isYaml(begin.slice(2, end)) && isYaml(begin.slice(2, first))) end = first
  const head = yamlIn(begin.slice(2, end), path, aboutHeads)
  if ('sql' in head) throw new Exit(exitCodes.usage, `${path}: sql stands below the head, not in it`)
  return { ...head, sql: begin.slice(end + 2).trim() }
}

function isYaml(text: string): boolean {
  try {
    yamlIn(text, '')
    return true
  } catch {
    return false
  }
}

/** The file of a question, of which `questionIn` reads the same one; blanks around its text are no part of it. */
export function questionText({ sql, ...head }: Values & { readonly sql: string }): string {
  const yaml = Object.keys(head).length > 0 ? toYamlInComment(head) : ''
  // A text that begins with a comment gets an empty head, for it would be taken for one.
  const isHeaded = yaml !== '' || sql.trimStart().startsWith('/*')
  return `${isHeaded ? `/*\n${yaml}*/\n` : ''}${sql}\n`
}

/** The definition of a question that the service shows. */
export function shownQuestion({
  name: _name,
  version: _version,
  versions: _versions,
  changed: _changed,
  by: _by,
  ...question
}: Row): Values & { readonly sql: string } {
  return { ...question, sql: String(question.sql) }
}
