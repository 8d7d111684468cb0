import type { Condition } from './ast.ts'

/** The attributes, and members, that a condition compares. */
export const pathsOf = (condition: Condition): string[] =>
  'terms' in condition ? condition.terms.flatMap(pathsOf) : [condition.path]
