/**
 * expression := conjunction ('or' conjunction)*
 * conjunction := condition ('and' condition)*
 * condition  := 'not' condition | sum [('=' | '!=' | '<' | '<=' | '>' | '>=') sum]
 * sum        := product (('+' | '-') product)*
 * product    := factor (('*' | '/' | '%') factor)*
 * factor     := '-' factor | number | 'text' | true | false | $attribute | FUNCTION '(' expression (',' expression)* ')' | '(' expression ')'
 * A language says which functions there are, whether there are texts and conditions, and whether `+` may stand before a
 * factor too.
 */

import { Refusal } from '../../base/refusal.ts'
import { createSourceText, type SourceText, shown } from '../query/source-text.ts'
import type { Chain, Comparison, Expression, Operator } from './ast.ts'
import { functions } from './functions.ts'
import { type Token, tokenize } from './lexer.ts'
import { checkPattern } from './regex.ts'
import { valueFunctions } from './value-functions.ts'

/** How many operands a function takes: the least and the greatest number. */
type Arity = readonly [least: number, most: number]

export type ExpressionLanguage = {
  readonly functions: ReadonlyMap<string, { readonly arity: Arity }>
  /** Functions of no operands that go without brackets. */
  readonly constants: ReadonlySet<string>
  readonly plusSigns: boolean
  /** Whether there are texts, true and false, and conditions. */
  readonly values: boolean
}

const events: ExpressionLanguage = {
  functions: new Map([...functions, ...valueFunctions]),
  constants: new Set(),
  plusSigns: false,
  values: true,
}

const unary: Arity = [1, 1]

/** Graph queries reckon with dates too. */
export const graphExpressions: ExpressionLanguage = {
  functions: new Map([
    ...functions,
    ...['DATE', 'DATE_YEAR', 'DATE_MONTH', 'DATE_DAY'].map((name) => [name, { arity: unary }] as const),
    ['CURTIME', { arity: [0, 0] }],
  ]),
  constants: new Set(['CURTIME']),
  plusSigns: true,
  values: false,
}

const longestText = 10_000
/** Brackets, functions and signs inside each other: parsing and computing both recurse that far. */
const deepest = 100

const sums: ReadonlyMap<string, Operator> = new Map([
  ['+', '+'],
  ['-', '-'],
])
const products: ReadonlyMap<string, Operator> = new Map([
  ['*', '*'],
  ['/', '/'],
  ['%', '%'],
])

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ...(['=', '!=', '<', '<=', '>', '>='] as const).map((operator) => [operator, operator] as const),
  ['<>', '!='] as const,
])

const describe = (token: Token) => (token.kind === 'end' ? 'the end' : `'${shown(token.text)}'`)

const countOf = ([min, max]: Arity) => {
  if (max > min && max <= 3) return `${min} or ${max} operands`
  return `${max > min ? 'at least' : 'exactly'} ${min} operand${min === 1 ? '' : 's'}`
}

class Parser {
  readonly #source: SourceText
  readonly #tokens: readonly Token[]
  readonly #language: ExpressionLanguage
  #index = 0
  #depth = 0

  constructor(source: SourceText, from: number, to: number, language: ExpressionLanguage) {
    this.#source = source
    this.#tokens = tokenize(source, from, to)
    this.#language = language
  }

  whole(): Expression {
    const expression = this.#expression()
    const rest = this.#next()
    if (rest.kind !== 'end') this.#refuse(rest, `expected an operator, got ${describe(rest)}`)
    return expression
  }

