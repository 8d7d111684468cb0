/**
 * Tokens of the conditions of a definition: those of the query language, and durations, arithmetic and brackets beside
 * them. A dotted name is one token.
 */
import { readString } from '../../query/lexer.ts'
import { createSourceText, type SourceText, shown } from '../../query/source-text.ts'

export type Token =
  | {
      readonly kind: 'name' | 'number' | 'duration' | 'symbol'
      readonly text: string
      readonly at: number
      readonly end: number
    }
  | {
      readonly kind: 'string'
      readonly text: string
      readonly value: string
      readonly at: number
      readonly end: number
    }
  | { readonly kind: 'end'; readonly text: ''; readonly at: number; readonly end: number }

const blanks = /[ \t\r\n]*/y
const patterns = [
  ['name', /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*/y],
  ['duration', /\d{1,15}(?:\.\d{1,6})?[smhdw](?![A-Za-z0-9_.])/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.])/y],
  ['symbol', /<=|>=|<>|!=|[-+*/%(),=<>]/y],
] as const

/** A condition with more is refused before it is read. */
const longest = 100_000

export type Tokens = ReturnType<typeof createTokens>

/** A cursor over the tokens of a text. Throws a `Refusal` with line, column and caret. */
export function createTokens(text: string) {
  const source: SourceText = createSourceText(text)
  if (text.length > longest) throw source.refusal(0, `a condition has at most ${longest} characters`)
  let next = read(0)

  function read(from: number): Token {
    const at = from + source.match(blanks, from).length
    if (at === text.length) return { kind: 'end', text: '', at, end: at }
    if (text[at] === '"' || text[at] === "'") {
      const { value, end } = readString(source, at)
      return { kind: 'string', text: text.slice(at, end), value, at, end }
    }
    for (const [kind, pattern] of patterns) {
      const found = source.match(pattern, at)
      if (found !== '') return { kind, text: found, at, end: at + found.length }
    }
    throw source.refusal(at, `unexpected '${shown(text.slice(at, at + 20).split(/\s/)[0] ?? '')}'`)
  }

  const isSymbol = (symbol: string) => next.kind === 'symbol' && next.text === symbol
  const isWord = (word: string) => next.kind === 'name' && next.text.toLowerCase() === word

  function take(): Token {
    const token = next
    if (token.kind !== 'end') next = read(token.end)
    return token
  }

  const refusal = (problem: string, token: Token = next) => source.refusal(token.at, problem)

  return {
    text,
    get next(): Token {
      return next
    },
    take,
    isSymbol,
    isWord,
    refusal,
    /** The token behind the next one. */
    peek: (): Token => (next.kind === 'end' ? next : read(next.end)),
    accept: (symbol: string): boolean => isSymbol(symbol) && take() !== undefined,
    acceptWord: (word: string): boolean => isWord(word) && take() !== undefined,
    expected: (what: string) =>
      refusal(`expected ${what}, got ${next.kind === 'end' ? 'the end' : `'${shown(next.text)}'`}`),
  }
}
