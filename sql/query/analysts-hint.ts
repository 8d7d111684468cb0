import type { Token } from './lexer.ts'

/** Ends the refusal of a question that SQL knows and this language does not. `port` is where Weir answers analysts, if anywhere. */
export const analystsHint = (port: number | undefined): string =>
  `; analysts' SQL${port === undefined ? '' : ` on port ${port}`} has it: docs/analysts.md`

const words = new Set(
  `all any as asc between case cross desc distinct except exists full having ilike in inner intersect interval is join left not
  offset on order over right union using`.split(/\s+/),
)
const signs = new Set([',', '(', '+', '/', '%', '|'])

/** Whether SQL goes on with this token where our language does not. */
export function isOfSql(token: Token): boolean {
  if (token.kind === 'name') return words.has(token.text.toLowerCase())
  return (token.kind === 'symbol' || token.kind === 'stray') && signs.has(token.text)
}

/** How this language says the same. */
export const insteadOf = (token: Token): string =>
  token.kind === 'name' && token.text.toLowerCase() === 'in' ? '; write (a = 1 or a = 2)' : ''

/** Statements of SQL that read. */
export const readingWords: ReadonlySet<string> = new Set(['with', 'show', 'describe', 'desc', 'explain', 'exists'])
