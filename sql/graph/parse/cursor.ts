/**
 * The parser's place in a graph text. The meaning of a piece of text depends on where it stands (`s=>` begins a query, and is a
 * name's beginning in a node), so there is no stream of tokens: the parser says which text it looks for.
 */

import type { Refusal } from '../../../base/refusal.ts'
import { controlRefusal, readString, refuseHalfPairs, skipBlanks } from '../../query/lexer.ts'
import { oneOf, type SourceText, shown } from '../../query/source-text.ts'

/** Text of a label or a name that needs no quotes. */
const word = /[^\s()[\]{}"']+/y
const piece = /[^\s()[\]{}"']+|./suy
const quote = /["']/
const wordCharacter = /\w/y
const count = /[1-9]\d{0,14}(?![\w.])/y
/** Far more than a query may have columns and conditions: a text of millions is not read to its end. */
const maxPieces = 50_000
const curlyQuote = /[\u2018\u2019\u201c\u201d]/

/** A string as its value, and whether it was written with `$%` at its end. A name that ends so is written `$\u0025`. */
export type QuotedText = { readonly value: string; readonly isPrefix: boolean }

export class Cursor {
  readonly source: SourceText
  #offset = 0
  #pieces = 0
  /** Where the piece of text before begins. */
  #last: number | undefined

  constructor(source: SourceText) {
    this.source = source
  }

  /** Where the next piece starts, behind blanks. */
  get offset(): number {
    return skipBlanks(this.source, this.#offset)
  }

  get isAtEnd(): boolean {
    return this.offset === this.source.text.length
  }

  get position() {
    return this.source.positionAt(this.offset)
  }

  sees(text: string): boolean {
    return this.source.text.startsWith(text, this.offset)
  }

  accept(text: string): boolean {
    if (!this.sees(text)) return false
    this.#goTo(this.offset + text.length)
    return true
  }

  expect(text: string, hint = ''): void {
    if (!this.accept(text)) throw this.unexpected([`'${text}'`], hint)
  }

  /** Goes over text that was read as something else. */
  skip(length: number): void {
    this.#goTo(this.offset + length)
  }

  /** Whether a word of the language comes next, whole. */
  seesKeyword(word: string): boolean {
    return this.#isKeywordAt(word, this.offset)
  }

  acceptKeyword(word: string): boolean {
    return this.seesKeyword(word) && this.accept(word)
  }

  expectKeyword(word: string): void {
    if (!this.acceptKeyword(word)) throw this.unexpected([word])
  }

  seesKeywordBehindComma(word: string): boolean {
    return this.sees(',') && this.#isKeywordAt(word, skipBlanks(this.source, this.offset + 1))
  }

  /** `COUNT(`, with blanks before the bracket perhaps. */
  acceptCall(name: string): boolean {
    const open = skipBlanks(this.source, this.offset + name.length)
    if (!this.seesKeyword(name) || this.source.text.charAt(open) !== '(') return false
    return this.accept(name) && this.accept('(')
  }

  /** `; RETURN`. A semicolon that closes the text stays. */
  acceptReturn(): boolean {
    if (!this.sees(';') || !this.#isKeywordAt('RETURN', skipBlanks(this.source, this.offset + 1))) return false
    return this.accept(';') && this.accept('RETURN')
  }

  /** A whole number from 1. */
  expectCount(meaning: string): number {
    const text = this.source.match(count, this.offset)
    if (text === '') throw this.unexpected([`${meaning}, a whole number from 1`])
    this.skip(text.length)
    return Number(text)
  }

  #isKeywordAt(word: string, offset: number): boolean {
    return this.source.text.startsWith(word, offset) && !this.source.match(wordCharacter, offset + word.length)
  }

  /** The text that a sticky pattern matches; '' for nothing. */
  take(pattern: RegExp): string {
    const text = this.source.match(pattern, this.offset)
    if (text) this.#goTo(this.offset + text.length)
    return text
  }

  get seesQuote(): boolean {
    return quote.test(this.source.text.charAt(this.offset))
  }

  takeQuoted(): QuotedText {
    const { value, end } = readString(this.source, this.offset)
    const isPrefix = this.source.text.endsWith('$%', end - 1) // the text as written, so that an escape is no pattern
    this.#goTo(end)
    return { value, isPrefix }
  }

  /** Text without quotes; '' where there is none. */
  takeWord(pattern = word): string {
    const start = this.offset
    const text = this.source.match(pattern, start)
    if (curlyQuote.test(text.charAt(0))) throw this.refusal(`text goes in " or ', got ${text.charAt(0)}`)
    const control = text.search(/\p{Cc}/u)
    if (control >= 0) throw controlRefusal(this.source, start + control)
    refuseHalfPairs(this.source, start, text)
    if (text) this.#goTo(start + text.length)
    return text
  }

  #goTo(offset: number): void {
    this.#last = this.offset
    this.#offset = offset
    this.#pieces++
    if (this.#pieces > maxPieces) throw this.refusal(`a statement has at most ${maxPieces} words and signs`)
  }

  unexpected(expected: readonly string[], hint = ''): Refusal {
    const after = this.#last === undefined ? '' : ` after '${shown(this.source.text.slice(this.#last, this.#offset))}'`
    return this.refusal(`expected ${oneOf(expected)}${after}, got ${this.#described()}${hint}`)
  }

  /** The end of the text is placed right behind the last piece. */
  refusal(problem: string): Refusal {
    return this.source.refusal(this.isAtEnd ? this.#offset : this.offset, problem)
  }

  #described(): string {
    const text = this.source.match(piece, this.offset)
    if (text === '') return 'the end of the text'
    const character =
      shown(text).trim() === '' ? `U+${text.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` : shown(text)
    return `'${character}'`
  }
}
