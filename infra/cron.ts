import { Cron } from 'croner'

/** The times of a line of crontab, in microseconds since 1970. */
export type CronTimes = {
  /** The first after a time; undefined where there is none. */
  after(at_us: number): number | undefined
}

/**
 * Reads the five fields of crontab, in a time zone of the IANA's names. Throws an Error that says what is wrong with them.
 * A time that a change of the clock leaves out comes right after the change; one that it brings twice comes once.
 */
export function createCronTimes(cron: string, tz: string): CronTimes {
  if (!isZone(tz)) throw new Error(`tz: ${tz.slice(0, 60)} is no time zone, such as Europe/Berlin`)
  const fields = cron.trim().split(/\s+/).length
  const said = fields === 1 ? '1 field' : `${fields} fields`
  if (fields !== 5 && !cron.trim().startsWith('@'))
    throw new Error(`cron: has ${said}, and crontab has five: minute, hour, day of the month, month, weekday`)
  let job: Cron
  try {
    job = new Cron(cron, { mode: '5-part', timezone: tz, paused: true, domAndDow: !areAlternatives(cron) })
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^Cron\w*: /, '') : String(error)
    throw new Error(`cron: ${said}`)
  }
  const after = (at_us: number): number | undefined => {
    const next = job.nextRun(new Date(Math.floor(at_us / 1000)))
    return next ? next.getTime() * 1000 : undefined
  }
  return { after }
}

/** As crontab has it, a day of the month and a weekday are alternatives where neither field has an asterisk. */
function areAlternatives(cron: string): boolean {
  const [, , day = '', , weekday = ''] = cron.trim().split(/\s+/)
  return !day.includes('*') && !weekday.includes('*')
}

function isZone(tz: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: tz }) !== undefined
  } catch {
    return false
  }
}

/** The date and the hour of a moment in a time zone: `2026-11-29` and `06`. */
export function dateIn(
  at_us: number,
  tz: string,
): { readonly date: string; readonly hour: string; readonly minute: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: tz, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  }).formatToParts(new Date(at_us / 1000))
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? ''
  return { date: `${part('year')}-${part('month')}-${part('day')}`, hour: part('hour'), minute: part('minute') }
}
