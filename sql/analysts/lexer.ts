/**
 * ClickHouse's SQL as tokens, far enough for the statements of analysts: nothing beyond ASCII outside quotes. Every token carries the text under which it is written anew, so that ClickHouse never reads a
 * character that was not understood here: comments are gone, quotes are escaped once more.
 */
import { type StatementRefusal, syntaxError } from './refusal.ts'

export type Token = {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol'
  /** The text that ClickHouse gets. */
  readonly text: string
  /** The name of a word or a quoted identifier, without its quotes. */
  readonly name: string
  /** Whether white space or a comment stood before it. */
  readonly isApart: boolean
}

/** White space, or one comment. */
const space = /[\s\u00a0\ufeff]+|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\//y
const word = /[A-Za-z_][A-Za-z0-9_]*/y
const number = /0[xX][0-9a-fA-F]+|0[bB][01]+|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const digits = /\d+/y
const symbol = /<=>|->|::|\|\||==|!=|<>|<=|>=|[-+*/%=<>:?,.;()[\]{}^]/y
const quotedText = /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`\\]|\\[\s\S]|``)*`/y

const heredoc = /\$(\w*)\$[\s\S]*?\$\1\$/y

const maxCharacters = 1024 * 1024
/** The max parts of a statement. */
const maxParts = 50_000

/** The offset at which white space and comments end that begin at `from`. */
function endOfSpace(source: string, from: number): number {
  for (let at = from; ; at = space.lastIndex) {
    space.lastIndex = at
    if (!space.test(source)) return at
  }
}

/** The word with which a statement begins, in capitals; empty where it begins with a sign. */
export function firstWord(source: string): string {
  word.lastIndex = endOfSpace(source, 0)
  return word.exec(source)?.[0].toUpperCase() ?? ''
}

export function tokenize(source: string, parts = maxParts): Token[] {
  if (source.length > maxCharacters) throw syntaxError(`the statement is longer than ${maxCharacters} characters`)
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(source)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  while (at < source.length) {
    const begin = endOfSpace(source, at)
    const isApart = begin > at
    at = begin
    if (at >= source.length) break
    if (source.startsWith('/*', at)) throw syntaxError('a comment is not closed')
    const token = takeToken(take, tokens.at(-1))
    if (!token) throw notUnderstood(source, at)
    const next: Token = { ...token, isApart }
    refuseRunTogether(tokens.at(-1), next, source[at])
    tokens.push(next)
    if (tokens.length > parts) throw syntaxError(`the statement has more than ${parts.toLocaleString('en-US')} parts`)
  }
  return tokens
}

/** The text between the two marks of a heredoc: `$$text$$`, `$mark$text$mark$`. */
function unwrapped(heredoc: string): string {
  const mark = heredoc.indexOf('$', 1) + 1
  return heredoc.slice(mark, heredoc.length - mark)
}

function notUnderstood(source: string, at: number): StatementRefusal {
  const before = /(?<!\w)\w*$/.exec(source.slice(Math.max(0, at - 64), at))?.[0] ?? ''
  const behind = /^[\p{L}\p{M}\p{N}_]+/u.exec(source.slice(at, at + 64))?.[0]
  if (behind !== undefined) {
    return syntaxError(
      `a name with letters beyond ASCII stands in quotes: "${before}${behind}" at position ${at + 1 - before.length}`,
    )
  }
  const what = `${JSON.stringify(source.slice(at, at + 20))} at position ${at + 1} is not understood`
  if (source.startsWith('#', at)) return syntaxError(`${what}: a comment begins with -- or with # and a space`)
  if (source.startsWith('@', at))
    return syntaxError(`${what}: there are no variables, {name:Type} is a parameter (param_name=)`)
  if (source.startsWith('$', at))
    return syntaxError(`${what}: {name:Type} is a parameter (param_name=), $$ begins and ends a text`)
  return syntaxError(what)
}

/** `1file` is one name to ClickHouse, and `x'...'` ends at the first quote whatever stands before it. */
function refuseRunTogether(before: Token | undefined, token: Token, following: string | undefined): void {
  if (token.kind === 'number' && following !== undefined && /\w/.test(following)) {
    throw syntaxError(`the number ${token.text} runs into ${JSON.stringify(following)}`)
  }
  if (token.isApart || (token.kind !== 'string' && token.kind !== 'quoted')) return
  if (before?.kind !== 'word') return
  const isBytes = /^[xb]$/i.test(before.name) && /^'[0-9a-fA-F]*'$/.test(token.text)
  if (!isBytes) throw syntaxError(`${before.name} runs into ${token.text.slice(0, 40)}: a space is missing`)
}

function takeToken(
  take: (pattern: RegExp) => string | undefined,
  before: Token | undefined,
): Omit<Token, 'isApart'> | undefined {
  const isMember = before?.kind === 'symbol' && before.text === '.'
  const letters = take(word)
  if (letters !== undefined) return { kind: 'word', text: letters, name: letters }
  const figure = take(isMember ? digits : number)
  if (figure !== undefined) return { kind: 'number', text: figure, name: '' }
  const between = take(quotedText)
  if (between !== undefined) return between.startsWith("'") ? string(between) : quoted(between)
  const here = take(heredoc)
  if (here !== undefined) return string(`'${unwrapped(here).replace(/[\\']/g, '\\$&')}'`)
  const sign = take(symbol)
  return sign === undefined ? undefined : { kind: 'symbol', text: sign, name: '' }
}

/** The string as ClickHouse gets it: quotes and backslashes inside stand only in pairs that begin with a backslash. */
function string(source: string): Omit<Token, 'isApart'> {
  const inside = source.slice(1, -1).replace(/\\x[0-9a-fA-F]{2}|\\[\s\S]|''|[^\P{Cc}\u007f-\u009f]/gu, (part) => {
    if (part === "''") return "\\'"
    if (/^\\x../.test(part) || /^\\[\\'bfrntave0N]$/.test(part)) return part
    if (/^\\["`/=]$/.test(part)) return part.slice(1)
    if (part.startsWith('\\')) return `\\\\${escapeControl(part.slice(1))}`
    return escapeControl(part)
  })
  return { kind: 'string', text: `'${inside}'`, name: '' }
}

const escapeControl = (text: string): string =>
  text.replace(/[^\P{Cc}\u007f-\u009f]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** A name with a quote, a backslash or a control character in it is no name that Weir gives. */
function quoted(source: string): Omit<Token, 'isApart'> {
  const mark = source[0] ?? ''
  const name = source.slice(1, -1).replaceAll(mark + mark, mark)
  if (name === '' || /[\\`\p{Cc}]/u.test(name)) {
    throw syntaxError(
      `the name ${JSON.stringify(name.slice(0, 40))} is empty, or has a backslash, a backtick or a control character`,
    )
  }
  return { kind: 'quoted', text: `\`${name}\``, name }
}
