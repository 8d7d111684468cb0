import { z } from 'zod'
import { quoted } from '../../../base/quoted.ts'
import { checkComputedInputs } from '../check/computed-inputs.ts'
import { checkStreamName } from '../check/name.ts'
import { streamKinds } from '../codes.ts'
import type { ComputedAttribute, StreamKind } from '../schema.ts'
import { anything, code, flag, retention, text, texts } from '../values.ts'
import { attributeOnWire, decodeAttributes } from './attributes.ts'
import { computedOnWire, decodeComputed } from './computed.ts'
import type { Draft, Drafts } from './draft.ts'
import { entityOnWire } from './entities.ts'
import { filterOnWire } from './filter.ts'
import { groupByOnWire } from './group-bys.ts'
import { isObject, type Part } from './part.ts'
import { relationOnWire } from './relations.ts'

/** An entry of a schema's `streams`. */
export const streamOnWire = z
  .object({
    name: text,
    type: code(streamKinds),
    swsz: retention.default(86_400),
    inpt: texts.default([]),
    attr: z.array(attributeOnWire).optional(),
    catr: z.array(computedOnWire).optional(),
    gpby: z.array(groupByOnWire).optional(),
    enty: z.array(entityOnWire).optional(),
    rels: z.array(relationOnWire).optional(),
    fltr: z.array(filterOnWire).optional(),
    strict: flag.default(false),
  })
  .meta({ id: 'Stream' })
const { shape } = streamOnWire

const later = { join: 'joins are', cepq: 'patterns are', refr: 'references are' }

/** The members that only a stream of posted or copied events has. */
const ofEvents = { gpby: 'group-bys', enty: 'entities', rels: 'relations', fltr: 'filters' }

const checkMembers = (part: Part, kind: StreamKind | undefined) => {
  if (kind === 'join') part.fail('type', 'joins and patterns are not supported yet')
  for (const [member, what] of Object.entries(later)) {
    if (part.has(member)) part.fail(member, `${what} not supported yet`)
  }
  if (kind !== undefined && kind !== 'input' && part.has('catr')) {
    part.fail('catr', 'computed attributes of derived streams are not supported yet')
  }
  if (kind !== 'entity') return
  for (const [member, what] of Object.entries(ofEvents)) {
    if (part.has(member)) part.fail(member, `an entity stream has no events, and so no ${what}`)
  }
}

/** Members that published clients send for functions of their users': empty ones, since no other is called. */
const isHollow = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) ? value.every(isHollow) : isObject(value) && Object.values(value).every(isHollow))

/** The members of a schema or a stream that are passed over beside those that it has. */
export const passedOver = (part: Part): Readonly<Record<string, unknown>> => ({
  udfs: anything,
  ...(isHollow(part.take('cvar', anything)) && { cvar: anything }),
})

/** A stream by itself: its references to other streams, and to its attributes, are checked once all are known. */
export const decodeStream = (part: Part): Draft => {
  part.only({ ...shape, ...later, ...passedOver(part) })
  const given = part.take('name', shape.name)
  const problem = given === undefined ? undefined : checkStreamName(given)
  if (problem !== undefined) part.fail('name', problem)
  const known = part.take('type', shape.type)
  checkMembers(part, known)

  const attributes = decodeAttributes(part, known)
  const posted = new Set(attributes.keys())
  const computed = known === 'input' ? decodeComputed(part, attributes) : new Map<Part, ComputedAttribute>()
  const isStrict = part.take('strict', shape.strict) ?? false
  if (isStrict && known !== undefined && known !== 'input') {
    part.fail('strict', 'belongs to a stream of type 1: the events of this one were taken by another')
  }
  const draft: Draft = {
    part,
    name: given ?? '',
    kind: known,
    window: part.take('swsz', shape.swsz) ?? 0,
    ...(isStrict && { strict: isStrict }),
    inputs: part.take('inpt', shape.inpt) ?? [],
    attributes,
    computed: [...computed.values()],
  }
  checkComputedInputs(draft, computed, posted)
  return draft
}

/** Streams by name; one that is there twice is a problem. */
export const indexStreams = (drafts: readonly Draft[]): Drafts => {
  const byName = new Map<string, Draft>()
  for (const draft of drafts) {
    if (byName.has(draft.name)) draft.part.fail('name', `${quoted(draft.name)} is declared twice`)
    else if (draft.name !== '') byName.set(draft.name, draft)
  }
  return byName
}
