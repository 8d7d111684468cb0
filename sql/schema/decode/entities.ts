import { z } from 'zod'
import { checkStatistic } from '../check/statistic.ts'
import { statistics } from '../codes.ts'
import { findTarget } from '../find-stream.ts'
import type { Entity } from '../schema.ts'
import { attributeNames, clientName, code, text, texts, unused } from '../values.ts'
import { type Draft, type Drafts, findAttribute } from './draft.ts'
import { decodeKeys, keyOnWire } from './keys.ts'
import type { Part } from './part.ts'

/** One of `enty`. */
export const entityOnWire = z
  .object({
    name: clientName.optional(),
    opid: code(statistics),
    ratr: attributeNames,
    iatr: texts,
    pkatr: z.array(keyOnWire).optional(),
    rstm: text,
    doc_buf_factor: unused,
    sync_ts: unused,
  })
  .meta({ id: 'Entity' })
const { shape } = entityOnWire

const checkInputs = (
  part: Part,
  draft: Draft,
  statistic: Entity['statistic'] | undefined,
  inputs: readonly string[],
) => {
  for (const [index, input] of inputs.entries()) {
    const attribute = findAttribute(draft, input, part, `iatr[${index}]`)
    const unfit = attribute && statistic && checkStatistic(statistic, attribute)
    if (unfit) part.fail(`iatr[${index}]`, unfit)
  }
}

/** An entity as it was sent, before the attributes are known that it reads. */
export type ReadEntity = {
  readonly part: Part
  readonly statistic: Entity['statistic'] | undefined
  readonly results: readonly string[] | undefined
  readonly inputs: readonly string[] | undefined
  readonly target: string | undefined
}

/** An entity as it was sent: where it aims is known, even where the rest has a fault. */
export type SentEntity = {
  readonly part: Part
  readonly target: string | undefined
  readonly entity: Entity | undefined
}

const readEntity = (part: Part): ReadEntity => {
  part.only(shape)
  const read = {
    part,
    statistic: part.take('opid', shape.opid),
    results: part.take('ratr', shape.ratr),
    inputs: part.take('iatr', shape.iatr),
    target: part.take('rstm', shape.rstm),
  }
  for (const member of ['doc_buf_factor', 'sync_ts'] as const) part.take(member, shape[member])
  return read
}

/** `enty` */
export const readEntities = ({ kind, part }: Draft): readonly ReadEntity[] =>
  kind === 'entity' ? [] : part.parts('enty').map(readEntity)

const decodeEntity = (
  { part, statistic, results, inputs, target }: ReadEntity,
  draft: Draft,
  drafts: Drafts,
): SentEntity => {
  const to = target === undefined ? undefined : findTarget(drafts, target, 'entity', part, 'rstm')
  const name = part.take('name', shape.name.default(target ?? ''))
  const keys = decodeKeys(part, draft, to)
  if (inputs) checkInputs(part, draft, statistic, inputs)
  if (results?.length === 0) part.fail('ratr', 'must name at least one attribute')
  if (results && inputs && results.length !== inputs.length) {
    part.fail('ratr', `must be as long as iatr, ${inputs.length}, and is ${results.length}`)
  }
  const isWhole = statistic && results && inputs && target !== undefined && name !== undefined && keys
  return { part, target, entity: isWhole ? { name, statistic, results, inputs, keys, target } : undefined }
}

/** `checkTargets` checks the entities of all streams in one target together. */
export const decodeEntities = (read: readonly ReadEntity[], draft: Draft, drafts: Drafts): readonly SentEntity[] =>
  read.map((each) => decodeEntity(each, draft, drafts))
