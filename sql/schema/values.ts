/** Members of wire objects: single values, each with the message that a wrong one gets, and with its part of the
 * document of all calls (`meta`: JSON Schema) where the schema itself does not hold it. */

import { z } from 'zod'
import { checkAttributeName, checkName } from './check/name.ts'
import { type CodeTable, decodeCode, knownForms } from './codes.ts'

export const expected = (what: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : `must be ${what}`),
})

export const anything = z.unknown()

/** Half a surrogate pair has no UTF-8. */
export const text = z.string(expected('a string')).refine((value) => value.isWellFormed(), 'must be well-formed text')

/** Text that passes one of the checks of check-name.ts. */
export const name = (check: (name: string) => string | undefined) =>
  text.superRefine((value, context) => {
    const problem = check(value)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  })

/** One string stands for a list of one. */
const list = (item: z.ZodType<string>) =>
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

const toNumber = (value: unknown) =>
  typeof value === 'bigint' || (typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value)) ? Number(value) : value

/** A whole number; also as a string, which some clients send. */
export const wholeNumber = (min: number, max: number) => {
  const wrong = expected(`a whole number from ${min} to ${max}`)
  return z
    .preprocess(toNumber, z.int(wrong).min(min, wrong).max(max, wrong))
    .meta({ type: 'integer', minimum: min, maximum: max })
}

/** An interval's length in seconds: to a year. */
/** How many last values a prediction may take. */
export const minLag = 2
export const maxLag = 500

export const granularity = wholeNumber(1, 366 * 86_400)

/** Sizes and paces that the original needs and this service does not: checked, then left. */
export const unused = wholeNumber(0, Number.MAX_SAFE_INTEGER).optional()

/** Seconds that something is kept; 0 is for ever. */
export const retention = wholeNumber(0, 1e9)

const flags = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ['0', false],
  ['1', true],
])
export const flag = z
  .preprocess((value) => flags.get(value) ?? value, z.boolean(expected('0 or 1')))
  .meta({ type: 'integer', enum: [0, 1] })

/** Breaks ties in the evaluation of computed attributes. */
export const order = z
  .preprocess(toNumber, z.number(expected('a number')))
  .prefault(0)
  .meta({ type: 'number' })

/** The operands of a computed attribute: names and literals. One name may stand without its list, a literal may not. */
const input = z.union([text, z.number(), z.boolean()], expected('an attribute name or a literal'))
const maxInputs = 1000
export const inputs = z
  .preprocess(
    (value) =>
      Array.isArray(value)
        ? value.flat().map((each) => (typeof each === 'bigint' ? `${each}` : each))
        : typeof value === 'string'
          ? [value]
          : value,
    z
      .array(input, expected('an array of attribute names or literals'))
      .max(maxInputs, `must have at most ${maxInputs} items`),
  )
  .meta({ type: 'array', items: { type: ['string', 'number', 'boolean'] } })

/** A string that some clients send as a list of one. */
export const soleText = z
  .preprocess((value) => (Array.isArray(value) && value.length === 1 ? value[0] : value), text)
  .meta({ type: 'string' })

export const streamList = z.array(anything, expected('an array')).min(1, 'must hold at least one stream')

/** The name of a table, a model and the like. */
export const clientName = name(checkName).meta({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' })
export const modelName = clientName.optional()
export const attributeName = name(checkAttributeName)
export const attributeNames = list(attributeName)

/** The `notifid` that a filter's match sends. */
export const notification = wholeNumber(0, Number.MAX_SAFE_INTEGER).optional()
