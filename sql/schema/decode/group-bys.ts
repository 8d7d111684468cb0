import { z } from 'zod'
import { soleText, texts } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { checkDistinct, checkPattern, checkTable } from '../check/group-by.ts'
import { checkStatistics } from '../check/statistic.ts'
import type { GroupBy, Statistics } from '../schema.ts'
import { granularity, retention, unused } from '../values.ts'
import { type Draft, type Drafts, findAttribute, findScalar } from './draft.ts'
import { readSession, type SentSession, sessionOnWire } from './session.ts'
import { statisticsOnWire, takeStatistics } from './statistics.ts'

/** One of `gpby`. */
export const groupByOnWire = z
  .object({
    gpat: texts,
    iatr: soleText,
    stat: statisticsOnWire.shape.opid,
    q: statisticsOnWire.shape.q,
    k: statisticsOnWire.shape.k,
    gran: granularity.default(60),
    swsz: retention.default(0),
    kysz: unused,
    ...sessionOnWire,
  })
  .meta({ id: 'GroupBy' })
const { shape } = groupByOnWire

/** A group-by as it was sent, before the attributes are known that it reads. */
export type ReadGroupBy = {
  readonly object: WireObject
  readonly pattern: readonly string[] | undefined
  readonly input: string | undefined
  readonly statistics: Statistics | undefined
  readonly session: SentSession | undefined
}

function readGroupBy(object: WireObject, draft: Draft, drafts: Drafts): ReadGroupBy {
  object.only(shape)
  const pattern = object.take('gpat', shape.gpat)
  const input = object.take('iatr', shape.iatr)
  const statistics = takeStatistics(object, 'stat')
  const session = readSession(object, drafts, statistics, 'stat')
  const keys = (pattern ?? []).map((name) => ({ name, inputs: [name] }))
  const values = input === undefined || statistics === undefined ? [] : [{ input, statistics }]
  return {
    ...{ object, pattern, input, statistics },
    session: session && { object, draft, keys, values, ...session },
  }
}

/** `gpby` */
export const readGroupBys = (draft: Draft, drafts: Drafts): readonly ReadGroupBy[] =>
  draft.kind === 'entity' ? [] : draft.object.objects('gpby').map((object) => readGroupBy(object, draft, drafts))

const checkNames = ({ object, pattern }: ReadGroupBy, draft: Draft): void => {
  if (pattern?.length === 0) object.fail('gpat', 'must name at least one attribute')
  const seen = new Set<string>()
  for (const [index, name] of pattern?.entries() ?? []) {
    if (seen.has(name)) object.fail(`gpat[${index}]`, `${quoted(name)} is there already`)
    else findScalar(draft, name, object, `gpat[${index}]`)
    seen.add(name)
  }
}

const decodeGroupBy = (read: ReadGroupBy, draft: Draft): GroupBy | undefined => {
  const { object, pattern, input, statistics } = read
  checkNames(read, draft)
  const seconds = object.take('gran', shape.gran)
  const kept = object.take('swsz', shape.swsz)
  object.take('kysz', shape.kysz)
  const attribute = input === undefined ? undefined : findAttribute(draft, input, object, 'iatr')
  if (input === undefined || statistics === undefined || pattern === undefined || seconds === undefined)
    return undefined

  const unfit = attribute && checkStatistics(statistics, attribute)
  if (unfit) object.fail('stat', unfit)
  const { session } = read.session ?? {}
  return {
    ...{ pattern, input, statistics, granularity: seconds },
    ...(kept ? { window: kept } : {}),
    ...(session && { session }),
  }
}

/** Decodes them once all attributes are known. */
export const decodeGroupBys = (read: readonly ReadGroupBy[], draft: Draft, schema: string): readonly GroupBy[] => {
  const groups = new Map<string, GroupBy>()
  const patterns = new Map<string, string>()
  for (const each of read) {
    const { object } = each
    const group = decodeGroupBy(each, draft)
    if (group === undefined) continue
    checkDistinct(object, group, groups)
    checkPattern(object, group)
    checkTable(object, schema, draft.name, group, patterns)
    groups.set(JSON.stringify([group.pattern, group.input]), group)
  }
  return [...groups.values()]
}
