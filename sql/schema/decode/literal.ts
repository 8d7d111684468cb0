import type { Literal } from '../../query/ast.ts'
import type { AttributeType } from '../schema.ts'

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

export const decodeLiteral = (value: unknown, type: AttributeType): Literal | { readonly problem: string } => {
  const [wanted, decode] = decoders[type]
  return decode(value) ?? { problem: `must be ${wanted}, since the attribute is ${type}` }
}
