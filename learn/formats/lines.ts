import { invalid } from './decode-utf8.ts'
import type { Reader } from './format.ts'
import { type BrokenRow, blankLine } from './row.ts'

/** The max length of a row, in characters. A file whose rows are longer is refused, so that reading stays within bounded memory. */
export const maxRowLength = 16 * 1024 * 1024

export const tooLong = `a row has more than ${maxRowLength / 1024 / 1024} Mi characters`
export const notUtf8 = 'the row is no UTF-8'

/**
 * Cuts text at line feeds (a carriage return before one belongs to it). Lines count from 1, blank ones too; those that
 * are no UTF-8 or too long are emitted as broken and not taken.
 */
export function cutLines(
  emit: (row: BrokenRow) => void,
  take: (line: string, number: number) => void,
  blanks = false,
): Reader {
  let rest = ''
  let number = 0
  let skipping = false

  const finish = (line: string) => {
    number += 1
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (skipping) skipping = false
    else if (text.length > maxRowLength) emit({ line: number, reason: tooLong })
    else if (text.includes(invalid)) emit({ line: number, reason: notUtf8 })
    else if (blanks && text.trim() === '') emit({ line: number, reason: blankLine })
    else take(text, number)
  }

  return {
    push: (piece) => {
      let from = 0
      for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', from)) {
        finish(rest + piece.slice(from, at))
        rest = ''
        from = at + 1
      }
      rest += piece.slice(from)
      if (rest.length <= maxRowLength) return
      if (!skipping) emit({ line: number + 1, reason: tooLong })
      skipping = true
      rest = ''
    },
    end: () => {
      if (rest !== '' || skipping) finish(rest)
      rest = ''
    },
  }
}
