/**
 * Lets work pass while it is open. `closed` waits until what has passed is done, and holds what comes until its own work
 * is done: an edit of a schema finds no event half-way.
 */
export function createGate() {
  let inside = 0
  let shut: Promise<void> | undefined
  let barred: Error | undefined
  let emptied: (() => void) | undefined

  const leave = (): void => {
    inside--
    if (inside === 0) emptied?.()
  }

  return {
    async pass<Result>(work: () => Promise<Result>): Promise<Result> {
      while (shut) await shut
      if (barred) throw barred
      inside++
      try {
        return await work()
      } finally {
        leave()
      }
    },

    /** From now on what comes is refused with `reason`; undefined ends that. */
    bar(reason: Error | undefined): void {
      barred = reason
    },

    async closed<Result>(work: () => Promise<Result>): Promise<Result> {
      while (shut) await shut
      let open: () => void = () => {}
      shut = new Promise((resolve) => {
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
        shut = undefined
        open()
      }
    },
  }
}

export type Gate = ReturnType<typeof createGate>
