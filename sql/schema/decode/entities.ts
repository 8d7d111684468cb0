import { z } from 'zod'
import { text, texts } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { checkStatistics } from '../check/statistic.ts'
import { findTarget } from '../find-stream.ts'
import type { Entity } from '../schema.ts'
import { attributeNames, clientName, unused } from '../values.ts'
import { type Draft, type Drafts, findAttribute } from './draft.ts'
import { decodeKeys, keyOnWire } from './keys.ts'
import { readSession, type SentSession, sessionOnWire } from './session.ts'
import { statisticsOnWire, takeStatistics } from './statistics.ts'
import { takeWindows, windowsOnWire } from './windows.ts'

/** One of `enty`. */
export const entityOnWire = z
  .object({
    name: clientName.optional(),
    opid: statisticsOnWire.shape.opid,
    q: statisticsOnWire.shape.q,
    k: statisticsOnWire.shape.k,
    window: windowsOnWire,
    ratr: attributeNames,
    iatr: texts,
    pkatr: z.array(keyOnWire).optional(),
    rstm: text,
    doc_buf_factor: unused,
    sync_ts: unused,
    ...sessionOnWire,
  })
  .meta({ id: 'Entity' })
const { shape } = entityOnWire

/** An entity as it was sent, before the attributes are known that it reads. */
export type ReadEntity = {
  readonly object: WireObject
  readonly statistics: Entity['statistics'] | undefined
  readonly windows: readonly number[]
  readonly results: readonly string[] | undefined
  readonly inputs: readonly string[] | undefined
  readonly target: string | undefined
  readonly session: SentSession | undefined
}

const checkInputs = (
  { object, statistics, windows }: Pick<ReadEntity, 'object' | 'statistics' | 'windows'>,
  draft: Draft,
  inputs: readonly string[],
) => {
  for (const [index, input] of inputs.entries()) {
    const attribute = findAttribute(draft, input, object, `iatr[${index}]`)
    const coarse = windows.findIndex((length) => attribute && length < attribute.granularity)
    if (attribute && coarse >= 0)
      object.note(
        `window[${coarse}]`,
        `is shorter than gran of ${input}, ${attribute.granularity} s, which is the length of its hops`,
      )
    const unfit = attribute && statistics && checkStatistics(statistics, attribute)
    if (unfit) object.fail(`iatr[${index}]`, unfit)
  }
}

/** An entity as it was sent: where it aims is known, even where the rest has a fault. */
export type SentEntity = {
  readonly object: WireObject
  readonly target: string | undefined
  readonly entity: Entity | undefined
}

/** The parts of the key by name, those of the target where the entry has none. Faults of them are found where keys are decoded. */
function keysOf(object: WireObject, target: Draft | undefined): SentSession['keys'] {
  const given = object.objects('pkatr').flatMap((key) => {
    const name = key.take('name', keyOnWire.shape.name)
    const inputs = key.take('iatr', keyOnWire.shape.iatr) ?? []
    return name === undefined ? [] : [{ name, inputs: inputs.length > 0 ? inputs : [name] }]
  })
  if (object.has('pkatr')) return given
  return [...(target?.attributes.values() ?? [])].flatMap((each) =>
    each?.primaryKey ? [{ name: each.name, inputs: [each.name] }] : [],
  )
}

const readEntity = (object: WireObject, draft: Draft, drafts: Drafts): ReadEntity => {
  object.only(shape)
  const statistics = takeStatistics(object, 'opid')
  const session = readSession(object, drafts, statistics, 'opid')
  const read = {
    object,
    statistics,
    windows: takeWindows(object, statistics),
    results: object.take('ratr', shape.ratr),
    inputs: object.take('iatr', shape.iatr),
    target: object.take('rstm', shape.rstm),
  }
  for (const member of ['doc_buf_factor', 'sync_ts'] as const) object.take(member, shape[member])
  if (session === undefined) return { ...read, session }
  const { results = [], inputs = [], target } = read
  const values = results.flatMap((name, index) => {
    const input = inputs[index]
    return input === undefined || statistics === undefined ? [] : [{ name, input, statistics }]
  })
  const keys = keysOf(object, target === undefined ? undefined : drafts.get(target))
  return { ...read, session: { object, draft, keys, values, ...session } }
}

/** `enty` */
export const readEntities = (draft: Draft, drafts: Drafts): readonly ReadEntity[] =>
  draft.kind === 'entity' ? [] : draft.object.objects('enty').map((object) => readEntity(object, draft, drafts))

const decodeEntity = (read: ReadEntity, draft: Draft, drafts: Drafts): SentEntity => {
  const { object, statistics, windows, results, inputs, target } = read
  const to = target === undefined ? undefined : findTarget(drafts, target, 'entity', object, 'rstm')
  const name = object.take('name', shape.name.default(target ?? ''))
  const keys = decodeKeys(object, draft, to)
  if (inputs) checkInputs(read, draft, inputs)
  if (results?.length === 0) object.fail('ratr', 'must name at least one attribute')
  if (results && inputs && results.length !== inputs.length) {
    object.fail('ratr', `must be as long as iatr, ${inputs.length}, and is ${results.length}`)
  }
  const isWhole = statistics && results && inputs && target !== undefined && name !== undefined && keys
  if (!isWhole) return { object, target, entity: undefined }
  const ofWindows = windows.length > 0 && { windows }
  const { session } = read.session ?? {}
  const entity = { name, statistics, ...ofWindows, results, inputs, keys, target, ...(session && { session }) }
  return { object, target, entity }
}

/** `checkTargets` checks the entities of all streams in one target together. */
export const decodeEntities = (read: readonly ReadEntity[], draft: Draft, drafts: Drafts): readonly SentEntity[] =>
  read.map((each) => decodeEntity(each, draft, drafts))
