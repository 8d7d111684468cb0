/** Members of schemas' wire objects. */

import { z } from 'zod'
import { anything, expected, list, name, text, toNumber, wholeNumber } from '../../base/decode/values.ts'
import { checkAttributeName, checkName } from './check/name.ts'

/** How many last values a prediction may take. */
export const minLag = 2
export const maxLag = 500

/** An interval's length in seconds: to a year. */
export const granularity = wholeNumber(1, 366 * 86_400)

/** Sizes and paces that the original needs and this service does not: checked, then left. */
export const unused = wholeNumber(0, Number.MAX_SAFE_INTEGER).optional()

/** Seconds that something is kept; 0 is for ever. */
export const retention = wholeNumber(0, 1e9)

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

export const streamList = z.array(anything, expected('an array')).min(1, 'must hold at least one stream')

/** The name of a table, a model and the like. */
export const clientName = name(checkName).meta({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' })
export const modelName = clientName.optional()

const aVersion = 'must be the number of a version, from 1, or an alias'
/** It cannot be taken for a number. */
export const modelAlias = z.string(aVersion).regex(/^[A-Za-z][\w.-]{0,63}$/, aVersion)
export const modelVersionNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value)

/** A version of a model: its number, also as a text, or an alias. */
export const modelVersion = z.preprocess(
  (value) => (isDigits(value) ? Number(value) : value),
  z.union([modelVersionNumber, modelAlias], { error: aVersion }),
)
export const attributeName = name(checkAttributeName)
export const attributeNames = list(attributeName)

/** The `notifid` that a filter's match sends. */
export const notification = wholeNumber(0, Number.MAX_SAFE_INTEGER).optional()
