import { z } from 'zod'
import { anything, code, texts, wholeNumber } from '../../../base/decode/values.ts'
import { isObject, type WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { Refusal } from '../../../base/refusal.ts'
import { attributesOf, hasValues, parseExpression, typeOfExpression } from '../../expression/index.ts'
import { decodeCode, pairComparisons, pairOperations } from '../codes.ts'
import { numberFromText } from '../number-text.ts'
import type { AttributeType, LimitValue, PairCondition, PairTerm } from '../schema.ts'
import { operators } from './condition.ts'
import { type Draft, findValue, hasAttribute } from './draft.ts'
import { areComparable } from './operand.ts'

const operation = code(pairOperations)
const values = z.array(anything).meta({ type: 'array', items: { type: ['string', 'number', 'boolean'] } })

/** `jqry`: how two events belong together. */
export const pairOnWire = z
  .object({
    cond: texts.meta({ description: 'attributes of the other, earlier event (of the referenced row)' }),
    args: values.meta({ description: 'with which they are compared, one each' }),
    opid: operation.optional(),
    opnm: operation.optional(),
    cmp: z.array(code(pairComparisons)).optional().meta({ description: 'the comparisons; EQ where there is none' }),
    seq: wholeNumber(0, 2)
      .default(0)
      .meta({ description: '1: no event comes between the two; 2: none of the same values of the EQ attributes' }),
  })
  .meta({ id: 'PairCondition' })
const { shape } = pairOnWire

type Operation = (typeof pairOperations.entries)[number][1]
type Value = PairTerm['value']
/** The type of the other event's attribute; OBJECT: whatever it is there. Undefined where it is no attribute. */
export type TypeOfOther = (name: string, object: WireObject, member: string) => AttributeType | undefined

/** One value stands for a list of one. */
const listOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  return value === undefined || isObject(value) ? undefined : [value]
}

function decodeOperation(object: WireObject): Operation | undefined {
  const member = object.has('opid') ? 'opid' : 'opnm'
  if (!object.has(member)) return 'ATTR'
  const decoded = decodeCode(pairOperations, object.take(member, anything))
  if ('name' in decoded) return decoded.name
  object.fail(member, `${decoded.problem}; functions of users (udfs) are not called`)
  return undefined
}

const isFinite = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))

const numberOf = (value: unknown): LimitValue | undefined => {
  if (typeof value === 'string' && value.length <= 400) return numberFromText(value)
  return isFinite(value) ? value : undefined
}
const textOf = (value: unknown): LimitValue | undefined =>
  typeof value === 'string' && value.isWellFormed() ? value : undefined
const truths = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
])
const truthOf = (value: unknown): LimitValue | undefined =>
  typeof value === 'boolean' ? value : truths.get(typeof value === 'string' ? value.trim().toLowerCase() : undefined)

const literals: Readonly<
  Record<AttributeType, readonly [wanted: string, read: (value: unknown) => LimitValue | undefined]>
> = {
  STRING: ['a string', textOf],
  LONG: ['a number', numberOf],
  DOUBLE: ['a number', numberOf],
  BOOL: ['true or false', truthOf],
  OBJECT: [
    'a string, a number, true or false',
    (value) => textOf(value) ?? (isFinite(value) || typeof value === 'boolean' ? value : undefined),
  ],
}

type Place = {
  readonly object: WireObject
  readonly member: string
  readonly draft: Draft
  readonly other: string
  readonly type: AttributeType
}
type Read = (value: unknown, place: Place) => Value | undefined

const readFixed: Read = (value, { object, member, other, type }) => {
  const [wanted, read] = literals[type]
  const fixed = read(value)
  if (fixed !== undefined) return { kind: 'fixed', value: fixed }
  object.fail(member, `must be ${wanted}, since ${quoted(other)} is ${type}`)
  return undefined
}

const readAttribute: Read = (value, { object, member, draft, other, type }) => {
  if (typeof value !== 'string') {
    object.fail(member, `must be the name of an attribute of ${draft.name}; opid 12 FIXED takes a value`)
    return undefined
  }
  const attribute = findValue(draft, value, object, member)
  if (attribute === undefined) return undefined
  if (areComparable(type, attribute.type)) return { kind: 'attribute', name: value }
  object.fail(
    member,
    `${quoted(value)} is ${attribute.type} and cannot be compared with ${quoted(other)}, which is ${type}`,
  )
  return undefined
}

