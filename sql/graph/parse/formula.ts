import { graphExpressions, parseExpressionIn } from '../../expression/index.ts'
import { createSourceText } from '../../query/source-text.ts'
import type { Formula } from '../ast.ts'
import type { Cursor } from './cursor.ts'
import { parseDateFormat } from './date-format.ts'

/** The expression that `text` is, at the cursor. */
export function parseFormula(cursor: Cursor, text: string): Formula {
  const expression = parseExpressionIn(cursor.source, cursor.offset, cursor.offset + text.length, graphExpressions)
  cursor.skip(text.length)
  return { kind: 'formula', text, expression }
}

/** The expression in a string: `MATH_EXP("($A+$B)")`. Its places count within the string. */
export function parseQuotedFormula(cursor: Cursor): Formula {
  const { value } = cursor.takeQuoted()
  const source = createSourceText(value)
  const formatted = parseDateFormat(source)
  if (formatted) return formatted
  const expression = parseExpressionIn(source, 0, value.length, graphExpressions)
  return { kind: 'formula', text: value.trim(), expression }
}
