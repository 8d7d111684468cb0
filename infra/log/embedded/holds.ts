/** Queues from which nothing is taken while some work is done, and the batches that are under way. */
export function createHolds() {
  const held = new Map<string, Promise<unknown>>()
  const underWay = new Map<string, Promise<unknown>>()
  return {
    isHeld: (queue: string): boolean => held.has(queue),

    /** Resolves once nothing holds the queue. */
    async ended(queue: string): Promise<void> {
      while (held.has(queue)) await held.get(queue)
    },

    /** Feeds a batch, for which those wait that hold the queue meanwhile. */
    run<Result>(queue: string, feed: () => Promise<Result>): Promise<Result> {
      const fed = feed()
      underWay.set(queue, fed)
      return fed.finally(() => underWay.delete(queue))
    },

    /** Does `work` while no batch of these queues is under way, one `work` at a time. */
    async hold<Result>(queues: readonly string[], work: () => Promise<Result>): Promise<Result> {
      const before = queues.flatMap((queue) => held.get(queue) ?? [])
      let release = (): void => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const mine = Promise.all([...before, released])
      for (const queue of queues) held.set(queue, mine)
      try {
        await Promise.all(before)
        await Promise.allSettled(queues.map((queue) => underWay.get(queue)))
        return await work()
      } finally {
        for (const queue of queues) if (held.get(queue) === mine) held.delete(queue)
        release()
      }
    },
  }
}
