import type { Comparison, Condition, Like } from '../query/ast.ts'
import { atPlace, compileCondition, type Params, type Place, type Resolve } from '../query/compile/condition.ts'
import { PlacedRefusal } from '../query/placed-refusal.ts'
import { hasWords, keyType, type Table, type TableKind } from './table.ts'
import { hasAllWords, wordsOf } from './words.ts'

/** A document that is one value. */
const values: Readonly<Record<Exclude<TableKind, 'WIDE'>, Place>> = {
  NORMAL: { kind: 'column', sql: 'doc', type: 'STRING' },
  PRIMITIVE_INT: { kind: 'column', sql: 'toInt64(doc)', type: 'LONG' },
  PRIMITIVE_LONG: { kind: 'column', sql: 'toInt64(doc)', type: 'LONG' },
  PRIMITIVE_STRING: { kind: 'column', sql: 'toFloat64(doc)', type: 'DOUBLE' },
}

/** Paths in a condition over a table: `_pk`, `_v`, and dotted paths into the document, or `doc` where it is one value. */
function recordPlaces(table: Table): Resolve {
  const key: Place = { kind: 'column', sql: '_pk', type: keyType(table) === 'Int64' ? 'LONG' : 'STRING' }
  return (path, { at }) => {
    if (path === '_pk') return key
    if (path === '_v') return { kind: 'column', sql: '_v', type: 'LONG' }
    if (table.kind === 'WIDE') return { kind: 'json', column: 'doc', path: path.split('.') }
    if (path === 'doc') return values[table.kind]
    throw new PlacedRefusal(
      at,
      `${path}: ${table.name} is a ${table.kind} table, whose documents have no members; compare _pk, _v or doc`,
    )
  }
}

const longestSearch = 100_000

/** The words that a comparison asks for; undefined where it is none with a field that has a reverse index. */
export function wordsAsked(table: Table, term: Comparison | Like): string[] | undefined {
  if (term.kind !== 'compare' || term.operator !== '=' || term.value.kind !== 'string') return undefined
  if (term.path === '_pk' || !hasWords(table, term.path)) return undefined
  if (term.value.value.length > longestSearch) {
    throw new PlacedRefusal(
      term.at,
      `${term.path} has a reverse index: a search for words has at most ${longestSearch} characters`,
    )
  }
  const words = wordsOf(term.value.value)
  if (words.length > 0) return words
  throw new PlacedRefusal(term.at, `${term.path} has a reverse index: compare it with words, such as "lake, tower"`)
}

export function compileWhere(table: Table, condition: Condition, params: Params): string {
  if ('terms' in condition) {
    const terms = condition.terms.map((term) => compileWhere(table, term, params))
    return `(${terms.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`
  }
  const words = wordsAsked(table, condition)
  if (words === undefined) return compileCondition(condition, recordPlaces(table), params)
  if (table.kind !== 'WIDE') return hasAllWords('doc', words)
  const place = { kind: 'json' as const, column: 'doc', path: condition.path.split('.') }
  return atPlace(place, condition, params, (reached) => hasAllWords(textAt(reached), words))
}

/** A text, or the texts of an array: numbers and objects have no words. */
const textAt = (reached: string): string =>
  [
    `multiIf(JSONType(${reached}) = 'String', JSONExtractString(${reached})`,
    `JSONType(${reached}) = 'Array', arrayStringConcat(${textsAt(reached)}, ' '), '')`,
  ].join(', ')

const textsAt = (reached: string): string =>
  `arrayMap(item -> JSONExtractString(item), arrayFilter(item -> startsWith(item, '"'), JSONExtractArrayRaw(${reached})))`
