import { quoted } from '../../../base/quoted.ts'
import { hint } from '../../../base/suggest.ts'
import type { Attribute, ComputedAttribute, StreamKind } from '../schema.ts'
import type { Part } from './part.ts'

/** By name, in order; undefined where the attribute itself was sent with a fault, which is reported already. */
export type Attributes = Map<string, Attribute | undefined>

/** A stream while its schema is decoded. */
export type Draft = {
  readonly part: Part
  /** Empty where it is missing. */
  readonly name: string
  readonly kind: StreamKind | undefined
  readonly window: number
  readonly strict?: true
  readonly inputs: readonly string[]
  /** Computed ones included. Filters and entities add to those of their targets. */
  readonly attributes: Attributes
  readonly computed: readonly ComputedAttribute[]
}

/** The streams of a schema by name. */
export type Drafts = ReadonlyMap<string, Draft>

/** The attribute of that name. Where there is none, that is a problem of the member. */
export const findAttribute = (draft: Draft, name: string, part: Part, member: string): Attribute | undefined => {
  if (!draft.attributes.has(name)) {
    const advice = () => hint(name, [...draft.attributes.keys()])
    part.fail(member, () => `${quoted(name)} is no attribute of ${draft.name || 'this stream'}${advice()}`)
  }
  return draft.attributes.get(name)
}

/** The same, where only an attribute with a single value will do. */
export const findScalar = (draft: Draft, name: string, part: Part, member: string): Attribute | undefined => {
  const attribute = findAttribute(draft, name, part, member)
  if (attribute?.type !== 'OBJECT') return attribute
  part.fail(member, `${quoted(name)} is an OBJECT; use one of its fields`)
  return undefined
}
