/** The bodies of `POST /graph/G/node` and `/triple`: a node, and two nodes with a relation. Numbers keep all their digits. */
import { z } from 'zod'
import { Refusal } from '../../base/refusal.ts'
import { canonicalJson, jsonMembers } from '../json/canonical.ts'
import { endOfJson } from '../query/json-text.ts'
import { createSourceText } from '../query/source-text.ts'
import type { NewNode, Properties } from './ast.ts'
import type { NewTriple } from './lines.ts'
import { propertiesIn } from './properties.ts'

const label = z.string().regex(/^[^:]+$/)
const properties = z.record(z.string(), z.unknown()).nullable().optional()

export const nodeOnWire = z.object({ label, name: z.string(), prop: properties }).meta({ id: 'Node' })
export const tripleOnWire = z
  .object({ sub: nodeOnWire, pred: z.object({ rel: z.string().min(1), prop: properties }), obj: nodeOnWire })
  .meta({ id: 'Triple' })

export function decodeNode(text: string): NewNode {
  return nodeIn(jsonIn(text), 'the node')
}

export type NewTripleBody = Omit<NewTriple, 'subject' | 'object'> & {
  readonly subject: NewNode
  readonly object: NewNode
}

export function decodeTriple(text: string): NewTripleBody {
  const members = objectIn(jsonIn(text), 'the triple', '{sub, pred, obj}')
  const predicate = objectIn(members.get('pred'), 'pred', '{rel, prop}')
  return {
    subject: nodeIn(members.get('sub'), 'sub'),
    relation: textIn(predicate, 'rel', 'pred'),
    object: nodeIn(members.get('obj'), 'obj'),
    properties: propertyIn(predicate, 'pred'),
  }
}

function jsonIn(text: string): string {
  const source = createSourceText(text)
  const begin = text.length - text.trimStart().length
  const end = endOfJson(source, begin)
  if (text.slice(end).trim() !== '') throw source.refusal(end, 'expected nothing behind the document')
  return canonicalJson(text)
}

function objectIn(json: string | undefined, what: string, form: string): ReadonlyMap<string, string> {
  if (json?.startsWith('{')) return jsonMembers(json)
  throw new Refusal(`${what} has to be an object ${form}`)
}

function nodeIn(json: string | undefined, what: string): NewNode {
  const members = objectIn(json, what, '{label, name, prop}')
  const label = textIn(members, 'label', what)
  if (label.includes(':')) throw new Refusal(`${what}: a label has no ':', got ${JSON.stringify(label)}`)
  return { label, name: textIn(members, 'name', what, true), properties: propertyIn(members, what) }
}

function textIn(members: ReadonlyMap<string, string>, name: string, what: string, mayBeEmpty = false): string {
  const json = members.get(name)
  const text = json?.startsWith('"') ? String(JSON.parse(json)) : undefined
  if (text !== undefined && !text.isWellFormed()) throw new Refusal(`${what}: ${name} has half a surrogate pair`)
  if (text === undefined) throw new Refusal(`${what}: ${name} has to be a text`)
  if (text === '' && !mayBeEmpty) throw new Refusal(`${what}: ${name} must not be empty`)
  return text
}

function propertyIn(members: ReadonlyMap<string, string>, what: string): Properties {
  const json = members.get('prop') ?? 'null'
  if (json === 'null') return []
  objectIn(json, `${what}: prop`, '{property: value}')
  return propertiesIn(json)
}
