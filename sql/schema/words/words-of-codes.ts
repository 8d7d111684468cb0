/** The words for the codes of the wire. */
import {
  attributeTypes,
  formats,
  modelAttributeTypes,
  operations,
  presentRules,
  statistics,
  streamKinds,
} from '../codes.ts'
import type { Codec } from './codec.ts'
import { choice } from './scalars.ts'

export const typeWords = {
  STRING: 'text',
  LONG: 'integer',
  DOUBLE: 'number',
  BOOL: 'boolean',
  OBJECT: 'json',
} as const
export const type = choice('type', attributeTypes, typeWords)

export const kindWords = { input: 'posted', filter: 'filtered', join: 'joined', entity: 'entity' } as const
export const kind = choice('kind of stream', streamKinds, kindWords)

export const statisticWords = { COUNT: 'count', UCOUNT: 'distinct', RSTAT: 'summary' } as const
const statistic = choice('statistic', statistics, statisticWords, 'name')

/** Statistics that a later version keeps. */
const laterStatistics = /^(p\d{1,2}(\.\d+)?|quantiles|first|last|top)$/

/** One statistic, in a list, since there will be several. */
export const stats: Codec = {
  toWire(words, at, to) {
    const list = typeof words === 'string' ? [words] : words
    const [only, ...more] = Array.isArray(list) ? list : []
    for (const [index, each] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof each !== 'string' || !laterStatistics.test(each)) continue
      to.fail(
        [...at, index],
        `${each} is a statistic that this version does not keep yet; it keeps count, distinct or summary`,
      )
      return undefined
    }
    if (only === undefined || more.length > 0) {
      to.fail(at, 'must be a list of one: [count], [distinct] or [summary]; summary counts, too')
      return undefined
    }
    return statistic.toWire(only, words === list ? [...at, 0] : at, to)
  },
  toWords(wire, from) {
    const word = statistic.toWords(wire, from)
    if (word !== undefined) return [word]
    return wire === 0 || wire === '0' || (typeof wire === 'string' && /^\s*none\s*$/i.test(wire)) ? 'none' : undefined
  },
  schema: { type: 'array', items: statistic.schema, minItems: 1, maxItems: 1 },
}

export const present = choice('rule', presentRules, {
  add: 'add',
  replace: 'replace',
  'add if missing': 'keep',
})

export const modelInputs = choice('kind of inputs', modelAttributeTypes, {
  NUM: 'numbers',
  STRING: 'texts',
  HYBRID: 'mixed',
})

export const format = choice(
  'format',
  formats,
  { SVM: 'svm', CSV: 'csv', JSON: 'json', TEXT: 'text', KV: 'pairs' },
  'name',
)

export const operation = choice(
  'operation',
  operations,
  {
    COPY: 'copy',
    ADD: 'add',
    MUL: 'multiply',
    DIV: 'divide',
    PERCENT: 'percent',
    SUB: 'subtract',
    UPPER: 'upper',
    LOWER: 'lower',
    COPY_VAL: 'constant',
    LOG_E: 'natural_logarithm',
    LOG_2: 'binary_logarithm',
    LOG_10: 'decimal_logarithm',
    MATH_EXP: 'expression',
    TS: 'time',
    YEAR: 'year',
    YEAR_EPOCH: 'years_since_1970',
    MONTH: 'month',
    MONTH_EPOCH: 'months_since_1970',
    WEEK: 'week',
    WEEK_MONTH: 'week_of_month',
    WEEK_EPOCH: 'weeks_since_1970',
    DAY: 'day_of_year',
    DAY_WEEK: 'day_of_week',
    DAY_MONTH: 'day_of_month',
    DAY_EPOCH: 'days_since_1970',
    HOUR: 'hour',
    HOUR_EPOCH: 'hours_since_1970',
    MINUTE: 'minute',
    MINUTE_EPOCH: 'minutes_since_1970',
    SECOND: 'second',
    ABS: 'absolute',
    GEOHASH: 'geohash',
    GEO_DISTANCE: 'distance',
    PRED: 'predict',
  },
  'name',
)
