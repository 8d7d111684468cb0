import { z } from 'zod'
import { expected, text, toNumber, wholeNumber } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { isoMicroseconds } from '../../../base/instant.ts'
import { leastTime_us, leastTimeText, smallerUnitOf } from '../../../base/time-unit.ts'
import { timeWanted } from '../../../sql/query/compile/condition.ts'
import { parseWhere } from '../../../sql/query/index.ts'
import { gathered } from './decode-layout.ts'
import type { Taking } from './request.ts'

const maxRows = 1_000_000_000_000

const wrongSample = expected(
  `a share above 0, at most 1, or a whole number of rows from 2 to ${maxRows}; send 0.1 or 10000`,
)

const time = z.unknown().meta({
  anyOf: [{ type: 'integer' }, { type: 'string' }],
})

export const takingOnWire = z.object({
  where: text.optional().meta({ description: 'of a STREAM or a TABLE: the condition on its rows, as in a query' }),
  from: time.optional().meta({ description: 'of a STREAM: the first time, as 2026-11-29T12:00:00Z or microseconds' }),
  to: time.optional().meta({ description: 'of a STREAM: the first time that is not taken any more' }),
  limit: wholeNumber(1, maxRows).optional().meta({ description: 'of a STREAM: the latest rows, so many at most' }),
  sample: z
    .preprocess(toNumber, z.number(wrongSample).gt(0, wrongSample).max(maxRows, wrongSample))
    .refine((given) => given <= 1 || Number.isInteger(given), wrongSample)
    .meta({ type: 'number', exclusiveMinimum: 0, maximum: maxRows })
    .optional()
    .meta({
      description: 'of a STREAM or a TABLE: a share of the rows up to 1, or so many rows, the same ones each time',
    }),
})
const { shape } = takingOnWire

const takingMembers = ['where', 'from', 'to', 'limit', 'sample'] as const

/** Undefined where the request takes all, or a problem was found. */
export function decodeTaking(details: WireObject): Taking {
  const where = details.take('where', shape.where)
  const condition = where === undefined ? undefined : gathered(details, 'where', () => parseWhere(where))
  const [from_us, to_us] = [timeIn(details, 'from'), timeIn(details, 'to')]
  if (from_us !== undefined && to_us !== undefined && from_us >= to_us)
    details.fail('to', 'is not behind from: rows from from on, and before to, are taken')
  const limit = details.take('limit', shape.limit)
  const sample = details.take('sample', shape.sample)
  return {
    ...(where !== undefined && condition && { where: { text: where, condition } }),
    ...(from_us !== undefined && { from_us }),
    ...(to_us !== undefined && { to_us }),
    ...(limit !== undefined && { limit }),
    ...(sample !== undefined && { sample: sample <= 1 ? { share: sample } : { rows: sample } }),
  }
}

/** Refuses members that choose rows where none are chosen: they would do nothing. */
export function refuseTaking(object: WireObject, why: string): void {
  for (const member of takingMembers) if (object.take(member, z.unknown()) !== undefined) object.fail(member, why)
}

/** Refuses what only events have: records of a table stand in the order of their keys. */
export function refuseTimes(details: WireObject): void {
  const order = 'records of a table have no order in time'
  for (const [member, right] of [
    ['from', 'where compares their members'],
    ['to', 'where compares their members'],
    ['limit', 'so that none are the latest; sample takes so many of them'],
  ] as const)
    if (details.take(member, z.unknown()) !== undefined) details.fail(member, `${order}: ${right}`)
}

function timeIn(details: WireObject, member: 'from' | 'to'): number | undefined {
  const given = details.take(member, z.unknown())
  if (given === undefined) return undefined
  const isNumber = typeof given === 'number' || typeof given === 'bigint'
  const read = typeof given === 'string' ? (/^\d{1,19}$/.test(given) ? given : isoMicroseconds(given)) : given
  const us = isNumber || typeof given === 'string' ? Number(read ?? Number.NaN) : Number.NaN
  if (!Number.isSafeInteger(us) || us < 0) {
    details.fail(member, `must be ${timeWanted}`)
    return undefined
  }
  if (us >= leastTime_us) return us
  const unit = smallerUnitOf(us)
  details.fail(
    member,
    unit === undefined
      ? `is before ${leastTimeText}, the earliest time of an event; leave it out for no bound`
      : `is in microseconds since 1970; ${us} looks like ${unit.name}: write ${unit.microseconds}, or a time such as "2026-11-01T00:00:00Z"`,
  )
  return undefined
}
