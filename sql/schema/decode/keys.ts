import { z } from 'zod'
import { anything, code, texts } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { attributeTypes } from '../codes.ts'
import type { Attribute, EntityKey } from '../schema.ts'
import { attributeName, unused } from '../values.ts'
import { type Draft, findScalar } from './draft.ts'

/** One of `pkatr`. */
export const keyOnWire = z.object({
  name: attributeName,
  type: code(attributeTypes).optional(),
  iatr: texts.optional(),
  opid: anything.optional(),
  kysz: unused,
})
const { shape } = keyOnWire

const keyOf = (name: string, input: Attribute): EntityKey => ({ name, type: input.type, inputs: [input.name] })

/** One of `pkatr`. Where `iatr` names several attributes, the key is their values as text. */
const decodeKey = (object: WireObject, draft: Draft): EntityKey | undefined => {
  object.only(shape)
  const name = object.take('name', shape.name)
  const type = object.take('type', shape.type)
  const inputs = object.take('iatr', shape.iatr) ?? []
  object.take('kysz', shape.kysz)
  if (name === undefined) return undefined
  const attributes = (inputs.length > 0 ? inputs : [name]).map((input) => findScalar(draft, input, object, 'iatr'))
  if (attributes.length > 1) {
    if (type !== undefined && type !== 'STRING')
      object.fail('type', `${type} here, and a key of several attributes is STRING`)
    if (attributes.includes(undefined)) return undefined
    return { name, type: 'STRING', inputs }
  }

  const [input] = attributes
  if (input && type !== undefined && type !== input.type) {
    object.fail('type', `${type} here, and ${quoted(input.name)} is ${input.type}`)
  }
  return input && keyOf(name, input)
}

/** Where an entity names no keys, those of its target are attributes of the stream too. */
const keysOfTarget = (object: WireObject, draft: Draft, target: Draft): readonly (EntityKey | undefined)[] => {
  const names = [...target.attributes.values()].flatMap((attribute) => (attribute?.primaryKey ? attribute.name : []))
  if (names.length === 0) object.fail('pkatr', 'must name at least one key')
  return names.map((name) => {
    const input = findScalar(draft, name, object, 'pkatr')
    return input && keyOf(name, input)
  })
}

/** `pkatr`; undefined where one of the keys has a fault. */
export const decodeKeys = (
  object: WireObject,
  draft: Draft,
  target: Draft | undefined,
): readonly EntityKey[] | undefined => {
  const given = object.objects('pkatr').map((key) => decodeKey(key, draft))
  const decoded = object.has('pkatr') || target === undefined ? given : keysOfTarget(object, draft, target)
  const keys = decoded.flatMap((key) => key ?? [])
  const seen = new Set<string>()
  for (const { name } of keys) {
    if (seen.has(name)) object.fail('pkatr', `${quoted(name)} is there twice`)
    seen.add(name)
  }
  return keys.length > 0 && keys.length === decoded.length ? keys : undefined
}
