import { fault } from '../../base/faults.ts'

/** The bytes of a budget that one request holds. */
export type Held = { bytes: number }

export type ByteBudget = {
  /** Undefined where there is room at once; fault `limited` where there is none in time. */
  take(held: Held, bytes: number): Promise<void> | undefined
  /** Takes nothing where there is no room at once. */
  takeNow(held: Held, bytes: number): boolean
  /** Gives back all that a request holds; its wait for more is refused. */
  give(held: Held): void
  /** Whether any request waits for bytes. */
  isWanted(): boolean
}

type Waiting = {
  readonly held: Held
  readonly bytes: number
  readonly go: () => void
  readonly refuse: () => void
}

/**
 * Bounds the bytes that all requests hold together. A request of any size gets in alone; and where requests that have
 * begun need more than was foreseen, one at a time goes beyond the bound, so that they do not wait for each other.
 */
export function createByteBudget(max: number, patience_ms: number, setting: string): ByteBudget {
  let sum = 0
  let beyond: Held | undefined
  const line: Waiting[] = []

  const grant = (held: Held, bytes: number): void => {
    held.bytes += bytes
    sum += bytes
  }

  function hasRoom(held: Held, bytes: number): boolean {
    if (sum === held.bytes || sum + bytes <= max) return true
    if (held.bytes === 0 || (beyond !== undefined && beyond !== held)) return false
    beyond = held
    return true
  }

  function serve(): void {
    for (let next = line[0]; next && hasRoom(next.held, next.bytes); next = line[0]) {
      line.shift()
      next.go()
    }
  }

  const wait = (held: Held, bytes: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = {
        held,
        bytes,
        go: () => {
          clearTimeout(timer)
          grant(held, bytes)
          resolve()
        },
        refuse: () => {
          clearTimeout(timer)
          line.splice(line.indexOf(waiting), 1)
          reject(
            fault('limited', `other requests hold all the bytes there are for them (${setting}); try again`, {
              retryAfter: 2,
              limit: setting,
            }),
          )
        },
      }
      const timer = setTimeout(() => {
        waiting.refuse()
        serve()
      }, patience_ms)
      // Requests that have begun go first: they make room for the others.
      const place = held.bytes > 0 ? line.findIndex((other) => other.held.bytes === 0) : -1
      line.splice(place < 0 ? line.length : place, 0, waiting)
    })

  return {
    take(held, bytes) {
      if ((line.length > 0 && held.bytes === 0) || !hasRoom(held, bytes)) return wait(held, bytes)
      grant(held, bytes)
      return undefined
    },
    takeNow(held, bytes) {
      if (line.length > 0 || sum + bytes > max) return false
      grant(held, bytes)
      return true
    },
    give(held) {
      line.find((waiting) => waiting.held === held)?.refuse()
      if (held.bytes === 0) return
      sum -= held.bytes
      held.bytes = 0
      if (beyond === held) beyond = undefined
      serve()
    },
    isWanted: () => line.length > 0,
  }
}
