import { checkLabel } from '../check/name.ts'
import { checkTableName } from '../check/table-name.ts'
import { feedView, graphDatabase, propertyTable, schemaGraph } from '../names.ts'
import type { Relation } from '../schema.ts'
import { flag, name, text, texts } from '../values.ts'
import { type Draft, findAttribute, findScalar } from './draft.ts'
import type { Part } from './part.ts'

const label = name(checkLabel)
const optionalLabel = label.optional()
const properties = texts.default([])
const update = flag.default(false)

const decodeEnd = (part: Part, draft: Draft, member: 'sub' | 'obj'): string | undefined => {
  const attribute = part.take(member, text)
  if (attribute !== undefined) findScalar(draft, attribute, part, member)
  return attribute
}

const decodeProperties = (part: Part, draft: Draft, member: string): readonly string[] => {
  const names = part.take(member, properties) ?? []
  for (const [index, name] of names.entries()) findAttribute(draft, name, part, `${member}[${index}]`)
  return [...new Set(names)]
}

const decodeRelation = (part: Part, draft: Draft): Relation | undefined => {
  const subject = decodeEnd(part, draft, 'sub')
  const object = decodeEnd(part, draft, 'obj')
  const relation = part.take('rel', label)
  const subjectLabel = part.take('sub_label', optionalLabel) ?? subject
  const objectLabel = part.take('obj_label', optionalLabel) ?? object
  const described = {
    subjectProperties: decodeProperties(part, draft, 'sub_props'),
    objectProperties: decodeProperties(part, draft, 'obj_props'),
    relationProperties: decodeProperties(part, draft, 'rel_props'),
    updateSubject: part.take('sub_updt', update) ?? false,
    updateObject: part.take('obj_updt', update) ?? false,
  }
  if (subject === undefined || object === undefined || relation === undefined) return undefined
  if (subjectLabel === undefined || objectLabel === undefined) return undefined
  return { subject, object, relation, subjectLabel, objectLabel, ...described }
}

/** `rels` */
export const decodeRelations = (draft: Draft, schema: string): readonly Relation[] =>
  draft.part.parts('rels').flatMap((part, number) => {
    const feed = feedView(propertyTable(schemaGraph(schema)), `${schema}__${draft.name}`, number)
    const tooLong = checkTableName(graphDatabase, feed)
    if (tooLong !== undefined) part.fail('', tooLong)
    return decodeRelation(part, draft) ?? []
  })
