/** `DATE_FMT($x, %F)` and `DATE_FMT_TS($x, %F)` in MATH_EXP: a date as text. The format goes without quotes. */
import { graphExpressions, parseExpressionIn } from '../../expression/index.ts'
import type { SourceText } from '../../query/source-text.ts'
import type { Formula } from '../ast.ts'

const call = /\s*DATE_FMT(?:_TS)?\s*\(/iy
/** The letters that strftime has. */
const dateLetters = 'aAbBCdDeFGHIjmMpPRSTXyYzZ%'
const longest = 100

export function parseDateFormat(source: SourceText): Formula | undefined {
  const { text } = source
  const head = source.match(call, 0)
  if (head === '') return undefined
  const end = text.trimEnd().length - 1
  if (text.charAt(end) !== ')') throw source.refusal(end + 1, "expected ')' behind the format")
  const comma = firstComma(text, head.length)
  const format = comma === -1 ? '' : text.slice(comma + 1, end).trim()
  if (format === '') throw source.refusal(end, 'expected a comma and a format such as %Y-%m-%d')
  checkFormat(source, text.indexOf(format, comma + 1), format)
  return {
    kind: 'formula',
    text: text.trim(),
    expression: parseExpressionIn(source, head.length, comma, graphExpressions),
    format: { of: /_TS\s*\($/i.test(head) ? 'timestamp' : 'date', text: format },
  }
}

/** The first one outside of brackets and quotes; -1 if there is none. */
function firstComma(text: string, from: number): number {
  const marks = /\$"[^"]*"|\$'[^']*'|[(),]/g
  marks.lastIndex = from
  let depth = 0
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    if (found[0] === '(') depth++
    if (found[0] === ')') depth--
    if (found[0] === ',' && depth === 0) return found.index
  }
  return -1
}

function checkFormat(source: SourceText, offset: number, format: string): void {
  if (format.length > longest) throw source.refusal(offset, `a format has at most ${longest} characters`)
  const unknown = [...format.matchAll(/%(.?)/gsu)].find(([, letter = '']) => !letter || !dateLetters.includes(letter))
  if (unknown === undefined) return
  const known = [...dateLetters].map((letter) => `%${letter}`).join(' ')
  throw source.refusal(offset + unknown.index, `no part of a date '${unknown[0]}'; known are ${known}`)
}
