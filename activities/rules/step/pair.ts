import { attributesOf, compileExpression, parseExpression } from '../../../sql/expression/index.ts'
import { attributeOf } from '../../../sql/schema/columns.ts'
import type { PairCondition, PairTerm, Stream } from '../../../sql/schema/schema.ts'
import { comparisons, compileKey } from '../../events/compare.ts'
import type { Scalar } from '../../events/values.ts'
import type { CurrentEvent } from './current-event.ts'
import { placeOf, type Read, scalarRead } from './read.ts'
import type { EventCodec, RememberedEvent } from './remembered.ts'

/** The key of an event; undefined where one of its values is missing, so that no event can meet it. */
export type KeyOf = (current: CurrentEvent) => string | undefined

/** Whether the terms that are in no key hold for a remembered event and this one. */
export type Meets = (remembered: RememberedEvent, current: CurrentEvent) => boolean

/** The attributes of the other event that terms of a condition read. */
export const namesOfOther = ({ terms }: PairCondition, isRead: (term: PairTerm) => boolean): string[] =>
  terms.filter(isRead).map(({ other }) => other)

/** Whether a term is part of the key under which the other event is found. */
export const isKeyed = ({ operator }: PairTerm): boolean => operator === '='

/** Keys have the same order of terms on both sides of a rule, however each of them lists its own. */
const keyedTerms = ({ terms }: PairCondition, stream: Stream, other: Stream): PairTerm[] => {
  const nameOf = (term: PairTerm): string => nameOfKeyed(term, stream, other)
  return terms.filter(isKeyed).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

function nameOfKeyed(term: PairTerm, stream: Stream, other: Stream): string {
  const [left, right] = [`${other.name}.${term.other}`, `${stream.name}.${written(term.value)}`]
  return stream.name < other.name ? `${right} ${left}` : `${left} ${right}`
}

/** One text for the same keys of two streams, whichever of them says so. */
export const keyedNames = (condition: PairCondition, stream: Stream, other: Stream): string =>
  keyedTerms(condition, stream, other)
    .map((term) => nameOfKeyed(term, stream, other))
    .join('&')

const written = (value: PairTerm['value']): string =>
  value.kind === 'attribute' ? value.name : value.kind === 'fixed' ? `=${value.value}` : `(${value.text}`

/** The key under which this event, which triggers, finds the other one. */
export const compileKeyOfThis = (condition: PairCondition, stream: Stream, other: Stream): KeyOf =>
  compileKey(keyedTerms(condition, stream, other).map((term) => valueRead(term, stream, other)))

/** The key under which the other event is found: `condition` is of the stream that triggers. */
export const compileKeyOfOther = (condition: PairCondition, stream: Stream, other: Stream): KeyOf =>
  compileKey(keyedTerms(condition, stream, other).map((term) => scalarRead(placeOf(other, term.other))))

/** Compiles the terms that `isKept` says, all of them if it is absent; undefined where there are none. */
export function compileMeets(
  condition: PairCondition,
  stream: Stream,
  other: Stream,
  codec: EventCodec,
  isTested: (term: PairTerm) => boolean = () => true,
): Meets | undefined {
  const terms = condition.terms.filter(isTested).map((term) => ({
    read: valueRead(term, stream, other),
    otherValue: codec.scalar(term.other),
    satisfies: comparisons[term.operator],
  }))
  if (terms.length === 0) return undefined
  return (remembered, current) =>
    terms.every(({ read, otherValue, satisfies }) => {
      const value = read(current)
      const before = otherValue(remembered)
      return value !== undefined && before !== undefined && satisfies(before, value)
    })
}

/** The terms that are in no key. */
export const compileFurther = (
  condition: PairCondition,
  stream: Stream,
  other: Stream,
  codec: EventCodec,
): Meets | undefined => compileMeets(condition, stream, other, codec, (term) => !isKeyed(term))

function valueRead({ other: name, value }: PairTerm, stream: Stream, other: Stream): Read {
  if (value.kind === 'attribute') return scalarRead(placeOf(stream, value.name))
  if (value.kind === 'expression') return expressionRead(value.text, stream)
  const fixed = fixedValue(value.value, attributeOf(other, name)?.type === 'DOUBLE')
  return () => fixed
}

function fixedValue(value: Scalar, isDouble: boolean): Scalar {
  if (isDouble && typeof value === 'bigint') return Number(value)
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function expressionRead(text: string, stream: Stream): Read {
  const parsed = parseExpression(text)
  const evaluate = compileExpression(parsed)
  const reads = new Map(attributesOf(parsed).map((name) => [name, scalarRead(placeOf(stream, name))]))
  return (current) =>
    evaluate((name) => {
      const value = reads.get(name)?.(current)
      if (typeof value === 'bigint') return Number(value)
      return typeof value === 'number' ? value : undefined
    })
}
