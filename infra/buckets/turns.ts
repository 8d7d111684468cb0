/** Runs what is asked for one name in the order of asking; different names go on side by side. */
export function createTurns() {
  const last = new Map<string, Promise<void>>()
  return async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(name) ?? Promise.resolve()
    const result = before.then(work)
    const done = result.then(
      () => {},
      () => {},
    )
    last.set(name, done)
    try {
      return await result
    } finally {
      if (last.get(name) === done) last.delete(name)
    }
  }
}

export type InTurn = ReturnType<typeof createTurns>
