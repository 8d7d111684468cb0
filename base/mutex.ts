/** Runs work alone, in the order of asking. */
export type Exclusively = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createMutex(): Exclusively {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}

/** One mutex a name: work under different names goes on side by side. */
export function createKeyedMutex() {
  const mutexes = new Map<string, { readonly exclusively: Exclusively; users: number }>()
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const mutex = mutexes.get(name) ?? { exclusively: createMutex(), users: 0 }
    mutexes.set(name, mutex)
    mutex.users++
    try {
      return await mutex.exclusively(work)
    } finally {
      mutex.users--
      if (mutex.users === 0) mutexes.delete(name)
    }
  }
}
