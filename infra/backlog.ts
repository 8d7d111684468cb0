/** How much may wait before who brings more is slowed down: what is fed in this time, these bytes at the least. */
const backlog_ms = 400
const smallBacklog = 2 * 1024 * 1024
const longestHold_ms = 2_000

/**
 * Tells when lines come faster than they are fed, and holds back who brings them. A queue that ClickHouse refuses holds
 * nobody up: while one `isFailing`, what it keeps does not count.
 */
export function createBacklog(waitingBytes: () => number, isFailing: () => boolean) {
  /** Bytes that inserts took in a millisecond, of late. */
  let rate = 10_000
  const held: (() => void)[] = []

  const isBehind = (): boolean => waitingBytes() > Math.max(smallBacklog, backlog_ms * rate) && !isFailing()

  return {
    isBehind,

    /** Takes note of what an insert has taken, and lets go on who was held. */
    fed(bytes: number, cost_ms: number): void {
      rate = 0.7 * rate + (0.3 * bytes) / Math.max(1, cost_ms)
      for (const release of held.splice(0)) release()
    },

    /** Resolves once there is room, or after two seconds. */
    async hold(): Promise<void> {
      const end = performance.now() + longestHold_ms
      while (isBehind() && performance.now() < end) {
        await new Promise<void>((resolve) => {
          held.push(resolve)
          setTimeout(resolve, 200)
        })
      }
    },
  }
}
