import { anything } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import type { Literal, Operand } from '../../query/ast.ts'
import type { Attribute, AttributeType } from '../schema.ts'
import { type Draft, findAttribute } from './draft.ts'

const hasFields = (draft: Draft, object: string) =>
  [...draft.attributes.keys()].some((name) => name.startsWith(`${object}.`))

/** The left side of a comparison. A path into an OBJECT that declares no fields stands for whatever is there. */
export const findOperand = (
  draft: Draft,
  path: string,
  object: WireObject,
  member: string,
): Pick<Attribute, 'type'> | undefined => {
  if (path === '_pk') return { type: 'LONG' }
  const [root = ''] = path.split('.')
  if (draft.kind === 'join' && (root === '_jpk1' || (root === '_j1' && path !== root))) return { type: 'OBJECT' }
  if (path !== root && draft.attributes.get(root)?.type === 'OBJECT' && !hasFields(draft, root))
    return { type: 'OBJECT' }
  const attribute = findAttribute(draft, path, object, member)
  if (attribute?.type !== 'OBJECT' || attribute.isOpen) return attribute
  object.fail(member, `${quoted(path)} is an OBJECT; compare one of its fields`)
  return undefined
}

/** The type of what a row of a join or a pattern has beside its attributes: `_jpk1`, and in `_j1` the other event's. */
const typeInRow = (draft: Draft, path: string, object: WireObject, member: string): AttributeType | undefined => {
  const { kind, attributes, name } = draft
  if (kind !== 'join') return undefined
  if (path === '_jpk1') return 'LONG'
  if (!path.startsWith('_j1.')) return undefined
  const other = path.slice('_j1.'.length)
  const [root = ''] = other.split('.')
  if (!attributes.has(root) && !hasFields(draft, root) && !root.startsWith('_'))
    object.note(member, `is ${quoted(path)}, which no row has: ${quoted(root)} is no attribute of ${name}`)
  return attributes.get(other)?.type
}

const families: Readonly<Record<AttributeType, string>> = {
  STRING: 'text',
  LONG: 'number',
  DOUBLE: 'number',
  BOOL: 'truth',
  OBJECT: 'object',
}

/** Texts with texts, numbers with numbers; what is in an OBJECT is whatever it is. */
export const areComparable = (left: AttributeType, right: AttributeType): boolean =>
  left === 'OBJECT' || right === 'OBJECT' || families[left] === families[right]

const decodeOther = (object: WireObject, draft: Draft, type: AttributeType, path: string): Operand | undefined => {
  const other = findOperand(draft, path, object, 'val')
  if (other === undefined) return undefined
  if (type !== 'OBJECT' && families[other.type] === families[type]) return { kind: 'attribute', path }
  object.fail('val', `${quoted(path)} is ${other.type} and cannot be compared with ${type}`)
  return undefined
}

/** A literal as the type in the row reads it; one of another type is satisfied by no row, which is noted. */
const decodeInRow = (object: WireObject, value: unknown, type: AttributeType): Literal | undefined => {
  const literal = decodeLiteral(value, type, '')
  if (!('problem' in literal)) return literal
  const any = decodeLiteral(value, 'OBJECT', '')
  if ('problem' in any) return undefined
  object.note('val', `is satisfied by no row: it must be ${decoders[type][0]}, since the value in the row is ${type}`)
  return any
}

/**
 * The value that the attribute at `path`, of that type, is compared with; without `path` a statistic is. `other`: it may be
 * an attribute too.
 */
export const decodeOperand = (
  object: WireObject,
  draft: Draft,
  type: AttributeType,
  other: boolean,
  path: string | undefined,
): Operand | undefined => {
  const value = object.take('val', anything)
  if (other && typeof value === 'string' && value.startsWith('$'))
    return decodeOther(object, draft, type, value.slice(1))
  const inRow = path === undefined ? undefined : typeInRow(draft, path, object, 'key')
  const literal =
    (inRow && decodeInRow(object, value, inRow)) ??
    decodeLiteral(value, type, path === undefined ? 'a statistic is compared with it' : `the attribute is ${type}`)
  if (!('problem' in literal)) {
    if (path !== undefined && typeof value === 'string' && literal.kind === 'number' && (inRow ?? type) !== 'OBJECT') {
      object.note(
        'val',
        `is the text ${quoted(value)} and is read as the number ${literal.text}, since the attribute is ${inRow ?? type}`,
      )
    }
    return literal
  }
  object.fail('val', value === undefined ? 'is missing' : literal.problem)
  return undefined
}

const decodeText = (value: unknown): Literal | undefined =>
  typeof value === 'string' && value.isWellFormed() ? { kind: 'string', value } : undefined

const decodeBoolean = (value: unknown): Literal | undefined =>
  typeof value === 'boolean' ? { kind: 'boolean', value } : undefined

const numeric = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** Digits in a string stay as they are: so a 64-bit integer is not rounded. */
const decodeNumber = (value: unknown): Literal | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const text = String(value).trim()
  return text.length <= 400 && numeric.test(text) && Number.isFinite(Number(text))
    ? { kind: 'number', text }
    : undefined
}

const decodeAny = (value: unknown): Literal | undefined =>
  decodeText(value) ?? decodeBoolean(value) ?? decodeNumber(value)

/** The value to compare an attribute with. Within an OBJECT the type is open. */
const decoders: Readonly<Record<AttributeType, readonly [string, (value: unknown) => Literal | undefined]>> = {
  STRING: ['a string', decodeText],
  LONG: ['a number', decodeNumber],
  DOUBLE: ['a number', decodeNumber],
  BOOL: ['true or false', decodeBoolean],
  OBJECT: ['a string, a number, true or false', decodeAny],
}

const decodeLiteral = (value: unknown, type: AttributeType, since: string): Literal | { readonly problem: string } => {
  const [wanted, decode] = decoders[type]
  return decode(value) ?? { problem: `must be ${wanted}, since ${since}` }
}
