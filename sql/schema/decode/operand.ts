import { quoted } from '../../../base/quoted.ts'
import type { Literal, Operand } from '../../query/ast.ts'
import type { Attribute, AttributeType } from '../schema.ts'
import { anything } from '../values.ts'
import { type Draft, findAttribute } from './draft.ts'
import type { WireObject } from './wire-object.ts'

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

/**
 * The value that an attribute of that type is compared with; `other`: it may be an attribute too; `isMoving`: a statistic is
 * compared with it.
 */
export const decodeOperand = (
  object: WireObject,
  draft: Draft,
  type: AttributeType,
  other: boolean,
  isMoving = false,
): Operand | undefined => {
  const value = object.take('val', anything)
  if (other && typeof value === 'string' && value.startsWith('$'))
    return decodeOther(object, draft, type, value.slice(1))
  const literal = decodeLiteral(value, type, isMoving ? 'a statistic is compared with it' : `the attribute is ${type}`)
  if (!('problem' in literal)) {
    if (!isMoving && typeof value === 'string' && literal.kind === 'number' && type !== 'OBJECT') {
      object.note(
        'val',
        `is the text ${quoted(value)} and is read as the number ${literal.text}, since the attribute is ${type}`,
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
