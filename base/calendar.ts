/**
 * The proleptic Gregorian calendar in UTC, for any int64 of microseconds (a Date ends at the year 275760).
 * Days count from 1970-01-01, which was a Thursday. Months count from 1 here.
 * Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil` and `civil_from_days`.
 */

export type CivilDate = { readonly year: number; readonly month: number; readonly day: number }

const daysOfEra = 146_097
const yearsOfEra = 400
/** From 0000-03-01, where an era begins, to 1970-01-01. */
const daysToEpoch = 719_468

export function daysFromCivil({ year, month, day }: CivilDate): number {
  // Years begin in March here, so that the leap day is their last.
  const marchYear = month <= 2 ? year - 1 : year
  const era = Math.floor(marchYear / yearsOfEra)
  const yearOfEra = marchYear - era * yearsOfEra
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * daysOfEra + dayOfEra - daysToEpoch
}

export function civilFromDays(days: number): CivilDate {
  const shifted = days + daysToEpoch
  const era = Math.floor(shifted / daysOfEra)
  const dayOfEra = shifted - era * daysOfEra
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return {
    year: yearOfEra + era * yearsOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  }
}

const firstOf = (year: number) => daysFromCivil({ year, month: 1, day: 1 })

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor

/** Sunday is 0. */
export const weekday = (days: number): number => modulo(days + 4, 7)

export const dayOfYear = (days: number): number => days - firstOf(civilFromDays(days).year) + 1

/** ISO 8601: a week begins on Monday and belongs to the year of its Thursday. */
export function isoWeek(days: number): number {
  const thursday = days + 3 - modulo(weekday(days) - 1, 7)
  return Math.floor((dayOfYear(thursday) - 1) / 7) + 1
}

/** Rows of a wall calendar whose weeks begin on Sunday: the month's first, maybe short, row is week 1. */
export function weekOfMonth(days: number): number {
  const { day } = civilFromDays(days)
  return Math.ceil((day + weekday(days - day + 1)) / 7)
}

const daysInMonth = ({ year, month }: CivilDate) =>
  daysFromCivil(month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 }) -
  daysFromCivil({ year, month, day: 1 })

/** False for a 31st of February. */
export const exists = (date: CivilDate): boolean =>
  date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= daysInMonth(date)
