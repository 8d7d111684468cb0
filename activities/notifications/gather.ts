import type { TemplateVersion } from './template-store.ts'

export type Match = {
  readonly source: string
  /** When the event came, in microseconds since 1970. */
  readonly seq: number
  readonly notifid: number
  /** The event as JSON text. */
  readonly event: string
}

/** The matches that one send reports, first and last by the events' arrival. */
export type Gathered = {
  readonly count: number
  readonly first: number
  readonly last: number
  readonly event: string
  /** The latest of them as JSON texts; `event` is the last one. Absent in what an earlier release gathered. */
  readonly events?: readonly string[]
}

/** The events of a send, beside its last one. */
const maxEvents = 100
const maxEventsText = 64_000

/** How far a template is: its counts, and the matches that wait for the end of `freq`. */
export type Tally = {
  /** When the template was registered; the tally of another registration begins anew. */
  readonly registered: number
  readonly total: number
  /** When the last send was made, in microseconds; 0 before the first. */
  readonly sent: number
  readonly waiting?: Gathered
}

export type Send = { readonly version: TemplateVersion; readonly gathered: Gathered; readonly total: number }

/** The version that was in force when an event came. */
const versionAt = (versions: readonly TemplateVersion[], seq: number): TemplateVersion | undefined =>
  versions.findLast(({ at }) => at < seq)

function merge(waiting: Gathered | undefined, { seq, event }: Match): Gathered {
  if (waiting === undefined) return { count: 1, first: seq, last: seq, event, events: [event] }
  const { count, first, last, events = [waiting.event] } = waiting
  const isLast = seq >= last
  return {
    count: count + 1,
    first: Math.min(first, seq),
    last: Math.max(last, seq),
    event: isLast ? event : waiting.event,
    events: latest(isLast ? [...events, event] : [...events.slice(0, -1), event, waiting.event]),
  }
}

/** As many of the last events as a send may have; always the last one. */
function latest(events: readonly string[]): readonly string[] {
  let text = 0
  const first = events.findLastIndex((event) => {
    text += event.length
    return text > maxEventsText
  })
  return events.slice(Math.max(events.length - maxEvents, Math.min(first + 1, events.length - 1)))
}

/**
 * Adds matches of one template to its tally, and makes the sends. A match counts where the template was active when its
 * event came. Sends keep `freq` seconds between them by `now_us`; matches that come in between are gathered. A pause drops
 * the matches that were gathered before it, and the end of a template drops all.
 */
export function gather(
  before: Tally | undefined,
  versions: readonly TemplateVersion[],
  matches: readonly Match[],
  now_us: number,
): { tally: Tally | undefined; sends: Send[] } {
  const current = versions.at(-1)
  if (current === undefined || current.state === -1) return { tally: undefined, sends: [] }
  const { registered } = current
  let { total, sent, waiting }: Tally = before?.registered === registered ? before : { registered, total: 0, sent: 0 }
  const sends: Send[] = []
  const isOpen = ({ notification }: TemplateVersion): boolean =>
    sent === 0 || now_us >= sent + notification.freq * 1_000_000
  const dropPaused = (until: number): void => {
    const { last } = waiting ?? {}
    if (last !== undefined && versions.some(({ at, state }) => state === 0 && at > last && at <= until)) {
      waiting = undefined
    }
  }
  const send = (version: TemplateVersion, gathered: Gathered): void => {
    sends.push({ version, gathered, total })
    sent = now_us
    waiting = undefined
  }

  for (const match of matches) {
    const version = versionAt(versions, match.seq)
    if (version === undefined || version.state !== 1 || version.registered !== registered) continue
    dropPaused(match.seq)
    total++
    const gathered = merge(waiting, match)
    // Matches that waited go out with all that have come by now.
    if (version.notification.freq === 0 || (waiting === undefined && isOpen(version))) send(version, gathered)
    else waiting = gathered
  }
  dropPaused(Number.POSITIVE_INFINITY)
  if (waiting && isOpen(current)) send(current, waiting)
  return { tally: { registered, total, sent, ...(waiting && { waiting }) }, sends }
}
