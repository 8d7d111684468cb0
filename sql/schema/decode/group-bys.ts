import { z } from 'zod'
import { soleText, texts } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { checkDistinct, checkPattern, checkTable } from '../check/group-by.ts'
import { checkStatistics } from '../check/statistic.ts'
import type { GroupBy } from '../schema.ts'
import { granularity, retention, unused } from '../values.ts'
import type { Draft } from './draft.ts'
import { findAttribute, findScalar } from './draft.ts'
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
  })
  .meta({ id: 'GroupBy' })
const { shape } = groupByOnWire

const decodePattern = (object: WireObject, draft: Draft): readonly string[] | undefined => {
  const pattern = object.take('gpat', shape.gpat)
  if (pattern?.length === 0) object.fail('gpat', 'must name at least one attribute')
  const seen = new Set<string>()
  for (const [index, name] of pattern?.entries() ?? []) {
    if (seen.has(name)) object.fail(`gpat[${index}]`, `${quoted(name)} is there already`)
    else findScalar(draft, name, object, `gpat[${index}]`)
    seen.add(name)
  }
  return pattern
}

const decodeGroupBy = (object: WireObject, draft: Draft): GroupBy | undefined => {
  object.only(shape)
  const pattern = decodePattern(object, draft)
  const input = object.take('iatr', shape.iatr)
  const statistics = takeStatistics(object, 'stat')
  const seconds = object.take('gran', shape.gran)
  const kept = object.take('swsz', shape.swsz)
  object.take('kysz', shape.kysz)
  const attribute = input === undefined ? undefined : findAttribute(draft, input, object, 'iatr')
  if (input === undefined || statistics === undefined || pattern === undefined || seconds === undefined)
    return undefined

  const unfit = attribute && checkStatistics(statistics, attribute)
  if (unfit) object.fail('stat', unfit)
  return { pattern, input, statistics, granularity: seconds, ...(kept ? { window: kept } : {}) }
}

/** `gpby` */
export const decodeGroupBys = (draft: Draft, schema: string): readonly GroupBy[] => {
  const groups = new Map<string, GroupBy>()
  const patterns = new Map<string, string>()
  for (const object of draft.object.objects('gpby')) {
    const group = decodeGroupBy(object, draft)
    if (group === undefined) continue
    checkDistinct(object, group, groups)
    checkPattern(object, group)
    checkTable(object, schema, draft.name, group, patterns)
    groups.set(JSON.stringify([group.pattern, group.input]), group)
  }
  return [...groups.values()]
}
