/** Values within the text of a condition. */
import type { Json } from '../../../base/json.ts'
import { quoted } from '../../query/print.ts'
import type { Tokens } from './tokens.ts'

export const comparisonWords = ['=', '!=', '>', '>=', '<', '<='] as const
export type ComparisonWord = (typeof comparisonWords)[number]

export const codeOf = { '>': 0, '>=': 1, '<': 2, '<=': 3, '=': 4, '!=': 5 } as const satisfies Record<
  ComparisonWord,
  number
>
export const nameOf = { '>': 'GT', '>=': 'GTE', '<': 'LT', '<=': 'LTE', '=': 'EQ', '!=': 'NE' } as const
export const wordOf = { GT: '>', GTE: '>=', LT: '<', LTE: '<=', EQ: '=', NE: '!=' } as const satisfies Record<
  string,
  ComparisonWord
>
/** The same comparison with its sides changed. */
export const turned = { '=': '=', '!=': '!=', '>': '<', '<': '>', '>=': '<=', '<=': '>=' } as const satisfies Record<
  ComparisonWord,
  ComparisonWord
>

export function takeComparison(tokens: Tokens): ComparisonWord {
  const said = tokens.next.kind === 'symbol' ? (tokens.next.text === '<>' ? '!=' : tokens.next.text) : ''
  const known = comparisonWords.find((each) => each === said)
  if (known === undefined) throw tokens.expected('=, !=, >, >=, < or <=')
  tokens.take()
  return known
}

/** A number that no double holds exactly is a bigint. */
export function numberOf(text: string): number | bigint {
  const value = Number(text)
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value
}

export type Literal = string | number | bigint | boolean

export const isLiteral = (value: Json | undefined): value is Literal =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value)

/** The literal that comes next; undefined where none does. */
export function acceptLiteral(tokens: Tokens): Literal | undefined {
  const { next } = tokens
  if (next.kind === 'string') {
    tokens.take()
    return next.value
  }
  if (tokens.isWord('true') || tokens.isWord('false')) return tokens.take().text.toLowerCase() === 'true'
  const isNegative = tokens.isSymbol('-') && tokens.peek().kind === 'number'
  if (isNegative) tokens.take()
  if (tokens.next.kind !== 'number') return undefined
  const { text } = tokens.take()
  const value = numberOf(isNegative ? `-${text}` : text)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw tokens.refusal(`no number is as large as ${text}`, next)
  return value
}

/** A text in single quotes, which need no escape within JSON and YAML, where it has none of its own. */
export const shownLiteral = (value: Literal): string => {
  if (typeof value !== 'string') return String(value)
  return /['\\\p{Cc}]/u.test(value) ? quoted(value) : `'${value}'`
}

/** Whether a name stands in the text of a condition as it is. */
export const isPlainName = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/.test(name) && !/^(true|false)$/i.test(name)
