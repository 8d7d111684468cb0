import type { Metrics } from '../../../infra/metrics.ts'

/** Why a PRED attribute of an event is missing. */
export type UnscoredReason =
  | 'no inputs'
  | 'too few values'
  | 'no model'
  | 'the model failed'
  | 'no answer of its type'
  | 'the model rests'

type Count = { readonly attribute: string; events: number; readonly since: number; latest: number }

/** Events that came in this time are reported. */
const told_ms = 24 * 3_600_000

/** Counts the events that were stored without a PRED attribute, by stream, attribute and reason. */
export function createUnscored(
  metrics: Pick<Metrics, 'unscoredEvents' | 'eventPredictions'>,
  now_ms: () => number = () => Date.now(),
) {
  const streams = new Map<string, Map<string, Count & { readonly reason: UnscoredReason }>>()

  return {
    add(stream: string, attribute: string, reason: UnscoredReason, events: number): void {
      if (events === 0) return
      metrics.unscoredEvents.inc({ stream, attribute, reason }, events)
      metrics.eventPredictions.inc({ outcome: reason }, events)
      const counts = streams.get(stream) ?? new Map()
      streams.set(stream, counts)
      const id = JSON.stringify([attribute, reason])
      const known = counts.get(id)
      if (known === undefined || now_ms() - known.latest > told_ms)
        counts.set(id, { attribute, reason, events, since: now_ms(), latest: now_ms() })
      else {
        known.events += events
        known.latest = now_ms()
      }
    },

    /** A sentence for each attribute of a stream that events of the last 24 hours lack, as far as this process stored them. */
    notesOf(stream: string): string[] {
      const counts = [...(streams.get(stream)?.values() ?? [])].filter(({ latest }) => now_ms() - latest <= told_ms)
      const attributes = [...new Set(counts.map(({ attribute }) => attribute))]
      return attributes.map((attribute) => {
        const own = counts.filter((each) => each.attribute === attribute)
        const reasons = own.map(({ reason, events }) => `${events} for ${reason}`).join(', ')
        const since = new Date(Math.min(...own.map((each) => each.since))).toISOString()
        return `${attribute} of stream ${stream} was not predicted for events since ${since}, which are stored without it: ${reasons}`
      })
    },
  }
}

export type Unscored = ReturnType<typeof createUnscored>
