import { z } from 'zod'
import { expected, flag, text, wholeNumber } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import type { Algorithm } from '../../../learn/algorithms/algorithm.ts'
import { usualBadShare } from '../../../learn/encoding/bad-rows.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import type { Parameters } from '../../../learn/parameters.ts'
import type { ReadingRules } from './request.ts'

/** Each is a column, and a weight or more of the model. */
const maxBuckets = 65_536

export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(words, expected(`one of ${words.join(', ')}`)),
  )

/** The members that say how the data are read: those of `training_details`, and of the request where that has none. */
export const readingOnWire = z.object({
  header: flag.optional(),
  missing: z.array(text, expected('an array of texts')).max(1000).optional(),
  bad_rows: oneOf(['fail', 'skip']).optional(),
  max_bad_share: z.number(expected('a share from 0 to 1')).min(0).max(1).optional(),
  task: oneOf(['classify', 'regress']).optional(),
  buckets: wholeNumber(2, maxBuckets)
    .optional()
    .meta({ description: 'words are hashed into so many columns an attribute, however few there are' }),
})
const { shape } = readingOnWire

const tasks = { classify: 'classes', regress: 'numbers' } as const

export type Learning = {
  readonly algorithm: Algorithm | undefined
  readonly parameters: Parameters | undefined
  readonly input: FormatName | undefined
  /** LIBSVM data without an `attr_list`. */
  readonly isSparse: boolean
  /** Rows are windows of series. */
  readonly isSeries: boolean
  /** The header of a CSV names the attributes, or the members of JSON and KV do. */
  readonly isNamedByData: boolean
}

export const asTheyAre = 'LIBSVM data without attr_list stay as they are'

export type DecodedReading = { readonly reading: ReadingRules; readonly missing: readonly string[] | undefined }

export function decodeReading(object: WireObject, details: WireObject, learning: Learning): DecodedReading {
  const { algorithm, parameters, input, isSparse, isSeries, isNamedByData } = learning
  const take = <Value>(member: keyof typeof shape, type: z.ZodType<Value>): Value | undefined =>
    details.take(member, type) ?? object.take(member, type)
  const header = take('header', shape.header)
  const missing = take('missing', shape.missing)
  const task = take('task', shape.task)
  const badRows = take('bad_rows', shape.bad_rows)
  const maxBadShare = take('max_bad_share', shape.max_bad_share)
  const buckets = take('buckets', shape.buckets)
  const place = (member: keyof typeof shape): WireObject =>
    details.take(member, z.unknown()) === undefined ? object : details
  const idle = (member: keyof typeof shape, value: unknown, why: string): void => {
    if (value === undefined) return
    place(member).note(member, `does nothing: ${why}`)
  }
  if (input !== undefined && input !== 'CSV') idle('header', header, `${input} has no header`)
  if (isNamedByData && input === 'CSV' && header === false)
    place('header').fail('header', 'is 0, and attr_list is absent: nothing names the attributes')
  if (algorithm?.learnsFrom === 'script') {
    idle('task', task, "the output of the script's model decides")
    idle('buckets', buckets, 'the script is handed the words')
  }
  if (algorithm?.learnsFrom === 'texts') {
    idle('missing', missing, `${algorithm.name} learns from texts`)
    idle('buckets', buckets, `${algorithm.name} learns from texts, whose features algo_param counts`)
  }
  if (isSeries) idle('buckets', buckets, 'with lag nothing is learnt from words')
  if (isSparse) {
    idle('missing', missing, asTheyAre)
    idle('buckets', buckets, asTheyAre)
    if (badRows === 'skip')
      idle('bad_rows', badRows, 'a broken row of LIBSVM data without attr_list fails the training')
  }
  if (badRows !== 'skip') idle('max_bad_share', maxBadShare, 'bad_rows is not "skip"')
  const asked = task && tasks[task]
  if (algorithm?.learnsFrom === 'rows' && parameters !== undefined && asked !== undefined) {
    const own = algorithm.task(parameters)
    if (own !== undefined && own !== asked)
      details.fail('task', `is ${task}, and the parameters of ${algorithm.name} ask for ${asks[own]}`)
  }
  if (algorithm?.learnsFrom === 'texts' && asked === 'numbers')
    details.fail('task', `is regress, and ${algorithm.name} learns classes of texts`)
  const reading: ReadingRules = {
    ...(header !== undefined && { header: header ? 'present' : 'absent' }),
    badRows: badRows ?? 'fail',
    maxBadShare: maxBadShare ?? usualBadShare,
    ...(isSeries && asked === undefined && { task: 'numbers' }),
    ...(asked !== undefined && { task: asked }),
    ...(buckets !== undefined && { buckets }),
  }
  return { reading, missing }
}

const asks = { classes: 'classes', numbers: 'numbers', none: 'no target' } as const
