/** The schedule of a saved question, as `PUT /saved/N` takes it: times, and where each answer goes. */
import { z } from 'zod'
import { text, wholeNumber } from '../../base/decode/values.ts'
import type { WireObject } from '../../base/decode/wire-object.ts'
import { isObject, type Json } from '../../base/json.ts'
import { hint } from '../../base/suggest.ts'

/** The forms of an answer's rows. */
export const formats = ['JSON', 'JSONEachRow', 'CSV', 'Parquet', 'Arrow'] as const
export type Format = (typeof formats)[number]

export type Schedule = {
  /** The five fields of crontab. */
  readonly cron: string
  readonly tz: string
  readonly format: Format
  /** A template of notifications, or a place in a bucket: one of the two. */
  readonly notf?: number
  readonly into?: { readonly bucket: string; readonly key: string }
  readonly params: { readonly [name: string]: Json }
}

const maxSchedules = 20
const maxText = 500

export const scheduleOnWire = z.object({
  cron: z.string().meta({ description: 'the five fields of crontab, such as 0 6 * * MON' }),
  tz: z.string().optional().meta({ description: 'of the fields, such as Europe/Berlin; UTC if absent' }),
  format: z.enum(formats).optional().meta({ description: 'of the file; CSV if absent' }),
  notf: z.int().min(0).optional().meta({ description: 'the template of notifications that is sent the answer' }),
  into: z.object({ bucket: z.string(), key: z.string() }).optional().meta({
    description: 'the object that the answer becomes; {date}, {hour} and {minute} in its key are of the due time',
  }),
  params: z.record(z.string(), z.unknown()).optional().meta({ description: 'values of parameters' }),
})

const short = text.min(1, 'must not be empty').max(maxText, `must be at most ${maxText} characters long`)

/** The blanks of a key that a due time fills. */
export const blanks = ['date', 'hour', 'minute'] as const

export function decodeSchedules(question: WireObject, wire: Json | undefined): Schedule[] {
  if (wire === undefined || wire === null) return []
  if (!Array.isArray(wire)) {
    question.fail('schedule', 'must be a list, such as [{"cron": "0 6 * * MON", "notf": 7}]')
    return []
  }
  const decoded = question.objects('schedule', maxSchedules).map((object, n) => decodeSchedule(object, wire[n]))
  const texts = decoded.map((each) =>
    JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
  if (new Set(texts).size < texts.length) question.fail('schedule', 'has one entry twice')
  return decoded
}

function decodeSchedule(object: WireObject, wire: Json | undefined): Schedule {
  const members = isObject(wire) ? wire : {}
  const names = Object.keys(scheduleOnWire.shape)
  for (const name of Object.keys(members))
    if (!names.includes(name)) object.fail(name, `is unknown${hint(name, names)}`)
  const cron = object.take('cron', short) ?? ''
  const tz = object.take('tz', short.default('UTC')) ?? 'UTC'
  const format = object.take('format', z.enum(formats, `must be one of ${formats.join(', ')}`).default('CSV')) ?? 'CSV'
  const notf = object.take('notf', wholeNumber(0, Number.MAX_SAFE_INTEGER).optional())
  const into = members.into === undefined || members.into === null ? undefined : object.object('into')
  if ((notf === undefined) === (into === undefined))
    object.fail('notf', 'or into says where the answer goes: one of the two')
  const bucket = into?.take('bucket', short) ?? ''
  const key = into?.take('key', short) ?? ''
  for (const [, blank = ''] of key.matchAll(/\{([^{}]*)\}/g))
    if (!blanks.some((each) => each === blank))
      into?.fail('key', `has {${blank.slice(0, 40)}}; there are {date}, {hour} and {minute}`)
  const { params = {} } = members
  if (!isObject(params)) object.fail('params', 'must be an object of values by the names of the parameters')
  return {
    ...{ cron, tz, format, params: isObject(params) ? params : {} },
    ...(notf !== undefined && { notf }),
    ...(into && { into: { bucket, key } }),
  }
}

/** A schedule as it is shown, and as the catalogue has it. */
export const scheduleToWire = ({ params, into, ...schedule }: Schedule): { readonly [name: string]: Json } => ({
  ...schedule,
  ...(into && { into: { ...into } }),
  ...(Object.keys(params).length > 0 && { params: { ...params } }),
})
