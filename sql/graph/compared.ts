import type { ColumnName, Comparison, Condition } from './ast.ts'
import { referenceIn } from './references.ts'

/** The comparisons of a condition, in the order of the text. */
export const comparedIn = (condition: Condition): readonly Extract<Condition, { kind: 'compare' }>[] =>
  condition.kind === 'compare' ? [condition] : condition.terms.flatMap(comparedIn)

/** The columns that a comparison reads: the column on its left, and a column that its value names. */
export function columnsIn({ left, value }: Comparison<ColumnName>): readonly ColumnName[] {
  const reference = referenceIn(value)
  return reference === undefined ? [left] : [left, reference]
}
