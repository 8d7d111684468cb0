import { z } from 'zod'
import { anything, code, flag, text, texts } from '../../../base/decode/values.ts'
import { isObject, type WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { checkStreamName } from '../check/name.ts'
import { streamKinds } from '../codes.ts'
import type { ComputedAttribute, StreamKind } from '../schema.ts'
import { retention } from '../values.ts'
import { attributeOnWire, decodeAttributes } from './attributes.ts'
import { computedOnWire, decodeComputed } from './computed.ts'
import { refuseOfPosted } from './derived-computed.ts'
import type { Draft, Drafts } from './draft.ts'
import { entityOnWire } from './entities.ts'
import { filterOnWire } from './filter.ts'
import { groupByOnWire } from './group-bys.ts'
import { nodeOnWire } from './nodes.ts'
import { referenceOnWire } from './references.ts'
import { relationOnWire } from './relations.ts'
import { joinOnWire, patternOnWire } from './rules.ts'

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
    fltr: z.union([z.array(filterOnWire), filterOnWire]).optional(),
    refr: z.union([z.array(referenceOnWire), referenceOnWire]).optional(),
    join: z.union([z.array(joinOnWire), joinOnWire]).optional(),
    cepq: z.union([z.array(patternOnWire), patternOnWire]).optional(),
    node: z.union([z.array(nodeOnWire), nodeOnWire]).optional(),
    strict: flag.default(false),
  })
  .meta({ id: 'Stream' })
const { shape } = streamOnWire

/** The members that only a stream of posted, copied or made events has. */
const ofEvents = {
  catr: 'computed attributes',
  refr: 'references',
  gpby: 'group-bys',
  enty: 'entities',
  rels: 'relations',
  node: 'nodes',
  fltr: 'filters',
  join: 'joins',
  cepq: 'patterns',
}

const checkMembers = (object: WireObject, kind: StreamKind | undefined) => {
  if (kind !== 'entity') return
  for (const [member, what] of Object.entries(ofEvents)) {
    if (object.has(member)) object.fail(member, `an entity stream has no events, and so no ${what}`)
  }
}

/** Members that published clients send for functions of their users': empty ones, since no other is called. */
const isHollow = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) ? value.every(isHollow) : isObject(value) && Object.values(value).every(isHollow))

/** The members of a schema or a stream that are passed over beside those that it has. */
export const passedOver = { udfs: anything, cvar: anything }

/** Functions of users are called by their names, which is refused where it is; variables would be there for them. */
export const refuseVariables = (object: WireObject): void => {
  if (!isHollow(object.take('cvar', anything)))
    object.fail('cvar', 'computed variables need functions of users, and there are none here; catr computes attributes')
}

/** A stream by itself: its references to other streams, and to its attributes, are checked once all are known. */
export const decodeStream = (object: WireObject): Draft => {
  object.only({ ...shape, ...passedOver })
  refuseVariables(object)
  const given = object.take('name', shape.name)
  const problem = given === undefined ? undefined : checkStreamName(given)
  if (problem !== undefined) object.fail('name', problem)
  const known = object.take('type', shape.type)
  checkMembers(object, known)

  const attributes = decodeAttributes(object, known)
  const brought = new Set(attributes.keys())
  const computed = known === 'entity' ? new Map<WireObject, ComputedAttribute>() : decodeComputed(object, attributes)
  if (known === 'filter' || known === 'join') refuseOfPosted(computed, attributes)
  const isStrict = object.take('strict', shape.strict) ?? false
  if (isStrict && known !== undefined && known !== 'input') {
    object.fail('strict', 'belongs to a stream of type 1: the events of this one were taken by another')
  }
  return {
    object,
    name: given ?? '',
    kind: known,
    window: object.take('swsz', shape.swsz) ?? 0,
    ...(isStrict && { strict: isStrict }),
    inputs: object.take('inpt', shape.inpt) ?? [],
    attributes,
    computed,
    brought,
    referred: new Set(),
    others: new Set(),
  }
}

/** Streams by name; one that is there twice is a problem. */
export const indexStreams = (drafts: readonly Draft[]): Drafts => {
  const byName = new Map<string, Draft>()
  for (const draft of drafts) {
    if (byName.has(draft.name)) draft.object.fail('name', `${quoted(draft.name)} is declared twice`)
    else if (draft.name !== '') byName.set(draft.name, draft)
  }
  return byName
}
