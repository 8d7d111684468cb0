const day_s = 86_400

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

/** 2026-11-26 11:07:27.123456, in UTC; without the part of a second that `step_s` makes needless. */
export function timeText(time_us: number, step_s = 0): string {
  const date = new Date(Math.floor(time_us / 1000))
  if (Number.isNaN(date.getTime())) return String(time_us)
  const days = `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`
  if (step_s >= day_s) return days
  const minutes = `${days} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}`
  if (step_s >= 60) return minutes
  const seconds = `${minutes}:${pad(date.getUTCSeconds())}`
  if (step_s >= 1) return seconds
  return `${seconds}.${pad(Math.floor((((time_us % 1e6) + 1e6) % 1e6) / 1000), 3)}`
}

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
export function tickTexts(ticks_s: readonly number[], apart_s: number): string[] {
  let before = ''
  return ticks_s.map((tick) => {
    const text = timeText(tick * 1e6, apart_s >= 1 ? Math.min(apart_s, 60) : 0)
    const [day = '', time = ''] = text.split(' ')
    if (apart_s >= 28 * day_s) return day.slice(0, apart_s >= 365 * day_s ? 4 : 7)
    const isOther = day !== before
    before = day
    if (apart_s >= day_s) return day
    return isOther ? `${time}\n${day}` : time
  })
}
