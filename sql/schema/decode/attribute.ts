import { z } from 'zod'
import { anything, flag } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { checkAttributeName } from '../check/name.ts'
import { checkStatistics } from '../check/statistic.ts'
import type { Attribute, AttributeType } from '../schema.ts'
import { granularity, unused } from '../values.ts'
import { decodeLimits, limitsOnWire } from './limits.ts'
import { statisticsOnWire, takeStatistics } from './statistics.ts'

const interval = granularity.default(60)
const primaryKey = flag.default(false)

/** The members that an attribute of `attr` and one of `catr` share on the wire. */
export const statisticOnWire = z.object({
  stat: statisticsOnWire.shape.stat,
  q: statisticsOnWire.shape.q,
  k: statisticsOnWire.shape.k,
  gran: interval,
  pk: primaryKey,
  kysz: unused,
  sidx: unused,
  ridx: anything.optional(),
  ...limitsOnWire.shape,
})
const { shape } = statisticOnWire

/** The service's own members that a schema may declare. */
const ownTypes = new Map<string, AttributeType>([
  ['_pk', 'LONG'],
  ['_id', 'STRING'],
])

/** One of `attr`, a field of an OBJECT, or an entry of `catr`, once its name and type are known. */
export const decodeAttribute = (
  object: WireObject,
  name: string,
  type: AttributeType | undefined,
): Attribute | undefined => {
  const problem = checkAttributeName(name)
  if (problem !== undefined) object.fail('name', problem)
  const statistics = takeStatistics(object, 'stat', { isOptional: true })
  const seconds = object.take('gran', shape.gran)
  const isKey = object.take('pk', shape.pk)
  for (const member of ['kysz', 'sidx'] as const) object.take(member, shape[member])
  if (type === undefined || statistics === undefined || seconds === undefined || isKey === undefined) return undefined

  const own = ownTypes.get(name)
  if (own !== undefined && own !== type) object.fail('type', `${name} is ${own}`)
  if (isKey && type === 'OBJECT') object.fail('pk', 'an OBJECT is no key; use one of its fields')
  const limits = decodeLimits(object, name, type)
  const attribute = { name, type, granularity: seconds, primaryKey: isKey, ...(limits && { limits }) }
  if (statistics.kinds.length === 0) return attribute
  const unfit = checkStatistics(statistics, { name, type })
  if (unfit !== undefined) object.fail('stat', unfit)
  return { ...attribute, statistics }
}