  #peek(): Token {
    return this.#tokens[this.#index] ?? { kind: 'end', text: '', offset: this.#source.text.length }
  }

  #next(): Token {
    const token = this.#peek()
    this.#index += 1
    return token
  }

  #refuse(token: Token, problem: string): never {
    throw this.#source.refusal(token.offset, problem)
  }

  #expression(): Expression {
    return this.#language.values ? this.#terms('or', () => this.#terms('and', () => this.#condition())) : this.#sum()
  }

  #terms(kind: 'and' | 'or', term: () => Expression): Expression {
    const terms = [term()]
    while (this.#skipWord(kind)) terms.push(term())
    const [only, ...more] = terms
    return more.length === 0 && only ? only : { kind, terms }
  }

  #condition(): Expression {
    let isNegated = false
    while (this.#skipWord('not')) isNegated = !isNegated
    const left = this.#sum()
    const operator = comparisons.get(this.#peek().text)
    if (operator === undefined || this.#peek().kind !== 'symbol')
      return isNegated ? { kind: 'not', operand: left } : left
    this.#index += 1
    const compared: Expression = { kind: 'compare', operator, left, right: this.#sum() }
    return isNegated ? { kind: 'not', operand: compared } : compared
  }

  #skipWord(word: string): boolean {
    const { kind, text } = this.#peek()
    const isFound = kind === 'word' && text.toLowerCase() === word
    if (isFound) this.#index += 1
    return isFound
  }

  #sum(): Expression {
    return this.#chain(sums, () => this.#chain(products, () => this.#factor()))
  }

  #chain(operators: ReadonlyMap<string, Operator>, operand: () => Expression): Expression {
    const first = operand()
    const rest: Chain['rest'][number][] = []
    for (let operator = this.#operator(operators); operator; operator = this.#operator(operators)) {
      rest.push({ operator, operand: operand() })
    }
    return rest.length === 0 ? first : { kind: 'chain', first, rest }
  }

  #operator(operators: ReadonlyMap<string, Operator>): Operator | undefined {
    const token = this.#peek()
    const operator = token.kind === 'symbol' ? operators.get(token.text) : undefined
    if (operator !== undefined) this.#index += 1
    return operator
  }

  #factor(): Expression {
    const token = this.#next()
    if (this.#depth === deepest) this.#refuse(token, `nested more than ${deepest} deep`)
    this.#depth += 1
    const factor = this.#factorOf(token)
    this.#depth -= 1
    return factor
  }

  #factorOf(token: Token): Expression {
    if (token.kind === 'number') return { kind: 'number', value: this.#number(token) }
    if (token.kind === 'attribute') return { kind: 'attribute', name: nameIn(token.text) }
    if (token.kind === 'text' && this.#language.values)
      return { kind: 'text', value: token.text.slice(1, -1).replaceAll("''", "'") }
    if (token.kind === 'word') return this.#truth(token) ?? this.#call(token)
    if (token.text === '-') return { kind: 'negate', operand: this.#factor() }
    if (token.text === '+' && this.#language.plusSigns) return this.#factor()
    if (token.text !== '(') {
      this.#refuse(
        token,
        `expected a number, ${this.#language.values ? 'a text, ' : ''}an attribute as $name, a function or '(', got ${describe(token)}`,
      )
    }
    const inner = this.#expression()
    this.#expect(')')
    return inner
  }

  #truth({ text }: Token): Expression | undefined {
    const word = text.toLowerCase()
    if (!this.#language.values || (word !== 'true' && word !== 'false')) return undefined
    return { kind: 'boolean', value: word === 'true' }
  }

  #number(token: Token): number {
    const value = Number(token.text)
    return Number.isFinite(value) ? value : this.#refuse(token, `${shown(token.text)} is too large for a number`)
  }

  #call(token: Token): Expression {
    const name = token.text.toUpperCase()
    const known = this.#language.functions.get(name)
    if (known === undefined) {
      const names = [...this.#language.functions.keys()].join(', ')
      this.#refuse(token, `no function '${shown(token.text)}'; known are ${names}, and an attribute is written $name`)
    }
    if (this.#language.constants.has(name) && this.#peek().text !== '(') return { kind: 'call', name, operands: [] }
    this.#expect('(')
    const offsets: number[] = []
    const operands = this.#operands(offsets)
    const [min, max] = known.arity
    if (operands.length < min || operands.length > max) {
      this.#refuse(token, `${name} takes ${countOf(known.arity)}, got ${operands.length}`)
    }
    if (name === 'REGEX') checkPattern(operands[1], this.#source, offsets[1] ?? token.offset)
    return { kind: 'call', name, operands }
  }

  /** Notes where each begins. */
  #operands(offsets: number[]): readonly Expression[] {
    const operands: Expression[] = []
    if (this.#skip(')')) return operands
    do {
      offsets.push(this.#peek().offset)
      operands.push(this.#expression())
    } while (this.#skip(','))
    this.#expect(')')
    return operands
  }

  #skip(symbol: string): boolean {
    const found = this.#peek().text === symbol && this.#peek().kind === 'symbol'
    if (found) this.#index += 1
    return found
  }

  #expect(symbol: string): void {
    const token = this.#next()
    if (token.text !== symbol) this.#refuse(token, `expected '${symbol}', got ${describe(token)}`)
  }
}

/** The name in `$name`, or in `$"two words"`. */
const nameIn = (attribute: string): string => attribute.replace(/^\$(["']?)(.*)\1$/s, '$2')

/** Throws a Refusal with line, column and a caret under the place. */
export function parseExpression(text: string): Expression {
  return parseExpressionIn(createSourceText(text), 0, text.length, events)
}

/** The expression that a text has between two of its places. */
export function parseExpressionIn(
  source: SourceText,
  from: number,
  to: number,
  language: ExpressionLanguage,
): Expression {
  if (to - from > longestText) {
    throw new Refusal(`an expression has at most ${longestText} characters, this one has ${to - from}`)
  }
  return new Parser(source, from, to, language).whole()
}
