import { civilFromDays, dayOfYear, isoWeek, weekday, weekOfMonth } from '../../../../base/calendar.ts'
import { type Instant, instantFrom, microsecondsOf } from '../../../../base/instant.ts'
import { readInputs } from '../inputs.ts'
import type { Numeric, Operation } from '../values.ts'

const ofInstant =
  (part: (instant: Instant) => Numeric): Operation =>
  (attribute, readInput) => {
    const [read] = readInputs(attribute, readInput)
    return (event) => {
      const instant = instantFrom(read?.(event))
      return instant === undefined ? undefined : part(instant)
    }
  }

const minute_s = 60
const hour_s = 3600
const day_s = 86_400

/** Whole units since 1970, so -1 in the unit before it. */
const unitsSince1970 = (unit_s: number) => ofInstant(({ seconds }) => Math.floor(seconds / unit_s))

const ofDays = (part: (days: number) => number) => ofInstant(({ seconds }) => part(Math.floor(seconds / day_s)))

const ofDay = (part: (secondOfDay: number) => number) =>
  ofInstant(({ seconds }) => part(seconds - Math.floor(seconds / day_s) * day_s))

export const timestamp = ofInstant(microsecondsOf)

export const year = ofDays((days) => civilFromDays(days).year)
export const yearEpoch = ofDays((days) => civilFromDays(days).year - 1970)

/** January is 0. */
export const month = ofDays((days) => civilFromDays(days).month - 1)
export const monthEpoch = ofDays((days) => {
  const date = civilFromDays(days)
  return (date.year - 1970) * 12 + date.month - 1
})

export const week = ofDays(isoWeek)
export const weekMonth = ofDays(weekOfMonth)
export const weekEpoch = unitsSince1970(7 * day_s)

export const day = ofDays(dayOfYear)
export const dayWeek = ofDays(weekday)
export const dayMonth = ofDays((days) => civilFromDays(days).day)
export const dayEpoch = unitsSince1970(day_s)

export const hour = ofDay((second) => Math.floor(second / hour_s))
export const hourEpoch = unitsSince1970(hour_s)
export const minute = ofDay((second) => Math.floor(second / minute_s) % 60)
export const minuteEpoch = unitsSince1970(minute_s)
export const second = ofDay((secondOfDay) => secondOfDay % 60)
