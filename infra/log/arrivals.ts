import type { Clock } from '../clock.ts'

/** A request that takes values of the clock for its events, until they are in the log. */
export type Arrival = {
  /** All values up to this one are those of events that are in the log. */
  advance(value: number): void
  /** The rest is in the log as well, or refused. */
  end(): void
}

/**
 * The requests that bring events at the moment. An event takes its `_seq` from the clock before it is in the log, so one
 * with a greater `_seq` may be there first; readers that go by `_seq` must not pass the least that is still on its way.
 */
export function createArrivals(clock: Pick<Clock, 'next' | 'last'>) {
  const underWay = new Map<string, Set<{ settled: number }>>()

  const arrivalsOf = (queues: readonly string[]) => queues.flatMap((queue) => [...(underWay.get(queue) ?? [])])

  return {
    /** To be called before the first event of the request gets its `_seq`. */
    begin(queue: string): Arrival {
      const arrival = { settled: clock.last() }
      const others = underWay.get(queue) ?? new Set()
      underWay.set(queue, others.add(arrival))
      return {
        advance(value) {
          arrival.settled = Math.max(arrival.settled, value)
        },
        end() {
          others.delete(arrival)
          if (others.size === 0 && underWay.get(queue) === others) underWay.delete(queue)
        },
      }
    },

    isQuiet: (queues: readonly string[]): boolean => queues.every((queue) => !underWay.has(queue)),

    /** Events of these queues with a `_seq` up to this value are in the log or refused; later ones get greater values. */
    settled: (queues: readonly string[]): number =>
      arrivalsOf(queues).reduce((least, { settled }) => Math.min(least, settled), clock.next()),
  }
}

export type Arrivals = ReturnType<typeof createArrivals>
