import { z } from 'zod'
import { code, expected } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { optionalStatistics, statistics as statisticCodes } from '../codes.ts'
import type { StatisticKind, Statistics } from '../schema.ts'
import { levelDigits, quantileMember } from '../statistics/quantile-member.ts'

/** Levels of quantiles where a client names none. */
const defaultLevels: readonly number[] = [0.5, 0.9, 0.95, 0.99]
const maxLevels = 16
/** Values of TOPK where a client names no number. */
const defaultTop = 10
const maxTop = 100

const one = code(statisticCodes)
const oneOrNone = code(optionalStatistics)
const list = z
  .array(one, expected('a statistic or an array of statistics'))
  .min(1, 'must name at least one statistic')
  .max(statisticCodes.entries.length, `must have at most ${statisticCodes.entries.length} items`)

const inRange = expected('a number between 0 and 1')
const level = z
  .number(inRange)
  .gt(0, inRange)
  .lt(1, inRange)
  .refine(
    (value) => Number(value.toFixed(levelDigits)) === value,
    `must have at most ${levelDigits} digits behind the point`,
  )

const topInRange = expected(`a whole number from 1 to ${maxTop}`)

/** The members that say which statistics are kept: `stat` (of an entity `opid`), `q` of its QUANTILES, `k` of its TOPK. */
export const statisticsOnWire = z.object({
  stat: z.union([oneOrNone, list]).optional(),
  opid: z.union([one, list]),
  q: z
    .array(level, expected('an array of numbers between 0 and 1'))
    .min(1, 'must have at least one level')
    .max(maxLevels, `must have at most ${maxLevels} levels`)
    .optional(),
  k: z.number(topInRange).int(topInRange).min(1, topInRange).max(maxTop, topInRange).optional(),
})
const { shape } = statisticsOnWire

const anyList = z.array(z.unknown())

function takeKinds(object: WireObject, member: string, isOptional: boolean): readonly StatisticKind[] | undefined {
  const isList = anyList.safeParse(object.take(member, z.unknown())).success
  if (isList) {
    const taken = object.take(member, list)
    for (const [index, kind] of taken?.entries() ?? [])
      if (taken?.indexOf(kind) !== index) object.fail(`${member}[${index}]`, `${kind} is there already`)
    return taken
  }
  const kind = isOptional ? object.take(member, oneOrNone.prefault('NONE')) : object.take(member, one)
  if (kind === undefined) return undefined
  return kind === 'NONE' ? [] : [kind]
}

function takeLevels(object: WireObject): readonly number[] {
  const levels = object.take('q', shape.q) ?? defaultLevels
  for (const [index, each] of levels.entries())
    if (levels.indexOf(each) !== index) object.fail(`q[${index}]`, `${quantileMember(each)} is there already`)
  return levels
}

const rankOf = (kind: StatisticKind): number => statisticCodes.entries.findIndex(([, name]) => name === kind)

/** `isOptional`: no statistic at all is as good as any, and comes as a list without kinds. Undefined where one is wrong. */
export function takeStatistics(
  object: WireObject,
  member: 'stat' | 'opid',
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): Statistics | undefined {
  const taken = takeKinds(object, member, isOptional)
  if (taken === undefined) return undefined
  const kinds = [...new Set(taken)].sort((a, b) => rankOf(a) - rankOf(b))
  const hasQuantiles = kinds.includes('QUANTILES')
  if (!hasQuantiles && object.has('q')) object.note('q', `does nothing without QUANTILES in ${member}`)
  const hasTop = kinds.includes('TOPK')
  if (!hasTop && object.has('k')) object.note('k', `does nothing without TOPK in ${member}`)
  return {
    kinds,
    ...(hasQuantiles && { levels: takeLevels(object) }),
    ...(hasTop && { top: object.take('k', shape.k) ?? defaultTop }),
  }
}

/** Whether two lists keep the same. */
export const areSame = (a: Statistics, b: Statistics): boolean => JSON.stringify(a) === JSON.stringify(b)
