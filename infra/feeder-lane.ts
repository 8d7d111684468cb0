import { fault } from './faults.ts'

type Waiter = { readonly position: number; resolve(): void }

/** How far a queue is fed, and who waits for it. */
export type Lane = {
  readonly queue: string
  /** Everything up to here is in ClickHouse. */
  fed: number
  /** Rows that came since the last batch was taken. */
  waiting: number
  waiters: Waiter[]
  running: Promise<void> | undefined
  /** Ends the pause before the next batch. */
  hurry: (() => void) | undefined
  stopped: boolean
  failure: string | undefined
}

export const createLane = (queue: string): Lane => ({
  queue,
  fed: 0,
  waiting: 0,
  waiters: [],
  running: undefined,
  hurry: undefined,
  stopped: false,
  failure: undefined,
})

/** Everything up to `position` is in ClickHouse. */
export function settle(lane: Lane, position: number): void {
  lane.fed = Math.max(lane.fed, position)
  lane.waiters = lane.waiters.filter((waiter) => {
    if (waiter.position > lane.fed) return true
    waiter.resolve()
    return false
  })
}

/** Resolves when everything up to `position` is in ClickHouse, fault `late` after `timeout_ms`; undefined where it is. */
export function waitFor(lane: Lane, position: number, timeout_ms: number): Promise<void> | undefined {
  if (lane.fed >= position) return undefined
  const waiting = new Promise<void>((resolve, reject) => {
    const waiter: Waiter = {
      position,
      resolve() {
        clearTimeout(timer)
        resolve()
      },
    }
    const timer = setTimeout(() => {
      lane.waiters = lane.waiters.filter((other) => other !== waiter)
      const why = lane.failure === undefined ? '' : `: ${lane.failure}`
      reject(fault('late', `the events of ${lane.queue} are not in ClickHouse after ${timeout_ms} ms${why}`))
    }, timeout_ms)
    lane.waiters.push(waiter)
  })
  lane.hurry?.()
  return waiting
}
