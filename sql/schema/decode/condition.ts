import { z } from 'zod'
import { anything, code, text } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import type { Condition, Operator, Position } from '../../query/ast.ts'
import { comparisons, joinOperators, queryTypes } from '../codes.ts'
import type { RuleCondition, RuleOperand } from '../schema.ts'
import type { Draft, Drafts } from './draft.ts'
import { decodeMoving, looksMoving } from './moving.ts'
import { decodeOperand, findOperand } from './operand.ts'

type Sent = (typeof comparisons.entries)[number][1]
export const operators: Readonly<Record<Sent, Operator>> = {
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
  EQ: '=',
  NE: '!=',
}

const comparison = z.object({ key: text, cmp_op: code(comparisons), val: anything })
const join = z.object({ joinop: code(joinOperators) })

/** The members of a filter's query. */
export const conditionOnWire = z
  .object({ query: z.array(z.union([comparison, join])).min(1), qtype: code(queryTypes).prefault('VALUES') })
  .meta({ id: 'FilterQuery' })

type QueryType = (typeof queryTypes.entries)[number][1]
type Compared = Extract<RuleCondition, { readonly kind: 'compare' }>
type Side = { readonly operand: RuleOperand; readonly type: 'STRING' | 'LONG' | 'DOUBLE' | 'OBJECT' | 'BOOL' }

/** The stream whose events are compared, and the others, of which a moving value may be. */
export type Scope = { readonly draft: Draft; readonly drafts: Drafts }

function decodeKey(object: WireObject, path: string, { draft, drafts }: Scope, qtype: QueryType): Side | undefined {
  if (looksMoving(path)) {
    if (qtype === 'MOVING') {
      const operand = decodeMoving(path, draft, drafts, object, 'key')
      return operand && { operand, type: 'DOUBLE' }
    }
    object.fail('key', `${quoted(path)} is a condition over a moving time; that needs qtype 3`)
    return undefined
  }
  const attribute = findOperand(draft, path, object, 'key')
  return attribute && { operand: { kind: 'attribute', path }, type: attribute.type }
}

const pathOf = (operand: RuleOperand): string | undefined => (operand.kind === 'attribute' ? operand.path : undefined)

function decodeValue(
  object: WireObject,
  left: Side,
  { draft, drafts }: Scope,
  qtype: QueryType,
): RuleOperand | undefined {
  const sent = qtype === 'MOVING' ? object.take('val', anything) : undefined
  if (qtype !== 'MOVING' && (left.type === 'LONG' || left.type === 'DOUBLE')) {
    const value = object.take('val', anything)
    if (looksMoving(value)) {
      object.fail('val', `${quoted(value)} is a condition over a moving time; that needs qtype 3`)
      return undefined
    }
  }
  if (!looksMoving(sent)) return decodeOperand(object, draft, left.type, qtype !== 'VALUES', pathOf(left.operand))
  if (left.type === 'STRING' || left.type === 'BOOL') {
    object.fail('val', `${quoted(sent)} is a number and cannot be compared with ${left.type}`)
    return undefined
  }
  return decodeMoving(sent, draft, drafts, object, 'val')
}

function decodeComparison(object: WireObject, scope: Scope, qtype: QueryType): Compared | undefined {
  object.only(comparison.shape)
  const path = object.take('key', comparison.shape.key)
  const operator = object.take('cmp_op', comparison.shape.cmp_op)
  const left = path === undefined ? undefined : decodeKey(object, path, scope, qtype)
  const right = left && decodeValue(object, left, scope, qtype)
  if (left === undefined || operator === undefined || right === undefined) return undefined
  return { kind: 'compare', left: left.operand, operator: operators[operator], right }
}

const joined = (kind: 'and' | 'or', terms: readonly RuleCondition[]): RuleCondition => {
  const [first] = terms
  return terms.length === 1 && first !== undefined ? first : { kind, terms }
}

/** `{"query": [comparison, {"joinop"}, comparison, ...], "qtype"}`; AND binds tighter than OR. */
export const decodeCondition = (query: WireObject, scope: Scope): RuleCondition | undefined => {
  query.only(conditionOnWire.shape)
  const qtype = query.take('qtype', conditionOnWire.shape.qtype) ?? 'VALUES'
  const parts = query.objects('query')
  if (parts.length === 0) query.fail('query', 'must hold at least one comparison')
  if (parts.length > 0 && parts.length % 2 === 0) query.fail('query', 'must end with a comparison')
  const alternatives: RuleCondition[][] = [[]]
  for (const [index, object] of parts.entries()) {
    if (index % 2 === 1) {
      object.only(join.shape)
      if (object.take('joinop', join.shape.joinop) === 'OR') alternatives.push([])
      continue
    }
    const decoded = decodeComparison(object, scope, qtype)
    if (decoded) alternatives.at(-1)?.push(decoded)
  }
  return parts.length === 0
    ? undefined
    : joined(
        'or',
        alternatives.map((terms) => joined('and', terms)),
      )
}

/** A definition has no text to point into. */
const at: Position = { offset: 0, line: 1, column: 1 }

/** The same as a condition that SQL says; undefined where a moving value is in it. */
export function plainCondition(condition: RuleCondition): Condition | undefined {
  if (condition.kind === 'compare') {
    const { left, operator, right } = condition
    if (left.kind !== 'attribute' || right.kind === 'moving') return undefined
    return { kind: 'compare', path: left.path, operator, value: right, at }
  }
  const terms: Condition[] = []
  for (const each of condition.terms) {
    const term = plainCondition(each)
    if (term === undefined) return undefined
    terms.push(term)
  }
  return { kind: condition.kind, terms }
}
