import { type LanguageName, tokensOf } from './languages.ts'

/** A place of a text that is at fault, or that calls for a note. */
export type Mark = { readonly from: number; readonly to: number; readonly says: string; readonly isNote?: boolean }

/** A part of a line that looks alike: the classes of its look, and its text. */
export type Piece = { readonly text: string; readonly look: string; readonly says?: string }

/** The coloured parts of each line of a text, which together are the text. */
export function linesOf(
  language: LanguageName,
  text: string,
  marks: readonly Mark[] = [],
): readonly (readonly Piece[])[] {
  const tokens = tokensOf(language, text)
  // A problem may be of a longer text than the one that is there now; one without a length is that of a character.
  const placed = marks.map(({ from, to, ...mark }) => {
    const begin = Math.min(from, Math.max(0, text.length - 1))
    return { ...mark, from: begin, to: Math.min(Math.max(to, begin + 1), text.length) }
  })
  const cuts = new Set([...tokens, ...placed].flatMap(({ from, to }) => [from, to]))
  const edges = [...cuts].sort((a, b) => a - b)
  let [next, edge, lineFrom] = [0, 0, 0]
  return text.split('\n').map((line) => {
    const lineTo = lineFrom + line.length
    const pieces: Piece[] = []
    let from = lineFrom
    while (from < lineTo) {
      while ((edges[edge] ?? Number.POSITIVE_INFINITY) <= from) edge++
      const to = Math.min(lineTo, edges[edge] ?? lineTo)
      while ((tokens[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next++
      const token = tokens[next]
      const kind = token !== undefined && token.from <= from ? token.kind : undefined
      const mark = placed.find((each) => each.from <= from && each.to >= to)
      const look = [kind && `is-${kind}`, mark && (mark.isNote ? 'has-note' : 'has-fault')].filter(Boolean).join(' ')
      pieces.push({ text: text.slice(from, to), look, ...(mark && { says: mark.says }) })
      from = to
    }
    lineFrom = lineTo + 1
    return pieces
  })
}

/** The number of the line at a place, from 0. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length - 1
