/** Lends lanes to those who wait in line, which is bounded in length and in time; who does not fit is refused. */
export type LaneOptions = {
  readonly mostWaiting: number
  readonly patience_ms: number
  readonly refuse: (reason: string) => Error
}

export function createLanes<Lane>(lanes: readonly Lane[], { mostWaiting, patience_ms, refuse }: LaneOptions) {
  const idle = [...lanes]
  const waiting = new Set<(lane: Lane) => void>()

  return {
    async acquire(): Promise<Lane> {
      const lane = idle.pop()
      if (lane !== undefined) return lane
      if (waiting.size >= mostWaiting) throw refuse(`${lanes.length} queries run and ${mostWaiting} wait`)
      return new Promise((resolve, reject) => {
        const take = (given: Lane): void => {
          clearTimeout(timer)
          resolve(given)
        }
        const timer = setTimeout(() => {
          waiting.delete(take)
          reject(refuse(`${lanes.length} queries run, and none ended within ${patience_ms / 1000} s`))
        }, patience_ms)
        waiting.add(take)
      })
    },
    release(lane: Lane): void {
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next(lane)
      } else idle.push(lane)
    },
  }
}
