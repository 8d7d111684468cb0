import { randomBytes } from 'node:crypto'
import { fault } from '../../base/faults.ts'

type Session<T> = { readonly value: T; readonly owner: string; used_ms: number; users: number }

export type SessionsDeps<T> = {
  readonly max: number
  readonly idle_ms: number
  readonly end: (value: T) => Promise<void>
}

/** The share of all sessions that one owner may have. */
const share = 3 / 4

/** Values under random keys, bounded in number; one without use for `idle_ms` is ended. */
export function createSessions<T>({ max, idle_ms, end }: SessionsDeps<T>) {
  const sessions = new Map<string, Session<T>>()
  const opening: string[] = []

  async function close(key: string): Promise<void> {
    const session = sessions.get(key)
    if (!session) return
    sessions.delete(key)
    await end(session.value)
  }

  async function endIdle(): Promise<void> {
    const latest = performance.now() - idle_ms
    const idle = [...sessions].filter(([, session]) => session.users === 0 && session.used_ms < latest)
    await Promise.all(idle.map(([key]) => close(key)))
  }

  const timer = setInterval(() => void endIdle().catch(() => {}), Math.min(idle_ms, 60_000)).unref()

  return {
    /** Begins a session with the value that `make` gives. Fault `limited` while there are too many, in all or of the owner. */
    async open(owner: string, make: () => Promise<T>): Promise<string> {
      const owners = [...opening, ...[...sessions.values()].map((session) => session.owner)]
      const own = owners.filter((each) => each === owner).length
      if (owners.length >= max || own >= Math.ceil(max * share)) {
        const text = `${owners.length} uploads in slices are open already, ${own} of yours; at most ${max}, and ${Math.ceil(max * share)} of one key or address`
        throw fault('limited', text, { retryAfter: Math.ceil(idle_ms / 1000) })
      }
      opening.push(owner)
      try {
        const key = randomBytes(24).toString('base64url')
        sessions.set(key, { value: await make(), owner, used_ms: performance.now(), users: 0 })
        return key
      } finally {
        opening.splice(opening.indexOf(owner), 1)
      }
    },
    async use<R>(key: string, work: (value: T) => Promise<R>): Promise<R> {
      const session = sessions.get(key)
      if (!session) throw fault('missing', 'there is no such upload: it is done, was idle for too long, or never began')
      session.users++
      try {
        return await work(session.value)
      } finally {
        session.users--
        session.used_ms = performance.now()
      }
    },
    close,
    /** Ends the sessions that `isMeant` chooses; one that is in use ends by itself. */
    async closeWhere(isMeant: (value: T) => boolean): Promise<void> {
      const meant = [...sessions].filter(([, { value, users }]) => users === 0 && isMeant(value))
      await Promise.all(meant.map(([key]) => close(key)))
    },
    async closeAll(): Promise<void> {
      clearInterval(timer)
      await Promise.all([...sessions.keys()].map(close))
    },
  }
}
