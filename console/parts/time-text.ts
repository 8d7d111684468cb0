import { type Zone, zone } from '../state/time-zone.ts'

const day_s = 86_400

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

/**
 * 2026-11-26 11:07:27.123, in the zone that the reader has chosen; without the part that `step_s` makes needless: an interval of a
 * day begins at midnight in UTC, and at another hour elsewhere.
 */
export function timeText(time_us: number, step_s = 0, of: Zone = zone.value): string {
  const date = new Date(Math.floor(time_us / 1000))
  if (Number.isNaN(date.getTime())) return String(time_us)
  const [year, month, day, hours, minutes, seconds] =
    of === 'utc'
      ? [
          date.getUTCFullYear(),
          date.getUTCMonth() + 1,
          date.getUTCDate(),
          date.getUTCHours(),
          date.getUTCMinutes(),
          date.getUTCSeconds(),
        ]
      : [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()]
  const days = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  if (step_s >= day_s && (of === 'utc' || (hours === 0 && minutes === 0))) return days
  const toMinutes = `${days} ${pad(hours)}:${pad(minutes)}`
  if (step_s >= 60) return toMinutes
  const toSeconds = `${toMinutes}:${pad(seconds)}`
  if (step_s >= 1) return toSeconds
  return `${toSeconds}.${pad(Math.floor((((time_us % 1e6) + 1e6) % 1e6) / 1000), 3)}`
}

/** 11:04:09, in the zone that the reader has chosen. */
export const clockText = (date: Date): string => timeText(date.getTime() * 1000, 1).slice(11)

const units = [
  [day_s, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** 90 s, 5 min, 12 h, 30 d: in the largest unit that says it whole. */
export function durationText(seconds: number): string {
  const [size, name] = units.find(([unit]) => seconds >= unit && seconds % unit === 0) ?? [1, 's']
  return `${seconds / size} ${name}`
}

/** "12 s ago", "3 h ago": how long before `now_us` a time is. */
export function agoText(time_us: number, now_us: number): string {
  const seconds = Math.max(0, Math.round((now_us - time_us) / 1e6))
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${name} ago`
}

/** The texts of ticks of an axis that are `apart_s` seconds apart; the day stands below the first of each. */
export function tickTexts(ticks_s: readonly number[], apart_s: number, of: Zone = zone.value): string[] {
  let before = ''
  return ticks_s.map((tick) => {
    const text = timeText(tick * 1e6, apart_s >= 1 ? Math.min(apart_s, 60) : 0, of)
    const [day = '', time = ''] = text.split(' ')
    if (apart_s >= 28 * day_s) return day.slice(0, apart_s >= 365 * day_s ? 4 : 7)
    const isOther = day !== before
    before = day
    if (apart_s >= day_s) return day
    return isOther ? `${time}\n${day}` : time
  })
}
