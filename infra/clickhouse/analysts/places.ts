import type { Line } from '../../../base/pool.ts'

export type PlacesOptions = Line & {
  /** For this long after another caller's latest query a caller leaves a place free. */
  readonly shares_ms?: number
}

type Waiting = { readonly take: () => void; readonly giveUp: (reason: unknown) => void }

/**
 * Places for queries, shared between callers: callers that wait are served in turn, however many queries each has in
 * line, and while others ask too, a caller takes no last place beside its own. Alone it has all of them. Where the line
 * is full, the caller with the most queries in it gives up its newest for a caller that has fewer.
 */
export function createPlaces<Place>(
  places: readonly Place[],
  { max, patience_ms, refuse, shares_ms = 600_000 }: PlacesOptions,
) {
  const idle = [...places]
  /** In the order of the callers' turns: a caller that was served goes behind the others. */
  const lines = new Map<string, Set<Waiting>>()
  let waiting = 0
  const taken = new Map<Place, string>()
  /** When each caller asked last, in milliseconds; the longest ago comes first. */
  const asked = new Map<string, number>()

  function noteAsked(caller: string): void {
    asked.delete(caller)
    asked.set(caller, Date.now())
  }

  function isAlone(caller: string): boolean {
    const since = Date.now() - shares_ms
    for (const [other, at] of asked) {
      if (at >= since) break
      asked.delete(other)
    }
    return asked.size === 0 || (asked.size === 1 && asked.has(caller))
  }

  function mayTake(caller: string): boolean {
    if (idle.length === 0) return false
    if (places.length === 1 || isAlone(caller)) return true
    return [...taken.values()].filter((other) => other === caller).length < places.length - 1
  }

  function take(caller: string): Place {
    const place = idle.pop()
    if (place === undefined) throw new Error('no place is idle')
    taken.set(place, caller)
    return place
  }

  function join(caller: string, entry: Waiting): void {
    const line = lines.get(caller) ?? new Set()
    lines.set(caller, line.add(entry))
    waiting += 1
  }

  function leave(caller: string, entry: Waiting): void {
    const line = lines.get(caller)
    if (!line?.delete(entry)) return
    waiting -= 1
    if (line.size === 0) lines.delete(caller)
  }

  function serve(): void {
    for (const [caller, line] of [...lines]) {
      const [first] = line
      if (first === undefined || !mayTake(caller)) continue
      first.take()
      if (lines.delete(caller)) lines.set(caller, line)
    }
  }

  /** False where the line is full and no caller has more in it than this one would have. */
  function makeRoom(caller: string): boolean {
    if (waiting < max) return true
    let longest: ReadonlySet<Waiting> = new Set()
    for (const line of lines.values()) if (line.size > longest.size) longest = line
    if (longest.size <= (lines.get(caller)?.size ?? 0) + 1) return false
    ;[...longest].at(-1)?.giveUp(refuse('full'))
    return true
  }

  function wait(caller: string, signal?: AbortSignal): Promise<Place> {
    if (!makeRoom(caller)) throw refuse('full')
    return new Promise((resolve, reject) => {
      const end = (): void => {
        leave(caller, entry)
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
      }
      const entry: Waiting = {
        take: () => {
          end()
          resolve(take(caller))
        },
        giveUp: (reason) => {
          end()
          reject(reason)
        },
      }
      const cancel = (): void => entry.giveUp(signal?.reason)
      const timer = setTimeout(() => entry.giveUp(refuse('late')), patience_ms)
      signal?.addEventListener('abort', cancel)
      join(caller, entry)
    })
  }

  return {
    /** The caller has to release the place. Rejects with the signal's reason where that comes first. */
    async acquire(caller: string, signal?: AbortSignal): Promise<Place> {
      signal?.throwIfAborted()
      noteAsked(caller)
      return mayTake(caller) ? take(caller) : wait(caller, signal)
    },
    release(place: Place): void {
      if (!taken.delete(place)) return
      idle.push(place)
      serve()
    },
  }
}
