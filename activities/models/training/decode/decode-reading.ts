import { z } from 'zod'
import type { Algorithm } from '../../../../learn/algorithms/algorithm.ts'
import { usualBadShare } from '../../../../learn/encoding/bad-rows.ts'
import type { Parameters } from '../../../../learn/parameters.ts'
import type { Part } from '../../../../sql/schema/decode/part.ts'
import { expected, flag, text } from '../../../../sql/schema/values.ts'
import type { ReadingRules } from './request.ts'

const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(words, expected(`one of ${words.join(', ')}`)),
  )

/** The members of `training_details` that say how the data are read; they are taken beside it, too. */
export const readingOnWire = z.object({
  header: flag.optional(),
  missing: z.array(text, expected('an array of texts')).max(1000).optional(),
  bad_rows: oneOf(['fail', 'skip']).optional(),
  max_bad_share: z.number(expected('a share from 0 to 1')).min(0).max(1).optional(),
  task: oneOf(['classify', 'regress']).optional(),
})
const { shape } = readingOnWire

const tasks = { classify: 'classes', regress: 'numbers' } as const

export type Learning = { readonly algorithm: Algorithm | undefined; readonly parameters: Parameters | undefined }

export type DecodedReading = { readonly reading: ReadingRules; readonly missing: readonly string[] | undefined }

export function decodeReading(part: Part, details: Part, { algorithm, parameters }: Learning): DecodedReading {
  const take = <Value>(member: keyof typeof shape, type: z.ZodType<Value>): Value | undefined =>
    details.take(member, type) ?? part.take(member, type)
  const header = take('header', shape.header)
  const missing = take('missing', shape.missing)
  const task = take('task', shape.task)
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
    badRows: take('bad_rows', shape.bad_rows) ?? 'fail',
    maxBadShare: take('max_bad_share', shape.max_bad_share) ?? usualBadShare,
    ...(asked !== undefined && { task: asked }),
  }
  return { reading, missing }
}

const asks = { classes: 'classes', numbers: 'numbers', none: 'no target' } as const
