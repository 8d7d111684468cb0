import type { QueueState } from './queue-state.ts'

/**
 * One in this many places that become free goes to the queue that has waited longest, whether a query waits for it or
 * not.
 */
const longestEvery = 4

/**
 * A number of inserts at a time, and the queues that wait for a place: queues for whose events a query waits go first,
 * so that its answer takes an insert or two, however many queues there are.
 */
export function createInsertPlaces(count: number) {
  let free = count
  let given = 0
  const waiting = new Map<QueueState, () => void>()
  const urgent = new Set<QueueState>()

  function next(): QueueState | undefined {
    const [longest] = waiting.keys()
    const [wanted] = urgent
    return ++given % longestEvery === 0 ? longest : (wanted ?? longest)
  }

  function release(): void {
    const state = next()
    const enter = state && waiting.get(state)
    if (!state || !enter) {
      free++
      return
    }
    waiting.delete(state)
    urgent.delete(state)
    enter()
  }

  return {
    async use<Result>(state: QueueState, work: () => Promise<Result>): Promise<Result> {
      if (free > 0) free--
      else {
        if (state.waiters.count() > 0) urgent.add(state)
        await new Promise<void>((resolve) => waiting.set(state, resolve))
      }
      try {
        return await work()
      } finally {
        release()
      }
    },
    /** A query waits for this queue now. */
    hurry(state: QueueState): void {
      if (waiting.has(state)) urgent.add(state)
    },
  }
}
