import { graphExpressions, parseExpressionIn } from '../../expression/index.ts'
import { createSourceText, type SourceText } from '../../query/source-text.ts'
import type { Formula } from '../ast.ts'
import type { Cursor } from './cursor.ts'
import { parseDateFormat } from './date-format.ts'

/** The expression that `text` is, at the cursor. */
export function parseFormula(cursor: Cursor, text: string): Formula {
  const expression = parseExpressionIn(cursor.source, cursor.offset, cursor.offset + text.length, graphExpressions)
  cursor.skip(text.length)
  return { kind: 'formula', text, expression }
}

/** The expression in a string: `MATH_EXP("($A+$B)")`. A fault in it is reported at its place in the whole text. */
export function parseQuotedFormula(cursor: Cursor): Formula {
  const begin = cursor.offset
  const { value } = cursor.takeQuoted()
  const source: SourceText = {
    ...createSourceText(value),
    refusal: (offset, problem) => cursor.source.refusal(placeInQuotes(cursor.source, begin, offset), problem),
  }
  const formatted = parseDateFormat(source)
  if (formatted) return formatted
  const expression = parseExpressionIn(source, 0, value.length, graphExpressions)
  return { kind: 'formula', text: value.trim(), expression }
}

/** Where the character `offset` of a string's value is written; the string opens at `begin`. */
function placeInQuotes({ text, match }: SourceText, begin: number, offset: number): number {
  const quote = text.charAt(begin)
  const written = new RegExp(`\\\\(?:u[\\dA-Fa-f]{4}|["'\\\\/ntrbf])|${quote}${quote}|[^]`, 'y')
  let place = begin + 1
  for (let passed = 0; passed < offset; passed++) place += match(written, place).length
  return place
}
