import { maxRowLength, tooLong } from '../lines.ts'

type Take = {
  /** `column`, from 1, is where the text begins in its line. */
  readonly element: (text: string, line: number, column: number) => void
  readonly broken: (line: number, reason: string) => void
}

const opening = new Set([0x7b, 0x5b])
const closing = new Set([0x7d, 0x5d])
const [quote, backslash, lineFeed, comma, bracket, blank] = [0x22, 0x5c, 0x0a, 0x2c, 0x5d, 0x20] as const

/**
 * Cuts the elements out of pieces of one JSON array's text, whose opening bracket is taken already. It looks no deeper
 * than brackets and strings: a JSON parser reads the elements.
 */
export function cutArray({ element, broken }: Take, firstLine: number, firstColumn: number) {
  let rest = ''
  /** How much of `rest` is scanned; one more than its length after a backslash at its end. */
  let scanned = 0
  let depth = 0
  let inString = false
  let line = firstLine
  /** The places in the array's text, in characters, where `rest` and where the line begin. */
  let restOffset = 0
  let lineOffset = -firstColumn + 1
  /** Where the element that is under way begins; line 0 is none. */
  let startLine = 0
  let startColumn = 0
  let state: 'inside' | 'closed' | 'spoiled' = 'inside'
  let skipping = false

  const finish = (text: string) => {
    if (startLine > 0 && !skipping) element(text.trim(), startLine, startColumn)
    skipping = false
    startLine = 0
  }

  const push = (piece: string) => {
    const text = rest + piece
    let from = 0
    let at = scanned
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === lineFeed) {
        line += 1
        lineOffset = restOffset + at + 1
      }
      if (inString) {
        if (code === backslash) at += 1
        else if (code === quote) inString = false
        continue
      }
      if (code <= blank) continue
      if (state !== 'inside') {
        state = 'spoiled'
        break
      }
      if (depth === 0 && (code === comma || code === bracket)) {
        finish(text.slice(from, at))
        from = at + 1
        if (code === bracket) state = 'closed'
        continue
      }
      if (startLine === 0) {
        startLine = line
        startColumn = restOffset + at - lineOffset + 1
      }
      if (code === quote) inString = true
      else if (opening.has(code)) depth += 1
      else if (closing.has(code)) depth = Math.max(0, depth - 1)
    }
    const over = startLine === 0 || text.length - from > maxRowLength
    if (over && startLine > 0 && !skipping) broken(startLine, tooLong)
    skipping ||= over && startLine > 0
    rest = over ? '' : text.slice(from)
    restOffset += text.length - rest.length
    scanned = over ? Math.max(0, at - text.length) : at - from
  }

  return {
    push: (piece: string) => {
      if (state !== 'spoiled') push(piece)
    },
    end: () => {
      if (state === 'inside') broken(startLine || line, 'the array has no closing bracket')
      if (state === 'spoiled') broken(line, 'text follows the end of the array')
    },
  }
}