/** The attributes of an expression that gives a number. */
function namesIn(text: string, object: WireObject, member: string): readonly string[] | undefined {
  try {
    const expression = parseExpression(text)
    const fail = (problem: string) => object.fail(member, `MATH_EXP: ${problem}`)
    const gives = hasValues(expression) ? typeOfExpression(expression, () => 'number', fail) : 'number'
    if (gives !== 'number' && gives !== 'any') fail('gives no number')
    return attributesOf(expression)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const problem of error.problems) object.fail(member, `MATH_EXP: ${problem}`)
    return undefined
  }
}

const readExpression: Read = (value, { object, member, draft, other, type }) => {
  const text = isFinite(value) ? String(value) : textOf(value)
  if (typeof text !== 'string') {
    object.fail(member, 'must be an expression over attributes of this event, such as $speed * 2')
    return undefined
  }
  if (!areComparable(type, 'DOUBLE')) {
    object.fail(member, `is a number and cannot be compared with ${quoted(other)}, which is ${type}`)
    return undefined
  }
  const names = namesIn(text, object, member)
  if (names === undefined) return undefined
  for (const name of names) {
    const attribute = findValue(draft, name, object, member)
    if (attribute && !areComparable(attribute.type, 'DOUBLE'))
      object.fail(member, `${quoted(name)} is ${attribute.type}; an expression takes numbers`)
  }
  return { kind: 'expression', text }
}

const readers: Readonly<Record<Operation, Read>> = {
  ATTR: readAttribute,
  FIXED: readFixed,
  MATH_EXP: readExpression,
  HYBRID: (value, place) => {
    const isName = typeof value === 'string' && (value === '_pk' || hasAttribute(place.draft, value))
    return (isName ? readAttribute : readFixed)(value, place)
  },
}

function checkLengths(
  object: WireObject,
  cond: readonly string[],
  args: readonly unknown[],
  cmp: readonly unknown[],
): void {
  if (cond.length === 0) object.fail('cond', 'must name at least one attribute of the other event')
  if (cond.length !== args.length) object.fail('args', `must be as long as cond, ${cond.length}, and is ${args.length}`)
  if (cmp.length > cond.length) object.fail('cmp', `must be no longer than cond, ${cond.length}, and is ${cmp.length}`)
}

const between = ['any', 'none of the stream', 'none of the key'] as const

/** `jqry`: `draft` is the stream of this event, `typeOf` knows the other's. */
export function decodePair(object: WireObject, draft: Draft, typeOf: TypeOfOther): PairCondition | undefined {
  object.only(shape)
  const cond = object.take('cond', shape.cond)
  const args = listOf(object.take('args', anything))
  if (args === undefined) object.fail('args', object.has('args') ? 'must be an array' : 'is missing')
  const operation = decodeOperation(object)
  const cmp = listOf(object.take('cmp', anything)) ?? []
  const seq = object.take('seq', shape.seq)
  if (cond === undefined || args === undefined) return undefined
  checkLengths(object, cond, args, cmp)

  const terms = cond.map((other, index): PairTerm | undefined => {
    const type = typeOf(other, object, `cond[${index}]`)
    const compared =
      cmp[index] === undefined || cmp[index] === null
        ? { name: 'EQ' as const }
        : decodeCode(pairComparisons, cmp[index])
    if ('problem' in compared) object.fail(`cmp[${index}]`, compared.problem)
    if (type === undefined || operation === undefined || index >= args.length) return undefined
    const value = readers[operation](args[index], { object, member: `args[${index}]`, draft, other, type })
    return value && 'name' in compared ? { other, operator: operators[compared.name], value } : undefined
  })
  const known = terms.flatMap((term) => term ?? [])
  if (seq === undefined || known.length === 0 || known.length < terms.length) return undefined
  return { terms: known, between: between[seq] ?? 'any' }
}

/** Whether an event finds the other by a value that both have. */
export const isEqual = ({ operator }: PairTerm): boolean => operator === '='
