/** The bodies of `POST /graph/G/node` and `/triple`: a node, and two nodes with a relation. Numbers keep all their digits. */
import { z } from 'zod'
import { type Heard, unheard } from '../../base/decode/wire-object.ts'
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

/** Hears of the members that a body has beside those of its form: they do nothing. */
export type Hears = Pick<Heard, 'unknown'>

export function decodeNode(text: string, hears: Hears = unheard): NewNode {
  return nodeIn(jsonIn(text), '', hears)
}

export type NewTripleBody = Omit<NewTriple, 'subject' | 'object'> & {
  readonly subject: NewNode
  readonly object: NewNode
}

export function decodeTriple(text: string, hears: Hears = unheard): NewTripleBody {
  const members = objectIn(jsonIn(text), 'the triple', '{sub, pred, obj}')
  const predicate = objectIn(members.get('pred'), 'pred', '{rel, prop}')
  tellOthers(members, ['sub', 'pred', 'obj'], '', hears)
  tellOthers(predicate, ['rel', 'prop'], 'pred', hears)
  return {
    subject: nodeIn(members.get('sub'), 'sub', hears),
    relation: textIn(predicate, 'rel', 'pred'),
    object: nodeIn(members.get('obj'), 'obj', hears),
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

function tellOthers(members: ReadonlyMap<string, string>, known: readonly string[], path: string, hears: Hears): void {
  for (const name of members.keys()) if (!known.includes(name)) hears.unknown(path, name, known)
}

/** The path of a node that is the whole body is empty. */
function nodeIn(json: string | undefined, path: string, hears: Hears): NewNode {
  const what = path === '' ? 'the node' : path
  const members = objectIn(json, what, '{label, name, prop}')
  tellOthers(members, ['label', 'name', 'prop'], path, hears)
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
