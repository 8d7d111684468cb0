import type { Source, Statement } from './ast.ts'

/** The source that a statement reads or writes. */
export function sourceOf(statement: Statement): Source {
  if (statement.kind === 'insert') return statement.into
  return statement.kind === 'update' ? statement.table : statement.from
}
