import { attributesOf, compileExpression, parseExpression } from '../../../sql/expression/index.ts'
import type { Operator } from '../../../sql/query/ast.ts'
import type { PairTerm, Stream } from '../../../sql/schema/schema.ts'
import { toNumber } from '../../events/computed/values.ts'
import { type ReadEvent, readScalar } from '../../events/places.ts'
import type { Scalar } from '../../events/values.ts'

/** The side of a term that belongs to the event that comes in. */
export function readOperand(stream: Stream, { value }: PairTerm): ReadEvent {
  if (value.kind === 'fixed') return () => value.value
  if (value.kind === 'attribute') return readScalar(stream, value.name)
  const parsed = parseExpression(value.text)
  const evaluate = compileExpression(parsed)
  const readers = new Map(attributesOf(parsed).map((name) => [name, readScalar(stream, name)]))
  return (event) => {
    const result = evaluate((name) => toNumber(readers.get(name)?.(event)))
    return Number.isFinite(result) ? result : undefined
  }
}

export type SplitTerm = { readonly other: string; readonly operator: Operator; readonly read: ReadEvent }

/** A condition, split by the way in which each term is met: as a key, by the row alone, or by comparing both events. */
export type SplitCondition = {
  /** Equalities: each fixes one attribute of the row; in the order of the attributes' names. */
  readonly keys: readonly SplitTerm[]
  /** Terms of the row alone: a row that fails one is never found. */
  readonly fixed: readonly { readonly other: string; readonly operator: Operator; readonly value: Scalar }[]
  readonly rest: readonly SplitTerm[]
}

/** `stream` is that of the event that comes in. */
export function splitCondition(terms: readonly PairTerm[], stream: Stream): SplitCondition {
  const split = (term: PairTerm): SplitTerm => ({
    other: term.other,
    operator: term.operator,
    read: readOperand(stream, term),
  })
  // Without an equality all rows of the stream are gone through, and count toward the bound.
  if (!terms.some(({ operator }) => operator === '=')) return { keys: [], fixed: [], rest: terms.map(split) }
  const keys = new Map<string, SplitTerm>()
  const rest: SplitTerm[] = []
  const fixed = terms.flatMap(({ other, operator, value }) =>
    value.kind === 'fixed' ? [{ other, operator, value: value.value }] : [],
  )
  for (const term of terms) {
    if (term.value.kind === 'fixed') continue
    if (term.operator === '=' && !keys.has(term.other)) keys.set(term.other, split(term))
    else rest.push(split(term))
  }
  const inOrder = [...keys.values()].sort((a, b) => (a.other < b.other ? -1 : 1))
  return { keys: inOrder, fixed, rest }
}
