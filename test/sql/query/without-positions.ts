import type { Statement } from '../../../sql/query/index.ts'

/** The same statement written elsewhere in a text is the same statement. */
export function withoutPositions(statement: Statement): unknown {
  return JSON.parse(JSON.stringify(statement, (name, value) => (name === 'at' ? undefined : value)))
}
