import { exception } from './exceptions.ts'

/** Where a quoted text that begins at `start` ends: a backslash escapes, two quotes are two pieces side by side. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

const endAfter = (text: string, mark: string, start: number): number => {
  const found = text.indexOf(mark, start)
  return found < 0 ? text.length : found + mark.length
}

/** A server takes one statement a request; the engine alone would run all of them. */
export function checkSingle(text: string): void {
  if (!text.includes(';')) return
  const mark = /['"`;]|--|\/\*/g
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [sign] = found
    if (sign === ';') {
      if (text.slice(found.index).replace(/^[;\s]+/, '') === '') return
      throw exception(62, 'SYNTAX_ERROR', `Syntax error (Multi-statements are not allowed): ${text.slice(0, 200)}`)
    }
    if (sign === '--') mark.lastIndex = endAfter(text, '\n', found.index)
    else if (sign === '/*') mark.lastIndex = endAfter(text, '*/', found.index)
    else mark.lastIndex = endOfQuoted(text, found.index)
  }
}
