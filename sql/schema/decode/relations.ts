import { z } from 'zod'
import { flag, name, text, texts } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { checkLabel } from '../check/name.ts'
import { checkTableName } from '../check/table-name.ts'
import { feedView, propertyTable, schemaGraph } from '../names.ts'
import type { Relation } from '../schema.ts'
import { type Draft, findAttribute, findScalar } from './draft.ts'

const label = name(checkLabel)
const optionalLabel = label.optional()
const properties = texts.default([])
const update = flag.default(false)

/** One of `rels`. */
export const relationOnWire = z
  .object({
    sub: text,
    obj: text,
    rel: label,
    sub_label: optionalLabel,
    obj_label: optionalLabel,
    sub_props: properties,
    obj_props: properties,
    rel_props: properties,
    sub_updt: update,
    obj_updt: update,
  })
  .meta({ id: 'Relation' })
const { shape } = relationOnWire

const decodeEnd = (object: WireObject, draft: Draft, member: 'sub' | 'obj'): string | undefined => {
  const attribute = object.take(member, shape[member])
  if (attribute !== undefined) findScalar(draft, attribute, object, member)
  return attribute
}

const decodeProperties = (
  object: WireObject,
  draft: Draft,
  member: 'sub_props' | 'obj_props' | 'rel_props',
): readonly string[] => {
  const names = object.take(member, shape[member]) ?? []
  for (const [index, name] of names.entries()) findAttribute(draft, name, object, `${member}[${index}]`)
  return [...new Set(names)]
}

const decodeRelation = (body: WireObject, draft: Draft): Relation | undefined => {
  body.only(shape)
  const subject = decodeEnd(body, draft, 'sub')
  const object = decodeEnd(body, draft, 'obj')
  const relation = body.take('rel', shape.rel)
  const subjectLabel = body.take('sub_label', shape.sub_label) ?? subject
  const objectLabel = body.take('obj_label', shape.obj_label) ?? object
  const described = {
    subjectProperties: decodeProperties(body, draft, 'sub_props'),
    objectProperties: decodeProperties(body, draft, 'obj_props'),
    relationProperties: decodeProperties(body, draft, 'rel_props'),
    updateSubject: body.take('sub_updt', shape.sub_updt) ?? false,
    updateObject: body.take('obj_updt', shape.obj_updt) ?? false,
  }
  if (subject === undefined || object === undefined || relation === undefined) return undefined
  if (subjectLabel === undefined || objectLabel === undefined) return undefined
  return { subject, object, relation, subjectLabel, objectLabel, ...described }
}

/** `rels` */
export const decodeRelations = (draft: Draft, schema: string): readonly Relation[] =>
  draft.object.objects('rels').flatMap((object, number) => {
    const feed = feedView(propertyTable(schemaGraph(schema)), `${schema}__${draft.name}`, number)
    const tooLong = checkTableName(schema, feed)
    if (tooLong !== undefined) object.fail('', tooLong)
    return decodeRelation(object, draft) ?? []
  })
