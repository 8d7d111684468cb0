import { type CronTimes, createCronTimes } from '../../../infra/cron.ts'
import type { Schedule } from '../../../sql/saved/schedule.ts'

/** The next times of a schedule after one, the soonest first; fewer where there are no more. */
export function nextTimes({ cron, tz }: Schedule, after_us: number, count: number): number[] {
  const times = createCronTimes(cron, tz)
  const found: number[] = []
  for (let next = times.after(after_us); next !== undefined && found.length < count; next = times.after(next))
    found.push(next)
  return found
}

const day_us = 86_400_000_000

/** The due times of schedules: the latest that has passed, of all that have passed within a day. */
export function createDueTimes() {
  const known = new Map<string, { readonly times: CronTimes; next: number | undefined }>()

  return {
    /**
     * The time that is due at `now_us` after one that was handled; undefined where there is none. Of several the latest
     * stands for all; those of more than a day ago are over.
     */
    due(name: string, { cron, tz }: Schedule, last_us: number, now_us: number): number | undefined {
      const from = Math.max(last_us, now_us - day_us)
      const entry = known.get(name) ?? { times: createCronTimes(cron, tz), next: undefined }
      known.set(name, entry)
      if (entry.next === undefined || entry.next <= from)
        entry.next = entry.times.after(from) ?? Number.POSITIVE_INFINITY
      if (entry.next > now_us) return undefined
      let due = entry.next
      for (let next = entry.times.after(due); next !== undefined && next <= now_us; next = entry.times.after(due))
        due = next
      return due
    },
    /** Forgets schedules that are none any more. */
    keep(names: ReadonlySet<string>): void {
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
    },
  }
}
