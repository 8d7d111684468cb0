/** The asker: queries of one user share its part of the places. */
export type User = string

export type QueryPlacesDeps = {
  /** Places in all. */
  readonly max: number
  /** How long a query waits for its place. */
  readonly patience_ms: number
  /** The error of queries that have waited in vain, or find too many of their user's own in line. */
  readonly refuse: () => Error
  readonly now_ms?: () => number
}

/** Queries that wait, in all and of one user. */
const [maxWaiting, maxWaitingOfOne] = [1_000, 750]
/** Of the places these are left to others, one at least, by a user that is not alone. */
const reserved = 1 / 4
/** A user that has asked so lately is there. */
const presence_ms = 10 * 60_000

/**
 * The places of queries, shared out by user. A place that comes free goes to the user that holds the fewest places, and
 * of several such users to the one that was not served for longest. A user that is alone may hold all places; beside
 * others a user leaves some, which the others find free whatever it asks.
 */
export function createQueryPlaces({ max, patience_ms, refuse, now_ms = () => performance.now() }: QueryPlacesDeps) {
  const held = new Map<User, number>()
  /** Served from the first to the last. */
  const lines = new Map<User, Set<() => void>>()
  const others = max > 1 ? max - Math.max(1, Math.floor(max * reserved)) : max
  let free = max
  /** The users that have asked last, the latest first. */
  let latest: readonly { readonly user: User; readonly at: number }[] = []

  function note(user: User): void {
    const [another] = latest.filter((each) => each.user !== user)
    latest = [{ user, at: now_ms() }, ...(another ? [another] : [])]
  }

  const isAlone = (user: User): boolean =>
    latest.every((each) => each.user === user || now_ms() - each.at > presence_ms)

  const mayHaveMore = (user: User): boolean => (held.get(user) ?? 0) < (isAlone(user) ? max : others)

  function take(user: User): void {
    free--
    held.set(user, (held.get(user) ?? 0) + 1)
  }

  function release(user: User): void {
    free++
    const left = (held.get(user) ?? 0) - 1
    if (left > 0) held.set(user, left)
    else held.delete(user)
    serve()
  }

  function serve(): void {
    while (free > 0 && serveNext());
  }

  function serveNext(): boolean {
    let next: User | undefined
    for (const user of lines.keys()) {
      if (!mayHaveMore(user)) continue
      if (next === undefined || (held.get(user) ?? 0) < (held.get(next) ?? 0)) next = user
    }
    const line = next === undefined ? undefined : lines.get(next)
    const [first] = line ?? []
    if (next === undefined || !line || !first) return false
    take(next)
    first()
    // Behind the others, where more of it wait.
    lines.delete(next)
    if (line.size > 0) lines.set(next, line)
    return true
  }

  function wait(user: User, signal: AbortSignal): Promise<void> {
    const line = lines.get(user) ?? new Set()
    const inAll = [...lines.values()].reduce((sum, each) => sum + each.size, 0)
    if (line.size >= maxWaitingOfOne || inAll >= maxWaiting) throw refuse()
    lines.set(user, line)
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.delete(begin)
        if (line.size === 0 && lines.get(user) === line) lines.delete(user)
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
      }
      const begin = (): void => {
        leave()
        resolve()
      }
      const giveUp = (): void => {
        leave()
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        leave()
        reject(refuse())
      }, patience_ms)
      signal.addEventListener('abort', giveUp)
      line.add(begin)
      serve()
    })
  }

  return {
    /** Resolves to a function that gives the place back. Rejects with the signal's reason where that comes first. */
    async acquire(user: User, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted()
      note(user)
      if (free > 0 && mayHaveMore(user) && !lines.has(user)) take(user)
      else await wait(user, signal)
      return () => release(user)
    },
  }
}
