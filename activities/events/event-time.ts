import { isoMicroseconds } from '../../base/instant.ts'
import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { greatestTime_us, leastTime_us, leastTimeText, smallerUnitOf } from '../../base/time-unit.ts'
import { encoders, shown } from './values.ts'

const leastTime = BigInt(leastTime_us)

const example = '"2026-11-01T00:00:00Z"'

/** The text of an event's own `_pk`, a number of microseconds or an ISO 8601 text. Throws a Refusal for any other value. */
export function ownTime(own: Exclude<Json, null>): string {
  if (typeof own === 'number' && own >= leastTime_us && Number.isSafeInteger(own)) return String(own)
  if (typeof own === 'string') return timeOfText(own)
  const unit = typeof own === 'number' ? smallerUnitOf(own) : undefined
  if (unit) {
    const { name, microseconds } = unit
    throw new Refusal(`_pk: expected microseconds since 1970; ${own} looks like ${name}: send ${microseconds}`)
  }
  const text = encoders.LONG(own)
  if (text === undefined || text.startsWith('-')) {
    throw new Refusal(`_pk: expected a LONG of microseconds since 1970, not negative, got ${shown(own)}`)
  }
  if (BigInt(text) < leastTime) {
    throw new Refusal(`_pk: expected microseconds since 1970, ${leastTime_us} (in 1973) or more, got ${shown(own)}`)
  }
  if (BigInt(text) > greatestTime_us) throw new Refusal(`_pk: expected microseconds since 1970, ${tooGreat(text)}`)
  return text
}

function tooGreat(text: string): string {
  const isNanoseconds = /^1\d{18}$/.test(text)
  return isNanoseconds
    ? `${text} looks like nanoseconds: send ${BigInt(text) / 1000n}`
    : `${greatestTime_us} (the end of the year 9999) or less, got ${text}`
}

function timeOfText(own: string): string {
  const time = isoMicroseconds(own)
  if (time === undefined) {
    const right = `a text such as ${example}, or a number of microseconds since 1970`
    throw new Refusal(`_pk: ${shown(own)} is no time of ISO 8601: send ${right}`)
  }
  if (time < leastTime_us)
    throw new Refusal(`_pk: ${shown(own)} is before ${leastTimeText}, the earliest time of an event`)
  return String(time)
}

/** A time that is farther ahead is more likely a mistake than a plan. */
const maxAhead_us = 366 * 86_400 * 1_000_000

/** How an event's own time lies where it calls for a note: before the stream's window, or far ahead. */
export type OddTime = 'late' | 'ahead'

export type OddTimes = { readonly late: number; readonly ahead: number }

/** The notes about events' own times in answers of a stream that keeps events for `window` seconds, 0 for ever. */
export function createTimeNotes(stream: string, window: number) {
  const window_us = window === 0 ? Number.POSITIVE_INFINITY : window * 1_000_000
  const lateness = `older than the ${counted(window)} s that ${stream} keeps events (swsz): counted in aggregates, not kept`
  const farness = 'more than a year ahead'
  return {
    oddityOf: (time_us: number, now_us: number): OddTime | undefined =>
      time_us < now_us - window_us ? 'late' : time_us > now_us + maxAhead_us ? 'ahead' : undefined,

    /** A key that stands in a page is in the hands of strangers, and such an event would outlast every window. */
    refuseOfPage(oddity: OddTime | undefined, time: string | number): void {
      if (oddity !== 'ahead') return
      throw new Refusal(
        `_pk: ${time} is ${farness}, and a key without the scope write sends no such events: leave _pk out`,
      )
    },

    ofEvent: (oddity: OddTime, time: string): string =>
      oddity === 'late' ? `the event is ${lateness}` : `_pk ${time} is ${farness}: the event is the newest until then`,

    ofLines: ({ late, ahead }: OddTimes): string[] => [
      ...(late > 0 ? [`${lines(late)} ${lateness}`] : []),
      ...(ahead > 0 ? [`${lines(ahead)} ${farness}: such events are the newest until then`] : []),
    ],
  }
}

export type TimeNotes = ReturnType<typeof createTimeNotes>

const counted = (count: number): string => count.toLocaleString('en-US')
const lines = (count: number): string => (count === 1 ? '1 line is' : `${counted(count)} lines are`)
