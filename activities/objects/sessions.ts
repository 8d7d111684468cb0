import { randomBytes } from 'node:crypto'
import { fault } from '../../infra/faults.ts'

type Session<T> = { readonly value: T; used_ms: number; users: number }

export type SessionsDeps<T> = {
  readonly most: number
  readonly idle_ms: number
  readonly end: (value: T) => Promise<void>
}

/** Values under random keys, bounded in number; one that nobody uses for `idle_ms` is ended. */
export function createSessions<T>({ most, idle_ms, end }: SessionsDeps<T>) {
  const sessions = new Map<string, Session<T>>()
  let opening = 0

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
    /** Begins a session with what `make` gives. Fault `limited` while there are too many. */
    async open(make: () => Promise<T>): Promise<string> {
      if (sessions.size + opening >= most) {
        throw fault('limited', `${most} uploads in slices are open already`, { retryAfter: Math.ceil(idle_ms / 1000) })
      }
      opening++
      try {
        const key = randomBytes(24).toString('base64url')
        sessions.set(key, { value: await make(), used_ms: performance.now(), users: 0 })
        return key
      } finally {
        opening--
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
    /** Ends those that are meant; one that is in use ends by itself. */
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
