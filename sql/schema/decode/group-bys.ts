import { z } from 'zod'
import { quoted } from '../../../base/quoted.ts'
import { checkDistinct, checkPattern, checkTable } from '../check/group-by.ts'
import { checkStatistic } from '../check/statistic.ts'
import { statistics } from '../codes.ts'
import type { GroupBy } from '../schema.ts'
import { code, granularity, retention, soleText, texts, unused } from '../values.ts'
import type { Draft } from './draft.ts'
import { findAttribute, findScalar } from './draft.ts'
import type { Part } from './part.ts'

/** One of `gpby`. */
export const groupByOnWire = z
  .object({
    gpat: texts,
    iatr: soleText,
    stat: code(statistics),
    gran: granularity.default(60),
    swsz: retention.default(0),
    kysz: unused,
  })
  .meta({ id: 'GroupBy' })
const { shape } = groupByOnWire

const decodePattern = (part: Part, draft: Draft): readonly string[] | undefined => {
  const pattern = part.take('gpat', shape.gpat)
  if (pattern?.length === 0) part.fail('gpat', 'must name at least one attribute')
  const seen = new Set<string>()
  for (const [index, name] of pattern?.entries() ?? []) {
    if (seen.has(name)) part.fail(`gpat[${index}]`, `${quoted(name)} is there already`)
    else findScalar(draft, name, part, `gpat[${index}]`)
    seen.add(name)
  }
  return pattern
}

const decodeGroupBy = (part: Part, draft: Draft): GroupBy | undefined => {
  part.only(shape)
  const pattern = decodePattern(part, draft)
  const input = part.take('iatr', shape.iatr)
  const statistic = part.take('stat', shape.stat)
  const seconds = part.take('gran', shape.gran)
  const kept = part.take('swsz', shape.swsz)
  part.take('kysz', shape.kysz)
  const attribute = input === undefined ? undefined : findAttribute(draft, input, part, 'iatr')
  if (input === undefined || statistic === undefined || pattern === undefined || seconds === undefined) return undefined

  const unfit = attribute && checkStatistic(statistic, attribute)
  if (unfit) part.fail('stat', unfit)
  return { pattern, input, statistic, granularity: seconds, ...(kept ? { window: kept } : {}) }
}

/** `gpby` */
export const decodeGroupBys = (draft: Draft, schema: string): readonly GroupBy[] => {
  const groups = new Map<string, GroupBy>()
  const patterns = new Map<string, string>()
  for (const part of draft.part.parts('gpby')) {
    const group = decodeGroupBy(part, draft)
    if (group === undefined) continue
    checkDistinct(part, group, groups)
    checkPattern(part, group)
    checkTable(part, schema, draft.name, group, patterns)
    groups.set(JSON.stringify([group.pattern, group.input]), group)
  }
  return [...groups.values()]
}
