import { valueFunctions } from '../../../../sql/expression/index.ts'
import type { Operation } from '../values.ts'
import * as arithmetic from './arithmetic.ts'
import * as copies from './copy.ts'
import * as dates from './date.ts'
import { expression } from './expression.ts'
import * as geo from './geo.ts'
import * as text from './text.ts'

export const operations: ReadonlyMap<string, Operation> = new Map([
  ...[...valueFunctions.keys()].map((name): [string, Operation] => [name, expression]),
  ['COPY', copies.copy],
  ['COPY_VAL', copies.copyValue],
  ['ADD', arithmetic.add],
  ['SUB', arithmetic.subtract],
  ['MUL', arithmetic.multiply],
  ['DIV', arithmetic.divide],
  ['PERCENT', arithmetic.percent],
  ['ABS', arithmetic.absolute],
  ['LOG_E', arithmetic.logarithmE],
  ['LOG_2', arithmetic.logarithm2],
  ['LOG_10', arithmetic.logarithm10],
  ['MATH_EXP', expression],
  ['FOLD', expression],
  ['UPPER', text.upper],
  ['LOWER', text.lower],
  ['TS', dates.timestamp],
  ['YEAR', dates.year],
  ['YEAR_EPOCH', dates.yearEpoch],
  ['MONTH', dates.month],
  ['MONTH_EPOCH', dates.monthEpoch],
  ['WEEK', dates.week],
  ['WEEK_MONTH', dates.weekMonth],
  ['WEEK_EPOCH', dates.weekEpoch],
  ['DAY', dates.day],
  ['DAY_WEEK', dates.dayWeek],
  ['DAY_MONTH', dates.dayMonth],
  ['DAY_EPOCH', dates.dayEpoch],
  ['HOUR', dates.hour],
  ['HOUR_EPOCH', dates.hourEpoch],
  ['MINUTE', dates.minute],
  ['MINUTE_EPOCH', dates.minuteEpoch],
  ['SECOND', dates.second],
  ['GEOHASH', geo.hash],
  ['GEO_DISTANCE', geo.distance],
])
