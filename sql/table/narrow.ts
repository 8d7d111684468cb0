/**
 * The part of a condition that an index can answer. It finds all rows that match and may find more: the whole condition is
 * applied to the rows that it finds.
 */
import type { Comparison, Condition, Like } from '../query/ast.ts'
import { isInt64, type Params } from '../query/compile/condition.ts'
import { type EntryKind, entryText, indexNumber } from './entries.ts'
import { mainRows } from './records.ts'
import type { Table, TableIndex } from './table.ts'
import { wordsAsked } from './where.ts'
import { mayHoldWords } from './words.ts'

/** The rows to look at: those of one index, or the records themselves. */
export type Scope = {
  readonly sql: string
  /** Whether they stand in the order of their keys. */
  readonly inOrder: boolean
  /** Whether a page is soon full, as most of them match. */
  readonly maxMatch: boolean
}

const records = (where: Condition | undefined): Scope => ({
  sql: mainRows,
  inOrder: true,
  maxMatch: !where || terms(where).every((term) => 'path' in term && term.path === '_pk'),
})

/** Scopes that answer the condition, the best first; the last one is all records. */
export function scopesOf(table: Table, where: Condition | undefined, params: Params): Scope[] {
  if (!where || terms(where).some((term) => isEquality(term, '_pk'))) return [records(where)]
  const found = table.indexes
    .filter(({ ready }) => ready)
    .flatMap((index) => scopeOf(table, index, where, params) ?? [])
  return [...found.filter(({ inOrder }) => inOrder), ...found.filter(({ inOrder }) => !inOrder), records(where)]
}

const terms = (where: Condition): readonly Condition[] => (where.kind === 'and' ? where.terms : [where])

const isEquality = (term: Condition, path: string): boolean =>
  term.kind === 'compare' && term.path === path && term.operator === '='

function scopeOf(table: Table, index: TableIndex, where: Condition, params: Params): Scope | undefined {
  const sql = narrow(table, index, where, params)
  if (sql === undefined) return undefined
  const isOneValue = terms(where).some((term) => isEquality(term, index.path) && narrow(table, index, term, params))
  return { sql, inOrder: isOneValue, maxMatch: isOneValue }
}

function narrow(table: Table, index: TableIndex, condition: Condition, params: Params): string | undefined {
  if (!('terms' in condition)) return narrowTerm(table, index, condition, params)
  const parts = condition.terms.map((term) => narrow(table, index, term, params))
  const known = parts.filter((part) => part !== undefined)
  if (known.length === 0 || (condition.kind === 'or' && known.length < parts.length)) return undefined
  return `(${known.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`
}

/** Long texts and numbers are rounded in an entry, so a greater value may be equal there. */
const bounds: Readonly<Record<Exclude<Comparison['operator'], '!='>, string>> = {
  '=': '=',
  '>': '>=',
  '>=': '>=',
  '<': '<=',
  '<=': '<=',
}

function narrowTerm(table: Table, index: TableIndex, term: Comparison | Like, params: Params): string | undefined {
  if (term.path !== index.path || wordsAsked(table, term)) return undefined
  const among = (kind: EntryKind) => `_index = ${indexNumber(index, kind)}`
  if (term.kind === 'like') {
    return `(${among('text')} AND _number = 0 AND startsWith(_text, ${params.add(entryText(term.prefix), 'String')}))`
  }
  const { operator, value } = term
  if (operator === '!=' || value.kind === 'attribute') return undefined
  const bound = bounds[operator]
  if (value.kind === 'string') {
    return `(${among('text')} AND _text ${bound} ${params.add(entryText(value.value), 'String')} AND _number = 0)`
  }
  const [kind, number] =
    value.kind === 'boolean' ? (['truth', Number(value.value)] as const) : (['number', numberOf(value.text)] as const)
  return `(${among(kind)} AND _text = '' AND _number ${bound} ${params.add(number, 'Float64')})`
}

const numberOf = (text: string): number => (isInt64(text) ? Number(BigInt(text.replace('+', ''))) : Number(text))

/** A condition that the word index answers, true of all rows that match. */
export function narrowByWords(table: Table, condition: Condition): string | undefined {
  if ('terms' in condition) {
    const parts = condition.terms.map((term) => narrowByWords(table, term))
    const known = parts.filter((part) => part !== undefined)
    if (known.length === 0 || (condition.kind === 'or' && known.length < parts.length)) return undefined
    return `(${known.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`
  }
  const words = wordsAsked(table, condition)
  return words && mayHoldWords(table, words)
}
