/** The condition of WHERE: `col op value` under AND, OR and brackets; AND binds tighter. */
import type { Condition } from '../ast.ts'
import { parseColumn } from './column.ts'
import type { Cursor } from './cursor.ts'
import { parseComparisons } from './value.ts'

const deepest = 64

export function parseCondition(cursor: Cursor, depth = 0): Condition {
  return joined('or', cursor, () => joined('and', cursor, () => parseTerm(cursor, depth)))
}

function joined(kind: 'and' | 'or', cursor: Cursor, parse: () => Condition): Condition {
  const terms = [parse()]
  while (cursor.acceptKeyword(kind.toUpperCase())) terms.push(parse())
  return all(kind, terms)
}

/** One term is itself, and terms of the same kind stand side by side. */
function all(kind: 'and' | 'or', terms: readonly Condition[]): Condition {
  const [first] = terms
  if (first && terms.length === 1) return first
  return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) }
}

function parseTerm(cursor: Cursor, depth: number): Condition {
  if (!cursor.sees('(')) {
    const comparisons = parseComparisons(cursor, parseColumn(cursor))
    return all(
      'and',
      comparisons.map((comparison) => ({ kind: 'compare', ...comparison })),
    )
  }
  if (depth === deepest) throw cursor.refusal(`brackets are nested more than ${deepest} deep`)
  cursor.expect('(')
  const condition = parseCondition(cursor, depth + 1)
  cursor.expect(')')
  return condition
}
