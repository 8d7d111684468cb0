/** Lines of crontab by the words that most people need. */

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const shortDays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const

/** `own`: a line that these words do not say. */
export type Often = 'hour' | 'day' | 'week' | 'month' | 'own'

export type Times = {
  readonly often: Often
  /** `06:30`; of an hour the minutes alone count. */
  readonly time: string
  /** 0 is Sunday. */
  readonly weekday: string
  readonly day: string
  /** The line itself, where the words do not say it. */
  readonly line: string
}

const usual = { time: '06:00', weekday: '1', day: '1' }

export const oftenChoices: readonly (readonly [Often, string])[] = [
  ['hour', 'each hour'],
  ['day', 'each day'],
  ['week', 'each week'],
  ['month', 'each month'],
  ['own', 'by a line of crontab'],
]

export const weekdayChoices = weekdays.map((name, place) => [String(place), name] as const)

/** The line of crontab for some words. */
export function cronOf({ often, time, weekday, day, line }: Times): string {
  const [hours = '', minutes = ''] = time.split(':')
  const [minute, hour] = [Number(minutes), Number(hours)]
  switch (often) {
    case 'hour':
      return `${minute} * * * *`
    case 'day':
      return `${minute} ${hour} * * *`
    case 'week':
      return `${minute} ${hour} * * ${shortDays[Number(weekday)] ?? weekday}`
    case 'month':
      return `${minute} ${hour} ${day} * *`
    case 'own':
      return line
  }
}

const two = (value: string): string => value.padStart(2, '0')

/** The words for a line of crontab. */
export function timesOf(line: string): Times {
  const own: Times = { ...usual, often: 'own', line }
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...more] = line.trim().split(/\s+/)
  if (more.length > 0 || month !== '*' || !/^\d{1,2}$/.test(minute)) return own
  if (hour === '*') return day === '*' && weekday === '*' ? { ...own, often: 'hour', time: `00:${two(minute)}` } : own
  if (!/^\d{1,2}$/.test(hour)) return own
  const timed = { ...own, time: `${two(hour)}:${two(minute)}` }
  if (day === '*' && weekday === '*') return { ...timed, often: 'day' }
  if (weekday === '*' && /^\d{1,2}$/.test(day)) return { ...timed, often: 'month', day }
  const place = shortDays.findIndex((name, at) => weekday.toUpperCase() === name || weekday === String(at))
  return day === '*' && place >= 0 ? { ...timed, often: 'week', weekday: String(place) } : own
}

/** When a schedule is due, as people say it. */
export function timesText(line: string): string {
  const { often, time, weekday, day } = timesOf(line)
  const minutes = time.slice(3)
  return {
    hour: `each hour at minute ${Number(minutes)}`,
    day: `each day at ${time}`,
    week: `each ${weekdays[Number(weekday)] ?? ''} at ${time}`,
    month: `on day ${day} of each month at ${time}`,
    own: line.trim() === '* * * * *' ? 'each minute' : line,
  }[often]
}

/** A moment as clocks of a time zone show it: `Mon, 30 Nov 2026, 06:00`. */
export function timeInZone(at_us: number, zone: string): string {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: zone, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    }).format(at_us / 1000)
  } catch {
    return new Date(at_us / 1000).toISOString()
  }
}
