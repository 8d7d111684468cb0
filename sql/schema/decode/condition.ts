import { z } from 'zod'
import type { Comparison, Condition, Operator, Position } from '../../query/ast.ts'
import { comparisons, joinOperators, queryTypes } from '../codes.ts'
import { anything, code, text } from '../values.ts'
import type { Draft } from './draft.ts'
import { decodeOperand, findOperand } from './operand.ts'
import type { Part } from './part.ts'

type Sent = (typeof comparisons.entries)[number][1]
const operators: Readonly<Record<Sent, Operator>> = { GT: '>', GTE: '>=', LT: '<', LTE: '<=', EQ: '=', NE: '!=' }

const comparison = z.object({ key: text, cmp_op: code(comparisons), val: anything })
const join = z.object({ joinop: code(joinOperators) })

/** The members of a filter's query. */
export const conditionOnWire = z
  .object({ query: z.array(z.union([comparison, join])).min(1), qtype: code(queryTypes).prefault('VALUES') })
  .meta({ id: 'FilterQuery' })

/** A definition has no text to point into. */
const at: Position = { offset: 0, line: 1, column: 1 }

const decodeComparison = (part: Part, draft: Draft, other: boolean): Comparison | undefined => {
  part.only(comparison.shape)
  const path = part.take('key', comparison.shape.key)
  const operator = part.take('cmp_op', comparison.shape.cmp_op)
  const attribute = path === undefined ? undefined : findOperand(draft, path, part, 'key')
  const value = attribute && decodeOperand(part, draft, attribute.type, other)
  if (path === undefined || operator === undefined || value === undefined) return undefined
  return { kind: 'compare', path, operator: operators[operator], value, at }
}

const joined = (kind: 'and' | 'or', terms: readonly Condition[]): Condition => {
  const [first] = terms
  return terms.length === 1 && first !== undefined ? first : { kind, terms }
}

/** `{"query": [comparison, {"joinop"}, comparison, ...], "qtype"}`; AND binds tighter than OR. */
export const decodeCondition = (query: Part, draft: Draft): Condition | undefined => {
  query.only(conditionOnWire.shape)
  const other = query.take('qtype', conditionOnWire.shape.qtype) === 'ATTRIBUTES'
  const parts = query.parts('query')
  if (parts.length === 0) query.fail('query', 'must hold at least one comparison')
  if (parts.length > 0 && parts.length % 2 === 0) query.fail('query', 'must end with a comparison')
  const alternatives: Condition[][] = [[]]
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) {
      part.only(join.shape)
      if (part.take('joinop', join.shape.joinop) === 'OR') alternatives.push([])
      continue
    }
    const comparison = decodeComparison(part, draft, other)
    if (comparison) alternatives.at(-1)?.push(comparison)
  }
  return parts.length === 0
    ? undefined
    : joined(
        'or',
        alternatives.map((terms) => joined('and', terms)),
      )
}
