/** The line in front of a pool. Without one all callers wait until a place is free. */
export type Line = {
  /** How many may wait at once. */
  readonly max: number
  readonly patience_ms: number
  /** The error of callers that find the line full, or have waited in vain. */
  readonly refuse: (why: 'full' | 'late') => Error
}

/** Lends things that serve one user at a time; a caller that comes while all are lent waits in line. */
export function createPool<Thing>(things: readonly Thing[], line?: Line) {
  const idle = [...things]
  const waiting = new Set<(thing: Thing) => void>()

  function wait(signal?: AbortSignal): Promise<Thing> {
    if (line && waiting.size >= line.max) throw line.refuse('full')
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(take)
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
      }
      const take = (thing: Thing): void => {
        leave()
        resolve(thing)
      }
      const giveUp = (): void => {
        leave()
        reject(signal?.reason)
      }
      const lose = (): void => {
        leave()
        reject(line?.refuse('late'))
      }
      const timer = line && setTimeout(lose, line.patience_ms)
      signal?.addEventListener('abort', giveUp)
      waiting.add(take)
    })
  }

  const release = (thing: Thing): void => {
    const [next] = waiting
    if (next) next(thing)
    else idle.push(thing)
  }

  async function acquire(signal?: AbortSignal): Promise<Thing> {
    signal?.throwIfAborted()
    return idle.pop() ?? wait(signal)
  }

  return {
    /** The caller has to release the thing it acquired. Rejects with the signal's reason where that comes first. */
    acquire,
    release,
    async use<Result>(work: (thing: Thing) => Promise<Result>): Promise<Result> {
      const thing = idle.pop() ?? (await wait())
      try {
        return await work(thing)
      } finally {
        release(thing)
      }
    },
  }
}

export type Pool<Thing> = ReturnType<typeof createPool<Thing>>
