/**
 * One in this many places that become free goes to the queue that has waited longest, whether a query waits for it or
 * not.
 */
const longestEvery = 4

/**
 * A number of inserts at a time, and the queues that wait for a place: queues for whose events a query waits go first,
 * so that its answer takes an insert or two, however many queues there are.
 */
export function createInsertPlaces<Queue>(count: number, isAwaited: (queue: Queue) => boolean) {
  let free = count
  let given = 0
  const waiting = new Map<Queue, () => void>()
  const urgent = new Set<Queue>()

  function next(): Queue | undefined {
    const [longest] = waiting.keys()
    const [wanted] = urgent
    return ++given % longestEvery === 0 ? longest : (wanted ?? longest)
  }

  function release(): void {
    const queue = next()
    const enter = queue !== undefined && waiting.get(queue)
    if (queue === undefined || !enter) {
      free++
      return
    }
    waiting.delete(queue)
    urgent.delete(queue)
    enter()
  }

  return {
    async use<Result>(queue: Queue, work: () => Promise<Result>): Promise<Result> {
      if (free > 0) free--
      else {
        if (isAwaited(queue)) urgent.add(queue)
        await new Promise<void>((resolve) => waiting.set(queue, resolve))
      }
      try {
        return await work()
      } finally {
        release()
      }
    },
    /** A query waits for this queue now. */
    hurry(queue: Queue): void {
      if (waiting.has(queue)) urgent.add(queue)
    },
  }
}

export type InsertPlaces<Queue> = ReturnType<typeof createInsertPlaces<Queue>>
