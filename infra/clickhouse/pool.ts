/** Lends things that serve one user at a time; who comes while all are lent waits in line. */
export function createPool<Thing>(things: readonly Thing[]) {
  const idle = [...things]
  const waiting: ((thing: Thing) => void)[] = []

  const acquire = (): Thing | Promise<Thing> => idle.pop() ?? new Promise<Thing>((resolve) => waiting.push(resolve))
  const release = (thing: Thing): void => {
    const next = waiting.shift()
    if (next) next(thing)
    else idle.push(thing)
  }

  return {
    async use<Result>(work: (thing: Thing) => Promise<Result>): Promise<Result> {
      const thing = await acquire()
      try {
        return await work(thing)
      } finally {
        release(thing)
      }
    },
  }
}
