import { quoted } from '../../../base/quoted.ts'
import type { Operand } from '../../query/ast.ts'
import type { Attribute, AttributeType } from '../schema.ts'
import { anything } from '../values.ts'
import { type Draft, findAttribute } from './draft.ts'
import { decodeLiteral } from './literal.ts'
import type { Part } from './part.ts'

const hasFields = (draft: Draft, object: string) =>
  [...draft.attributes.keys()].some((name) => name.startsWith(`${object}.`))

/** The left side of a comparison. A path into an OBJECT that declares no fields stands for whatever is there. */
export const findOperand = (
  draft: Draft,
  path: string,
  part: Part,
  member: string,
): Pick<Attribute, 'type'> | undefined => {
  if (path === '_pk') return { type: 'LONG' }
  const [root = ''] = path.split('.')
  if (path !== root && draft.attributes.get(root)?.type === 'OBJECT' && !hasFields(draft, root))
    return { type: 'OBJECT' }
  const attribute = findAttribute(draft, path, part, member)
  if (attribute?.type !== 'OBJECT') return attribute
  part.fail(member, `${quoted(path)} is an OBJECT; compare one of its fields`)
  return undefined
}

const families: Readonly<Record<AttributeType, string>> = {
  STRING: 'text',
  LONG: 'number',
  DOUBLE: 'number',
  BOOL: 'truth',
  OBJECT: 'object',
}

const decodeOther = (part: Part, draft: Draft, type: AttributeType, path: string): Operand | undefined => {
  const other = findOperand(draft, path, part, 'val')
  if (other === undefined) return undefined
  if (type !== 'OBJECT' && families[other.type] === families[type]) return { kind: 'attribute', path }
  part.fail('val', `${quoted(path)} is ${other.type} and cannot be compared with ${type}`)
  return undefined
}

/** The value that an attribute of that type is compared with; `other`: it may be an attribute too. */
export const decodeOperand = (part: Part, draft: Draft, type: AttributeType, other: boolean): Operand | undefined => {
  const value = part.take('val', anything)
  if (other && typeof value === 'string' && value.startsWith('$')) return decodeOther(part, draft, type, value.slice(1))
  const literal = decodeLiteral(value, type)
  if (!('problem' in literal)) return literal
  part.fail('val', value === undefined ? 'is missing' : literal.problem)
  return undefined
}
