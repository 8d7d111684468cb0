import type { Line } from '../../../base/pool.ts'

export type PlacesOptions = Line & {
  /** So long after another caller's latest query a caller leaves a place free. */
  readonly shares_ms?: number
}

type Waiting = { readonly caller: string; readonly take: () => void }

/**
 * Places for queries, shared between callers: while others ask too, none takes the last place beside its own, nor more
 * than half of the line. Alone it has all of them.
 */
export function createPlaces<Place>(
  places: readonly Place[],
  { most, patience_ms, refuse, shares_ms = 600_000 }: PlacesOptions,
) {
  const idle = [...places]
  const waiting = new Set<Waiting>()
  const taken = new Map<Place, string>()
  /** When each caller asked last, in milliseconds. */
  const asked = new Map<string, number>()

  const count = (callers: Iterable<string>, caller: string): number => {
    let found = 0
    for (const other of callers) if (other === caller) found++
    return found
  }

  function isAlone(caller: string): boolean {
    const since = Date.now() - shares_ms
    for (const [other, at] of asked) if (at < since) asked.delete(other)
    return asked.size === 0 || (asked.size === 1 && asked.has(caller))
  }

  function mayTake(caller: string): boolean {
    if (idle.length === 0) return false
    if (places.length === 1 || isAlone(caller)) return true
    return count(taken.values(), caller) < places.length - 1
  }

  function take(caller: string): Place {
    const place = idle.pop()
    if (place === undefined) throw new Error('no place is idle')
    taken.set(place, caller)
    return place
  }

  function next(): void {
    for (const entry of waiting) if (mayTake(entry.caller)) entry.take()
  }

  function isFull(caller: string): boolean {
    if (waiting.size >= most) return true
    const own = count(
      [...waiting].map((entry) => entry.caller),
      caller,
    )
    return !isAlone(caller) && own >= Math.ceil(most / 2)
  }

  function wait(caller: string, signal?: AbortSignal): Promise<Place> {
    if (isFull(caller)) throw refuse('full')
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(entry)
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
      }
      const entry: Waiting = {
        caller,
        take: () => {
          leave()
          resolve(take(caller))
        },
      }
      const giveUp = (): void => {
        leave()
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        leave()
        reject(refuse('late'))
      }, patience_ms)
      signal?.addEventListener('abort', giveUp)
      waiting.add(entry)
    })
  }

  return {
    /** What is acquired has to be released. Rejects with the signal's reason where that comes first. */
    async acquire(caller: string, signal?: AbortSignal): Promise<Place> {
      signal?.throwIfAborted()
      asked.set(caller, Date.now())
      return mayTake(caller) ? take(caller) : wait(caller, signal)
    },
    release(place: Place): void {
      if (!taken.delete(place)) return
      idle.push(place)
      next()
    },
  }
}
