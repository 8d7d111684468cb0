/** Turns of a schema in which something is waited for: one after the other, in the order in which they were asked for. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  let taken = 0
  return {
    /** Whether a turn is under way or waits. */
    areTaken: (): boolean => taken > 0,
    take<Result>(work: () => Promise<Result>): Promise<Result> {
      taken++
      const mine = last.then(work).finally(() => {
        taken--
      })
      last = mine.catch(() => {})
      return mine
    },
  }
}

export type Turns = ReturnType<typeof createTurns>
