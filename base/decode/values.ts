/** Single values of requests, each with the message that a wrong one gets, and with its part of the document of all calls
 * (`meta`: JSON Schema) where the zod schema itself does not hold it. */

import { z } from 'zod'
import { type CodeTable, decodeCode, knownForms } from '../code-table.ts'

export const expected = (what: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : `must be ${what}`),
})

export const anything = z.unknown()

/** Half a surrogate pair has no UTF-8. */
export const text = z.string(expected('a string')).refine((value) => value.isWellFormed(), 'must be well-formed text')

/** Text that passes one check, which says what is wrong with it. */
export const name = (check: (name: string) => string | undefined) =>
  text.superRefine((value, context) => {
    const problem = check(value)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  })

/** One string stands for a list of one. */
export const list = (item: z.ZodType<string>) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(item, expected('an array of strings')).max(1000, 'must have at most 1000 items'),
    )
    .meta({ type: 'array', items: { type: 'string' }, maxItems: 1000 })

export const texts = list(text)

export const code = <Name extends string>(table: CodeTable<Name>) =>
  z
    .unknown()
    .transform((value, context): Name => {
      const decoded = decodeCode(table, value)
      if ('name' in decoded) return decoded.name
      context.addIssue({ code: 'custom', message: decoded.problem })
      return z.NEVER
    })
    .meta({ enum: knownForms(table), description: 'a number or its name; names in any case, numbers also as texts' })

export const toNumber = (value: unknown) =>
  typeof value === 'bigint' || (typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value)) ? Number(value) : value

/** A whole number; also as a string, which some clients send. */
export const wholeNumber = (min: number, max: number) => {
  const wrong = expected(`a whole number from ${min} to ${max}`)
  return z
    .preprocess(toNumber, z.int(wrong).min(min, wrong).max(max, wrong))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

const flags = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ['0', false],
  ['1', true],
])
export const flag = z
  .preprocess((value) => flags.get(value) ?? value, z.boolean(expected('0 or 1')))
  .meta({ type: 'integer', enum: [0, 1] })

/** A string that some clients send as a list of one. */
export const soleText = z
  .preprocess((value) => (Array.isArray(value) && value.length === 1 ? value[0] : value), text)
  .meta({ type: 'string' })
