/**
 * Lets work pass while it is open. `shut` waits until work that has passed is done, and new work waits until that of `shut`
 * is done: an edit of a schema finds no event half-way.
 */
export function createDrainGate() {
  let inside = 0
  let closed: Promise<void> | undefined
  let refusal: Error | undefined
  let emptied: (() => void) | undefined

  const leave = (): void => {
    inside--
    if (inside === 0) emptied?.()
  }

  return {
    async pass<Result>(work: () => Promise<Result>): Promise<Result> {
      while (closed) await closed
      if (refusal) throw refusal
      inside++
      try {
        return await work()
      } finally {
        leave()
      }
    },

    isShut: (): boolean => closed !== undefined,

    /** From now on work that comes is refused with `reason`; undefined ends that. */
    refuseWith(reason: Error | undefined): void {
      refusal = reason
    },

    async shut<Result>(work: () => Promise<Result>): Promise<Result> {
      while (closed) await closed
      let open: () => void = () => {}
      closed = new Promise((resolve) => {
        open = resolve
      })
      try {
        if (inside > 0) {
          await new Promise<void>((resolve) => {
            emptied = resolve
          })
        }
        return await work()
      } finally {
        emptied = undefined
        closed = undefined
        open()
      }
    },
  }
}

export type DrainGate = ReturnType<typeof createDrainGate>
