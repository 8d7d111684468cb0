/**
 * A text in one of our languages: where things are in it, and the one message that a refusal carries
 * (line, column, the fault, the line itself, a caret under the place). Lines end in LF, CR LF or CR.
 */
import { Refusal } from '../../base/refusal.ts'
import type { Position } from './ast.ts'

const shownWidth = 80
const shownBeforeCaret = 50

export type SourceText = ReturnType<typeof createSourceText>

export function createSourceText(text: string) {
  const lineStarts = [0]
  for (const lineEnd of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(lineEnd.index + lineEnd[0].length)

  function positionAt(offset: number): Position {
    let low = 0
    let high = lineStarts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((lineStarts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { offset, line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
  }

  function excerpt({ offset, column }: Position): string {
    const start = offset - column + 1
    const end = start + text.slice(start).search(/[\r\n]|$/)
    const from = Math.max(start, Math.min(offset - shownBeforeCaret, end - shownWidth))
    const to = Math.min(end, from + shownWidth)
    const cut = from > start ? '...' : ''
    const indent = ' '.repeat(cut.length + offset - from)
    return `${cut}${visible(text.slice(from, to))}${to < end ? '...' : ''}\n${indent}^`
  }

  return {
    text,
    positionAt,

    /** The text that a sticky pattern matches at `offset`; '' for nothing. */
    match(pattern: RegExp, offset: number): string {
      pattern.lastIndex = offset
      return pattern.exec(text)?.[0] ?? ''
    },

    /** Where a global pattern matches first from `offset` on; undefined for nowhere. */
    find(pattern: RegExp, offset: number): number | undefined {
      pattern.lastIndex = offset
      return pattern.exec(text)?.index
    },

    refusal(offset: number, problem: string): Refusal {
      const position = positionAt(offset)
      return new Refusal(`line ${position.line}, column ${position.column}: ${problem}\n${excerpt(position)}`)
    },
  }
}

/** A piece of the text as a message may show it: short, and nothing in it that moves a terminal's cursor. */
export function shown(piece: string): string {
  return visible(piece.length > 40 ? `${piece.slice(0, 37)}...` : piece)
}

/** `'a', 'b' or the end` */
export function oneOf(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

/** One blank a UTF-16 unit, so that the caret stays where it is. */
function visible(piece: string): string {
  return piece.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) => ' '.repeat(character.length))
}
