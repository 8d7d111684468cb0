import { z } from 'zod'
import { flag, name, text, texts } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { checkLabel } from '../check/name.ts'
import { checkTableName } from '../check/table-name.ts'
import { nodeView } from '../names.ts'
import type { NodeOfEvent } from '../schema.ts'
import { type Draft, findAttribute, findScalar } from './draft.ts'

/** One of `node`. */
export const nodeOnWire = z
  .object({
    sub: text,
    label: name(checkLabel).optional(),
    props: texts.default([]),
    updt: flag.default(false),
  })
  .meta({ id: 'NodeOfEvent', description: 'a node for each event, without a relation' })
const { shape } = nodeOnWire

const decodeNode = (object: WireObject, draft: Draft): NodeOfEvent | undefined => {
  object.only(shape)
  const subject = object.take('sub', shape.sub)
  if (subject !== undefined) findScalar(draft, subject, object, 'sub')
  const label = object.take('label', shape.label) ?? subject
  const properties = object.take('props', shape.props) ?? []
  for (const [index, property] of properties.entries()) findAttribute(draft, property, object, `props[${index}]`)
  const update = object.take('updt', shape.updt) ?? false
  if (subject === undefined || label === undefined) return undefined
  return { subject, label, properties: [...new Set(properties)], update }
}

export const decodeNodes = (draft: Draft, schema: string): readonly NodeOfEvent[] =>
  draft.object.list('node').flatMap((object, index) => {
    const tooLong = checkTableName(schema, nodeView(schema, draft.name, index))
    if (tooLong !== undefined) object.fail('', tooLong)
    return decodeNode(object, draft) ?? []
  })
