/** What may wait before producers are delayed: what is fed in this time, and these bytes at the least. */
const backlog_ms = 400
const smallBacklog = 2 * 1024 * 1024
const longestDelay_ms = 2_000

/**
 * Delays producers that outpace the feeder. `waitingBytes` leaves out queues that ClickHouse refuses: those delay no
 * producer of another queue.
 */
export function createBacklog(waitingBytes: () => number) {
  /** Bytes that inserts took in a millisecond, of late. */
  let rate = 10_000
  const delayed: (() => void)[] = []

  const isBehind = (): boolean => waitingBytes() > Math.max(smallBacklog, backlog_ms * rate)

  return {
    isBehind,

    /** Takes note of what an insert has taken, and lets producers go on that were delayed. */
    fed(bytes: number, cost_ms: number): void {
      rate = 0.7 * rate + (0.3 * bytes) / Math.max(1, cost_ms)
      for (const release of delayed.splice(0)) release()
    },

    /** Resolves once there is room, or after two seconds. */
    async delay(): Promise<void> {
      const end = performance.now() + longestDelay_ms
      while (isBehind() && performance.now() < end) {
        await new Promise<void>((resolve) => {
          delayed.push(resolve)
          setTimeout(resolve, 200)
        })
      }
    },
  }
}
