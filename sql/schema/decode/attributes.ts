import { z } from 'zod'
import { code, text } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { attributeTypes } from '../codes.ts'
import type { StreamKind } from '../schema.ts'
import { decodeAttribute, statisticOnWire } from './attribute.ts'
import type { Attributes } from './draft.ts'

/** One of `attr`. */
export const attributeOnWire = z
  .object({
    name: text,
    type: code(attributeTypes),
    ...statisticOnWire.shape,
    get fields(): z.ZodType<readonly unknown[] | undefined> {
      return z.array(attributeOnWire).optional()
    },
  })
  .meta({ id: 'Attribute' })
const { shape } = attributeOnWire

/** A field's name counts from its OBJECT, unless it begins with the OBJECT's already. */
const dotted = (parent: string, name: string) =>
  parent === '' || name.startsWith(`${parent}.`) ? name : `${parent}.${name}`

const declare = (object: WireObject, parent: string, attributes: Attributes, parts: Map<string, WireObject>) => {
  object.only(shape)
  const given = object.take('name', shape.name)
  const type = object.take('type', shape.type)
  if (given === undefined) return
  const name = dotted(parent, given)
  if (attributes.has(name)) return object.fail('name', `${quoted(name)} is declared twice`)
  attributes.set(name, decodeAttribute(object, name, type))
  parts.set(name, object)

  if (!object.has('fields')) return
  if (type !== undefined && type !== 'OBJECT') return object.fail('fields', `belong to type 3 OBJECT, not to ${type}`)
  // Each level makes the name longer, so this bounds the depth.
  if (name.length < 64) for (const field of object.objects('fields')) declare(field, name, attributes, parts)
}

/** A name of more steps is too long, which is said elsewhere. */
const maxSteps = 100

/** The attribute that a dotted name lies in must be an OBJECT, which may stand elsewhere in the list. */
const checkParents = (name: string, object: WireObject, attributes: Attributes) => {
  const steps = name.split('.', maxSteps)
  for (let length = 1; length < steps.length; length += 1) {
    const parent = steps.slice(0, length).join('.')
    const type = attributes.get(parent)?.type
    const missing = length === 1 && !attributes.has(parent)
    if (missing || (type !== undefined && type !== 'OBJECT')) {
      return object.fail('name', `${quoted(name)} is a field; declare ${quoted(parent)} as type 3 OBJECT`)
    }
  }
}

const others = 'the events of this one were taken by another'

/** `attr`: the fields of OBJECTs become attributes with dotted names, after the OBJECT itself. */
export const decodeAttributes = (stream: WireObject, kind: StreamKind | undefined): Attributes => {
  const attributes: Attributes = new Map()
  const parts = new Map<string, WireObject>()
  for (const object of stream.objects('attr')) declare(object, '', attributes, parts)
  for (const [name, object] of parts) checkParents(name, object, attributes)
  if (kind === undefined || kind === 'input') return attributes
  for (const [name, object] of parts) {
    if (kind === 'entity' && attributes.get(name)?.statistics !== undefined)
      object.note(
        'stat',
        'does nothing: an entity stream has its values from enty of another stream, and no statistics of its own',
      )
    if (attributes.get(name)?.limits)
      object.fail('', `required, values, min and max belong to a stream of type 1: ${others}`)
  }
  return attributes
}
