import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { hint } from '../../../base/suggest.ts'
import type { Attribute, ComputedAttribute, StreamKind } from '../schema.ts'

/** By name, in order; undefined where the attribute itself was sent with a fault, which is reported already. */
export type Attributes = Map<string, Attribute | undefined>

/** A stream while its schema is decoded. */
export type Draft = {
  readonly object: WireObject
  /** Empty where it is missing. */
  readonly name: string
  readonly kind: StreamKind | undefined
  readonly window: number
  readonly strict?: true
  readonly inputs: readonly string[]
  /** Computed ones included. Filters, entities, references, joins and patterns add to them. */
  readonly attributes: Attributes
  /** `catr`, by the object that each was decoded from. */
  readonly computed: ReadonlyMap<WireObject, ComputedAttribute>
  /** The attributes that an event has before anything is computed: it brings them, or was made with them. */
  readonly brought: Set<string>
  /** The attributes that come with references. */
  readonly referred: Set<string>
  /** `_j1.x` for each attribute of the other event that rows which rules make for the stream have. */
  readonly others: Set<string>
}

/** The streams of a schema by name. */
export type Drafts = ReadonlyMap<string, Draft>

/** Whether it is an event's own `_pk`, or that of the other event of a row that a join or a pattern made. */
export const isTime = ({ kind }: Pick<Draft, 'kind'>, name: string): boolean =>
  name === '_pk' || (name === '_jpk1' && kind === 'join')

/**
 * Whether a stream has an attribute of that name. `_id`, by which a client names its event, is one of a stream that takes events as
 * soon as something names it: a text that is stored beside the others.
 */
export function hasAttribute({ kind, attributes, brought }: Draft, name: string): boolean {
  if (name === '_id' && kind === 'input' && !attributes.has(name)) {
    attributes.set(name, { name, type: 'STRING', granularity: 60, primaryKey: false })
    brought.add(name)
  }
  return attributes.has(name)
}

/** The attribute of that name. Where there is none, that is a problem of the member. */
export const findAttribute = (
  draft: Draft,
  name: string,
  object: WireObject,
  member: string,
): Attribute | undefined => {
  if (!hasAttribute(draft, name)) {
    const advice = () => hint(name, [...draft.attributes.keys()])
    object.fail(member, () => `${quoted(name)} is no attribute of ${draft.name || 'this stream'}${advice()}`)
  }
  return draft.attributes.get(name)
}

/** The same, where only an attribute with a single value will do. */
export const findScalar = (draft: Draft, name: string, object: WireObject, member: string): Attribute | undefined => {
  const attribute = findAttribute(draft, name, object, member)
  if (attribute?.type !== 'OBJECT') return attribute
  const advice = attribute.isOpen
    ? 'has whatever type a record has; declare it in attr with a type'
    : 'is an OBJECT; use one of its fields'
  object.fail(member, `${quoted(name)} ${advice}`)
  return undefined
}

/** The same, where `_pk` and a value of a record will do as well. */
export const findValue = (
  draft: Draft,
  name: string,
  object: WireObject,
  member: string,
): Pick<Attribute, 'type'> | undefined => {
  if (isTime(draft, name)) return { type: 'LONG' }
  const attribute = draft.attributes.get(name)
  return attribute?.isOpen ? attribute : findScalar(draft, name, object, member)
}

/** Characters of an attribute's name. */
const maxNameLength = 64

/** Of the names of a list those with the fields of their OBJECTs, in the order of the attributes. */
export const withFields = (names: readonly string[], attributes: Attributes): readonly string[] => {
  const wanted = new Set(names)
  // A name that is too long, which is said elsewhere, may have any number of steps.
  const isWanted = (name: string) =>
    wanted.has(name) ||
    (name.length < maxNameLength && name.split('.').some((_, end, steps) => wanted.has(steps.slice(0, end).join('.'))))
  return [...attributes.keys()].filter(isWanted)
}

/** An attribute as a stream has it that takes its values over from another. */
export const takenOver = (name: string, source: Attribute | undefined): Attribute | undefined =>
  source && {
    name,
    type: source.type,
    granularity: 60,
    primaryKey: false,
    ...(source.isOpen && { isOpen: source.isOpen }),
  }
