import type { Condition } from './ast.ts'

/** The comparisons of a condition, in the order of the text. */
export const comparedIn = (condition: Condition): readonly Extract<Condition, { kind: 'compare' }>[] =>
  condition.kind === 'compare' ? [condition] : condition.terms.flatMap(comparedIn)
