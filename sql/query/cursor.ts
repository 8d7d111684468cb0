/** The parser's place in the text: one token ahead, and refusals that name the expected token and the present one. */
import type { Refusal } from '../../base/refusal.ts'
import { insteadOf, isOfSql } from './analysts-hint.ts'
import type { Position } from './ast.ts'
import { readToken, skipBlanks, type Token } from './lexer.ts'
import { oneOf, type SourceText, shown } from './source-text.ts'

/** Far more than a statement may have conditions: a text of millions is not read to its end. */
const maxTokens = 50_000

export class Cursor {
  readonly source: SourceText
  readonly analystsHint: string
  /** Set for a select: refusals name what reads by SQL. */
  isSelect = false
  #offset = 0
  #taken = 0
  #next: Token | undefined
  #last: Token | undefined

  constructor(source: SourceText, analystsHint: string) {
    this.source = source
    this.analystsHint = analystsHint
  }

  get next(): Token {
    this.#next ??= readToken(this.source, this.#offset)
    return this.#next
  }

  /** Where the next token starts, without reading it: the text there may not be a token (a document). */
  get offset(): number {
    return skipBlanks(this.source, this.#offset)
  }

  /** The character that the next token starts with; '' at the end. */
  get character(): string {
    return this.source.text.charAt(this.offset)
  }

  take(): Token {
    const token = this.next
    this.#taken++
    if (this.#taken > maxTokens)
      throw this.source.refusal(token.start, `a statement has at most ${maxTokens} words and signs`)
    this.#last = token
    this.#next = undefined
    this.#offset = token.end
    return token
  }

  /** Goes on from `offset`; the text before it has been read as something else than tokens. */
  jump(offset: number): void {
    this.#last = undefined
    this.#next = undefined
    this.#offset = offset
  }

  position(token: Token): Position {
    return this.source.positionAt(token.start)
  }

  /** The next token as a keyword, in lower case; '' where it cannot be one. */
  get word(): string {
    return this.next.kind === 'name' ? this.next.text.toLowerCase() : ''
  }

  acceptWord(word: string): boolean {
    if (this.word !== word) return false
    this.take()
    return true
  }

  expectWord(word: string): void {
    if (!this.acceptWord(word)) throw this.unexpected([`'${word}'`])
  }

  isSymbol(symbol: string): boolean {
    return this.next.kind === 'symbol' && this.next.text === symbol
  }

  acceptSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false
    this.take()
    return true
  }

  expectSymbol(symbol: string, ...alsoRight: string[]): void {
    if (!this.acceptSymbol(symbol)) throw this.unexpected([...alsoRight, `'${symbol}'`])
  }

  /** A dotted name, whatever it spells: no word is reserved. */
  expectName(expected = 'a name'): { text: string; token: Token } {
    const token = this.next
    if (token.kind === 'string') throw this.unexpected([`${expected} without quotes`])
    if (token.kind !== 'name') throw this.unexpected([expected])
    this.take()
    return { text: token.text, token }
  }

  takeString(): string {
    const token = this.next
    if (token.kind !== 'string') throw this.unexpectedValue([])
    this.take()
    return token.value
  }

  /** The end of the statement: at most one `;`, and nothing after it. */
  expectEnd(alsoRight: readonly string[], hint?: string): void {
    const closed = this.acceptSymbol(';')
    if (this.next.kind !== 'end') throw this.unexpected(closed ? ['nothing'] : [...alsoRight, 'the end'], hint)
  }

  unexpected(expected: readonly string[], hint = this.#hint()): Refusal {
    const after = this.#last ? ` after ${this.describe(this.#last)}` : ''
    return this.refusal(`expected ${oneOf(expected)}${after}, got ${this.describe(this.next)}${hint}`)
  }

  #hint(): string {
    const isSql = isOfSql(this.next) || (this.#last !== undefined && this.#last.kind === 'name' && isOfSql(this.#last))
    return insteadOf(this.next) + (this.isSelect && isSql ? this.analystsHint : '')
  }

  /** As `unexpected`, where text in quotes would be right too: a bare word probably lacks them. */
  unexpectedValue(alsoRight: readonly string[]): Refusal {
    const { next } = this
    const hint = next.kind === 'name' && !isOfSql(next) ? `; did you mean "${shown(next.text)}"?` : undefined
    return this.unexpected([...alsoRight, 'text in quotes'], hint)
  }

  refusal(problem: string, token = this.next): Refusal {
    return this.source.refusal(token.start, problem)
  }

  describe(token: Token): string {
    if (token.kind === 'end') return 'the end of the text'
    const text = shown(this.source.text.slice(token.start, token.end))
    return token.kind === 'string' ? text : `'${text}'`
  }
}
