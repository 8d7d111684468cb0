import { invalid } from './decode-utf8.ts'
import type { Reader } from './format.ts'
import { type BrokenRow, blankLine } from './row.ts'

/** The max length of a row, in characters. A file whose rows are longer is refused, so that reading stays within bounded memory. */
export const maxRowLength = 16 * 1024 * 1024

export const tooLong = `a row has more than ${maxRowLength / 1024 / 1024} Mi characters`
export const notUtf8 = 'the row is no UTF-8'

const noQuotes = /[^"]+/g
/** A quote where a text has an odd number of them. */
const oddQuote = (text: string): string => (text.replace(noQuotes, '').length % 2 === 0 ? '' : '"')

/**
 * Cuts text at line feeds (a carriage return before one belongs to it). Lines count from 1, blank ones too; those that
 * are no UTF-8 or too long are emitted as broken and not taken. `kept` is the line; of one that is too
 * long it is a quote where the line leaves a quoted cell open or closes one, and else empty.
 */
export function cutLines(
  emit: (row: BrokenRow, kept: string) => void,
  take: (line: string, number: number) => void,
  blanks = false,
): Reader {
  let rest = ''
  let number = 0
  /** Of a line that is too long, which is emitted at its end. */
  let long: string | undefined

  const finish = (line: string) => {
    number += 1
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (long !== undefined || text.length > maxRowLength) {
      emit({ line: number, reason: tooLong }, oddQuote((long ?? '') + text))
      long = undefined
    } else if (text.includes(invalid)) emit({ line: number, reason: notUtf8 }, text)
    else if (blanks && text.trim() === '') emit({ line: number, reason: blankLine }, text)
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
      if (long === undefined && rest.length <= maxRowLength) return
      long = oddQuote((long ?? '') + rest)
      rest = ''
    },
    end: () => {
      if (rest !== '' || long !== undefined) finish(rest)
      rest = ''
    },
  }
}
