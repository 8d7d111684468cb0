import type { GraphStatement } from '../../sql/graph/index.ts'
import type { Scope } from '../keys/scopes.ts'

const scopes = {
  query: ['read'],
  set: ['read'],
  create: ['write'],
  merge: ['write'],
  delete: ['write'],
  'geo index': ['write', 'define'],
} as const satisfies Record<GraphStatement['kind'], readonly Scope[]>

/** The scopes that a statement on a graph needs. */
export const scopesOf = ({ kind }: GraphStatement): readonly Scope[] => scopes[kind]
