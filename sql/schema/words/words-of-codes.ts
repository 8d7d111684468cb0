/** The words for the codes of the wire. */
import { attributeTypes, formats, modelAttributeTypes, operations, presentRules, streamKinds } from '../codes.ts'
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
    FOLD: 'fold',
    CONCAT: 'concat',
    SUBSTR: 'substr',
    SPLIT: 'split',
    REPLACE: 'replace',
    REGEX: 'regex',
    TRIM: 'trim',
    LENGTH: 'length',
    IF: 'if',
    COALESCE: 'coalesce',
    HASH: 'hash',
  },
  'name',
)
